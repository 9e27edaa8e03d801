//! Tiles, blocks and rows of layouts that do not have them in one piece.

use layout::{Buffer, View, layout};

type Pairs = layout!(BF16[16,128]{1,0:T(8,128)(2,1)});
type Device = layout!(F32[16,128]{1,0:T(8,128)});
type Combined = layout!(F32[4,5,6]{2,1,0:T(*,2,3)});

fn rows() {
    let view = View::<Pairs, u16>::new(&[0u16; Pairs::PADDED_ELEMENTS]).unwrap();
    println!("{}", view.tile([0, 0]).unwrap().rows().count());
    let buffer = Buffer::<Combined, f32>::filled(0.0);
    println!("{}", buffer.as_view().rows().count());
    let mut buffer = Buffer::<layout!(F32[4,5,7]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.as_view_mut().rows_mut().count());
    let buffer = Buffer::<layout!(F32[4,5,8]{2,1,0:T(*,2,3)}), f32>::filled(0.0);
    println!("{}", buffer.slice([1..2, 0..5, 0..8]).unwrap().rows().count());
}

fn main() {
    rows();
    let view = View::<layout!(F32[3000]{0:T(1024)(128)(2,1)}), f32>::new(&[0.0; 3072]).unwrap();
    println!("{}", view.blocks::<1>().count());
    let view = View::<Combined, f32>::new(&[0.0; Combined::PADDED_ELEMENTS]).unwrap();
    println!("{}", view.tiles().count());
    let data = [0.0; Device::PADDED_ELEMENTS];
    for tile in View::<Device, f32>::new(&data).unwrap().tiles() {
        let _: &[f32; 1000] = tile.as_array();
    }
    let view = View::<layout!(F32[3,5]{1,0:T(2,2)}), f32>::new(&[0.0; 24]).unwrap();
    println!("{:?}", view.as_ndarray());
}
