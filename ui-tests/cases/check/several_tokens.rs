//! Faults of several tokens are underlined from the first to the last one, also on several lines.

use layout::layout;

const N: usize = 4;
type A = layout!(F32[N*2, 8]);
type B = layout!(F32[8, <=2 * N]{1,0:T(8,128)});
type C = layout!(F32[N as usize, usize::pow(2, 3)]);
type D = layout!(PRED[64,512,2048]{2,1,0:T(8,128)E(32)}, max_expansion = 2);
type E = layout!(tpu = V5e, BF16[300,1000]{1,0:T(8,128)(2,1)});
type F = layout!(onednn = nchw16c, F32[2,40,5,7]);
type G = layout!(F32[3,-1,<5]);
type H = layout!((
    F32[3,5]{1,1:T(0,2)(2,*)S(128)},
    S8[4294967296,
       4294967296],
));

fn main() {}
