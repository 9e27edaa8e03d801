use layout::{Layout, layout, tiles};

type A = layout!(BF16[512,1024]{1,0:T(8,128)});

fn kernel<L: Layout<2, Tiles = tiles!((8,128)(2,1))>>() -> usize {
    L::ELEMENTS
}

fn main() {
    kernel::<A>();
}
