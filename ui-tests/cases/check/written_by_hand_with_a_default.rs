use layout::property::Space;
use layout::{Array, C, Untiled, element};

type A = Array<element::F32, (C<2>,), (C<0>,), Untiled, (Space<0>,)>;

const DIMS: [usize; 1] = A::DIMS;

fn main() {
    println!("{DIMS:?}");
}
