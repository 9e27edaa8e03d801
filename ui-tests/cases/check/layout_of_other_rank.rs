use layout::{Layout, layout};

type A = layout!(F32[2,3,5]{2,1,0});

fn sum<L: Layout<2>>() -> usize {
    L::ELEMENTS
}

fn main() {
    sum::<A>();
}
