//! Faults in what `macro_rules` pass on.

use layout::layout;

macro_rules! rows {
    ($rows:tt) => {
        layout!(F32[3,5]{1,0:T(2,$rows)})
    };
}
macro_rules! vector {
    ($size:expr) => {
        layout!(F32[$size]{0})
    };
}
macro_rules! options {
    ($tpu:ident, $limit:literal, $swizzle:literal) => {
        (
            layout!(tpu = $tpu, F32[8,128]),
            layout!(F32[8,128], max_expansion = $limit),
            layout!(F32[8,128], swizzle = $swizzle),
        )
    };
}
macro_rules! items {
    ($visibility:vis $name:ident $path:literal) => {
        layout! { $visibility type $name F32[3]; }
        layout_hlo_macros::hlo! { $visibility mod hlo = $path; }
    };
}
type A = rows!(*);
type B = vector!(1 + 2);
type C = vector!(-3);
type D = options!(V5, 0.5, 256B);
items!(pub(crate) E "hlo/gone.hlo");

fn main() {}
