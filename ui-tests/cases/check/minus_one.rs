//! `-1` where no dimension is left to combine with, underlined as one number.

use layout::{layout, tiles};

type A = layout!(F32[3,5]{1,0:T(2,-1)});
type B = layout!(F32[3,5]{1,0:T(-1)});
type C = layout!(F32[3,5]{1,0:T(2,2)(2,-1)});
type D = layout!(F32[3,5]<1,0:T(2,-1)>);
type E = layout!(F32[3,5]<1,0:T(-1)>);
type F = layout!(F32[3,5]<1,0:T(2,2)(2,-1)>);
type G = layout!(F32[3,5]{1,0:T(-1,-1)});
type H = tiles!((2, 2)(2, -1));
layout! {
    type I = F32[3,5]{1,0:T(2, - 1)};
}

fn main() {}
