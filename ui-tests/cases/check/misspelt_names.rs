//! What is suggested is public, whatever a layout is compiled to.

use layout::element::F32;
use layout::types::C;
use layout::{AnyLayout, Array, Layout, layout};

type A = layout!(F32[7]);

fn of_rank<L: Layout<2>>() {
    let _ = L::SIZE;
    let _ = L::SLOT;
    let _ = L::DIM;
    let _ = L::GRIDS;
    let _ = L::offsets([2, 3]);
    let _ = L::finds([2, 3]);
}

fn of_any_rank<L: AnyLayout>() {
    let _ = L::SLOT;
    let _ = L::KNOWNS;
}

fn main() {
    let _ = A::SIZE;
    let _ = A::SIZES;
    let _ = A::SLOT;
    let _ = A::DIM;
    let _ = A::VALUES;
    let _ = A::COUNT;
    let _ = A::offsets([6]);
    // Not of layouts, and of types that only look like one.
    let _ = u32::offset([2, 3]);
    let _ = Array::<f32, (C<3>,), (C<0>,)>::ELEMENTS;
    let _ = Array::<F32, C<3>, C<0>>::ELEMENTS;
}
