use layout::{Layout, offset};

fn second<L: Layout<1>>() -> usize {
    offset!(L, [1])
}

fn main() {}
