use layout::element::F32;
use layout::{Array, types::C};

type A = Array<F32, (C<3>,), (C<1>,)>;

const ELEMENTS: usize = A::ELEMENTS;

fn main() {}
