use layout::{code, layout};

type A = layout!(F32[65536,65536]);

const SHADER: &str = code!(A, Wgsl, "a");

fn main() {
    println!("{SHADER}");
}
