//! Mistakes that `cargo check` finds.

use std::path::Path;

#[test]
fn check() {
    provide_hlo_files();
    trybuild::TestCases::new().compile_fail("cases/check/*.rs");
}

/// Puts the files that `hlo!` reads where trybuild puts the `Cargo.toml` of the cases.
fn provide_hlo_files() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases/hlo");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder of Cargo's");
    let to = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("hlo");
    std::fs::create_dir_all(&to).expect("a folder can be made there");
    for file in from.read_dir().expect("the files are here") {
        let file = file.expect("the files can be listed");
        std::fs::copy(file.path(), to.join(file.file_name())).expect("files can be copied");
    }
}
