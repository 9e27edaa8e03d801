// The path is relative to the folder of `Cargo.toml`.
layout::hlo! {
    /// A program.
    pub mod program = "hlo/misssing.hlo";
}

fn main() {}
