//! Builds the page.

#[cfg(not(target_family = "wasm"))]
fn main() {
    println!("not yet");
}

#[cfg(target_family = "wasm")]
fn main() {}
