use layout::element::F32;
use layout::types::{C, Star, Tiles};
use layout::Array;

type A = Array<F32, (C<3>,), (C<0>,), Tiles<((C<2>, Star),)>>;

fn main() {
    println!("{}", A::TEXT);
}
