//! Packed elements are narrower than a byte, and one of them is held by a byte.

use layout::{PackedView, Padding, layout, pack, unpack};

type Bytes = layout!(S4[8]);
type Bits = layout!(PRED[8]{0:E(1)});
type Wide = layout!(PRED[8]{0:E(32)});

fn main() {
    println!("{}", PackedView::<Bytes>::new(&[0; 15]).is_ok());
    pack::<Bytes, Bytes, i8>(&[0; 8], &mut [0; 8], Padding::Zero).unwrap();
    unpack::<Bits, Wide, u32>(&[0; 1], &mut [0; 8], Padding::Zero).unwrap();
}
