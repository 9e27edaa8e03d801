use layout::{code, layout};

type A = layout!(F32[3,5]{1,0:T(2,2)});

const SHADER: &str = code!(A, Cuda, "my-layout");

fn main() {
    println!("{SHADER}");
}
