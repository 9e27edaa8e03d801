use layout::element::F32;
use layout::{Array, Layout, types::C};

type A = Array<F32, (C<3>,), (C<1>,)>;

fn first<L: Layout<1>>() -> usize {
    L::offset([0]) + L::ELEMENTS
}

fn main() {
    println!("{}", first::<A>());
}
