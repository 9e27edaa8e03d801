use layout::{Array, types::C};

type A = Array<f32, (C<3>,), (C<0>,)>;

const ELEMENTS: usize = A::ELEMENTS;

fn main() {}
