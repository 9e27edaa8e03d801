//! Names in a shape that there are not, and names of layouts where values are expected.

use layout::{Layout, layout};
use layout_gpu::code;

layout! {
    type Twice = F32[3];
    type Twice = F32[5];
}

layout_hlo_macros::hlo! {
    mod program = "hlo/good.hlo";
}

type A = layout!(F32[3,5]{1,0:T(2,2)});
type UnknownSize = layout!(F32[3,N]{1,0});
type UnknownTiles = layout!(BF16[512,1024]{1,0:T=Packed});

fn shader<L: Layout<2>>() -> &'static str {
    code!(L, Wgsl, "a")
}

fn main() {
    println!("{}", <layout!(F32[rows,5]{1,0:T(2,2)})>::TEXT);
    let n = 3;
    println!("{}", <layout!(F32[n,5])>::TEXT);
    for i in 0..3 {
        println!("row {i} begins at {}", const { A::offset([i, 0]) });
    }
    let _ = program::params::P1::BYTES;
    let _ = program::params::X::BYTES;
    let a = layout!(F32[3,5]{1,0:T(2,2)});
    let at = layout!(F32[3,5]{1,0:T(2,2)}).offset([1, 2]);
    let a = A;
}
