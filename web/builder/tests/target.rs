//! Who has no target for WebAssembly is told so at once, and what to do.
#![cfg(unix)]

use std::process::Command;

#[test]
fn the_target_is_asked_for_before_anything_is_compiled() {
    // Stands for a compiler that knows no such target, and for a cargo that must not be called.
    let output = Command::new(env!("CARGO_BIN_EXE_tiled-layout-web"))
        .env("RUSTC", "true")
        .env("CARGO", "/nowhere")
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "error: Rust's library for wasm32-unknown-unknown is missing: rustup target add wasm32-unknown-unknown\n"
    );
    assert!(!output.status.success());
    // What takes long is the library, which this package therefore does not depend on.
    assert!(!include_str!("../Cargo.toml").contains("\nlayout-"));
}
