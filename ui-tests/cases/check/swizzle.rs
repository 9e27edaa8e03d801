//! Swizzles that an array does not take: what the macro sees, and what the compiler does.
use layout::{TiledBy, layout, order, tiles};

type Overlaps = layout!(F16[64,64]{1,0}, swizzle = bytes<3,4,2>);
type Splits = layout!(F16[64,64]{1,0}, swizzle = bytes<3,0,3>);
type Ragged = layout!(F16[3,10]{1,0}, swizzle = 128B);
type Unknown = layout!(F16[64,64]{1,0}, swizzle = 256B);

fn kernel<L: TiledBy<order!(1, 0), tiles!((8, 64))>>() {}

type Swizzled = layout!(F16[64,64]{1,0:T(8,64)}, swizzle = 128B);

fn main() {
    kernel::<Swizzled>();
}
