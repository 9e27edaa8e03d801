use core::marker::PhantomData;
use layout::{Layout, layout, tiles};

type Wide = tiles!((4294967296,4294967296));
struct Holder(PhantomData<layout!(S8[3,5]{1,0:T=Wide})>);

fn first<L: Layout<2>>(_: PhantomData<L>) -> usize {
    L::offset([0, 0])
}

fn main() {
    println!("{}", first(Holder(PhantomData).0));
}
