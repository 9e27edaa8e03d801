//! Packed elements are narrower than a byte, and one of them is held by a byte.

use layout::{Buffer, PackedView, Padding, ViewMut, layout};

type Bytes = layout!(S4[8]);
type Bits = layout!(PRED[8]{0:E(1)});
type Wide = layout!(PRED[8]{0:E(32)});

fn main() {
    println!("{}", PackedView::<Bytes>::new(&[0; 15]).is_ok());
    let mut wide = [0; 8];
    let bits = PackedView::<Bits>::new(&[0]).unwrap();
    bits.copy_to(&mut ViewMut::<Wide, u32>::new(&mut wide).unwrap(), Padding::Leave).unwrap();
    // A byte for each element, in a layout of bytes: the element type stays `PRED`.
    let mut bytes = [0; 8];
    let mut to = ViewMut::<layout!(U8[8]), u8>::new(&mut bytes).unwrap();
    bits.copy_to(&mut to, Padding::Leave).unwrap();
    Buffer::<Bits>::zeroed();
}
