use layout::{code, layout};

type A = layout!(F32[3,5]{1,0:T(2,2)});

fn main() {
    println!("{}", code!(A, Glsl, "a"));
}
