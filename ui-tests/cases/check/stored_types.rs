//! Types of Rust that do not store the elements of a layout.

use layout::element::F32;
use layout::{Buffer, Layout, Padding, View, copy, layout};

type Bytes = layout!(S4[8]);
type Packed = layout!(S4[8]{0:E(4)});
type Bits = layout!(PRED[8]{0:E(1)});
type Wide = layout!(PRED[8]{0:E(32)});
type Host = layout!(F32[3,5]);
type Device = layout!(F32[3,5]{1,0:T(2,2)});

fn zeros<L: Layout<2, Element = F32>>() -> Buffer<L, f32> {
    Buffer::zeroed()
}

fn default_zeros<L: Layout<2>>() -> Buffer<L> {
    Buffer::zeroed()
}

fn main() {
    let buffer = Buffer::<layout!(BF16[3,5]), f32>::zeroed();
    println!("{}", View::<Host, f64>::new(&[0.0f64; 15]).is_ok());
    println!("{}", View::<Device, i32>::new(&[0; 24]).is_ok());
    println!("{}", View::<Wide, u8>::new(&[0u8; 60]).is_ok());
    println!("{}", View::<Bits, u8>::new(&[0; 15]).is_ok());
    copy::<Host, Device, i32>(&[0; 15], &mut [0; 24], Padding::Zero).unwrap();
    copy::<Bytes, Packed, i8>(&[0; 8], &mut [0; 8], Padding::Zero).unwrap();
}
