use layout::{Layout, layout};

type A = layout!((F32[3,5], F32[3]));

fn sum<L: Layout<2>>() -> usize {
    L::ELEMENTS
}

fn main() {
    sum::<A>();
}
