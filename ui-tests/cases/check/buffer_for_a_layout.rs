use layout::{Layout, layout};

type A = layout!(b(F32[3,5]{1,0}));

fn sum<L: Layout<2>>() -> usize {
    L::ELEMENTS
}

fn main() {
    sum::<A>();
}
