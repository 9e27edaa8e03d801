use layout::element::F32;
use layout::{Array, types::C};

type A = Array<F32, (C<3>,), (C<1>,)>;

fn main() {
    println!("{}", A::offset([2]));
}
