use layout::{Layout, layout};

fn elements<L: Layout<2>>() -> usize {
    L::ELEMENTS
}

fn main() {
    println!("{}", elements::<layout!(F32[?,1024])>());
}
