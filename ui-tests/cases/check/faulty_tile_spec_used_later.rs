use layout::{Layout, TiledBy, layout, order, tiles};

type Packed = tiles!((8,0)(2,1));
type A = layout!(BF16[512,1024]{1,0:T=Packed});

const AT: usize = A::offset([2, 3]);

fn kernel<L: Layout<2> + TiledBy<order!(1, 0), Packed>>() -> usize {
    L::ELEMENTS
}

fn main() {
    println!("{AT} {} {}", kernel::<A>(), A::offset([1, 1]));
}
