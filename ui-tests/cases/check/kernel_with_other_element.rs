use layout::element::BF16;
use layout::{Layout, layout};

type A = layout!(F32[512,1024]{1,0});

fn kernel<L: Layout<2, Element = BF16>>() -> usize {
    L::ELEMENTS
}

fn main() {
    kernel::<A>();
}
