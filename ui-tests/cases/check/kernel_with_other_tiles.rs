use layout::{Layout, TiledBy, layout, order, tiles};

type A = layout!(BF16[512,1024]{1,0:T(8,128)});

fn kernel<L: Layout<2> + TiledBy<order!(1, 0), tiles!((8,128)(2,1))>>() -> usize {
    L::ELEMENTS
}

fn main() {
    kernel::<A>();
}
