use layout::Layout;

fn sum<L: Layout<2>>() -> usize {
    L::ELEMENTS
}

fn main() {
    sum::<[f32; 15]>();
}
