use layout::types::property::Space;
use layout::{Array, element, types::{C, Untiled}};

type A = Array<element::F32, (C<2>,), (C<0>,), Untiled, (Space<0>,)>;

const DIMS: [usize; 1] = A::DIMS;

fn main() {
    println!("{DIMS:?}");
}
