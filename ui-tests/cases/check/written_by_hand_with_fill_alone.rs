use layout::types::property::{FillWith, Zero};
use layout::{Array, element, types::{C, Untiled}};

type A = Array<element::F32, (C<2>,), (C<0>,), Untiled, (FillWith<Zero>,)>;

const RANK: usize = A::RANK;

fn main() {
    println!("{RANK}");
}
