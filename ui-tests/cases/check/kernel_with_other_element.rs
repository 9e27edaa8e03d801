use layout::element::BF16;
use layout::{AnyLayout, TiledBy, layout, order, tiles};

type A = layout!(F32[512,1024]{1,0:T(8,128)});

fn kernel<L: AnyLayout<Element = BF16> + TiledBy<order!(1, 0), tiles!((8,128))>>() {}

fn main() {
    kernel::<A>();
}
