//! Views that nobody uses; of a function that returns what it is given nothing is said.
#![deny(unused_must_use)]

use std::hint::black_box;

use layout::{Buffer, View, layout};

type A = layout!(F32[3,5]);

fn sizes(view: View<A, f32>) {
    black_box(view);
    view.as_view();
}

fn main() {
    Buffer::<A>::zeroed();
    sizes(Buffer::<A>::zeroed().as_view());
}
