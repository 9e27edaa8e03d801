use layout::{Layout, TiledBy, layout, order, tiles};

type Packed = tiles!((8,128)(2,1));
type A = layout!(BF16[512,1024]{1,0:T=Packed});

fn kernel<L: Layout<2> + TiledBy<order!(1, 0), Packed>>() -> usize {
    L::offset([1, 1])
}

fn main() {
    assert_eq!(kernel::<A>(), A::offset([1, 1]));
}
