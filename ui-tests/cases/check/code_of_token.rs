use layout::{code, layout};

type A = layout!(token[]);

fn main() {
    println!("{}", code!(A, Wgsl, "a"));
}
