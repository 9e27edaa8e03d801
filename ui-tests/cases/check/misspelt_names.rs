//! What is suggested is public, whatever a layout is compiled to.
use layout::layout;

type A = layout!(F32[7]);

fn main() {
    let _ = A::SIZE;
    let _ = A::SIZES;
    let _ = A::SLOT;
    let _ = A::DIM;
    let _ = A::VALUES;
    let _ = A::COUNT;
    let _ = A::offsets([6]);
}
