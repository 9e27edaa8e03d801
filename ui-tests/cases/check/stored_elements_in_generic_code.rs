use layout::element::F32;
use layout::{Buffer, Layout};

fn zeros<L: Layout<2, Element = F32>>() -> Buffer<L, f32> {
    Buffer::zeroed()
}

fn main() {}
