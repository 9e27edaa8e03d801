//! What other systems and other macros write.

use layout::{TiledBy, layout, order, tiles};

type Float = layout!(F8[3,5]);
type Swizzled = layout!(F16[64,64]{1,0:swizzle(128B)});
type Blank = layout!(F32[_,5]);
type Rest = layout!(F32[..,5]);
type Bound = layout!(F32[<=?,5]);
fn generic<E>(_: layout!(E[3,5]), _: E) {}
type Tiles<const R: usize> = layout!(F32[64,128]{1,0:T(2*R,128)});

fn kernel<L: TiledBy<order!({1,0}), tiles!((8,128))>>() {}

fn main() {
    kernel::<layout!(F32[8,128]{1,0:T(8,128)})>();
    println!("{} {} {}", Float::BYTES, Blank::DIMS[0], Tiles::<8>::TEXT);
}
