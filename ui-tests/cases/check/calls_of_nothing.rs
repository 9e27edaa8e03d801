//! Calls without an input, underlined as a whole.

use layout::{layout, tiles};

layout! {}
type A = layout!();
type Packed = tiles!();
layout_hlo_macros::hlo! {}
layout!(F32[3,5]{1,0});

fn main() {}
