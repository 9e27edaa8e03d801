use layout::{Layout, layout};

type A = layout!(token[]);

fn sum<L: Layout<2>>() -> usize {
    L::ELEMENTS
}

fn main() {
    sum::<A>();
}
