//! Constants inside functions that ask for what the layout does not have.

use layout::{View, layout};

type A = layout!(F32[3,5]{1,0:T(2,2)});
type Large = layout!(F32[16,17]{1,0});
type Device = layout!(F32[16,256]{1,0:T(8,128)});
type Unknown = layout!(F32[?,1024]{1,0:T(8,128)});

fn main() {
    println!("{}", const { A::dim(5) });
    println!("{}", const { A::offset([3, 0]) });
    println!("{}", Unknown::PADDED_ELEMENTS);
    let table: [u8; Large::ELEMENTS] = const { Large::offset_table() };
    let short: [u8; 3] = const { A::offset_table() };
    println!("{} {}", table[0], short[0]);
    let view = View::<Device, f32>::new(&[0.0; 4096]).unwrap();
    println!("{:?}", view.region(const { Device::region([8..17, 0..128]) }));
}
