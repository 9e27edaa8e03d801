//! What is suggested is public, whatever a layout is compiled to.
use layout::{AnyLayout, Layout};

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

fn main() {}
