//! Bitcasts, reshapes and transposes that are none.

use layout::{View, layout, permutation};

type Matrix = layout!(F32[3,5]);
type Tiled = layout!(F32[3,5]{1,0:T(2,2)});
type Host = layout!(F32[16,256]);
type Device = layout!(F32[16,256]{1,0:T(8,128)});

fn bitcasts(small: View<layout!(F32[4]), f32>, host: View<Host, f32>) {
    println!("{:?}", host.bitcast::<Device>());
    println!("{:?}", small.bitcast::<layout!(F32[4]{0:T(8)})>());
}

fn reshapes(
    square: View<layout!(F32[2,2]), f32>,
    matrix: View<Matrix, f32>,
    bounded: View<layout!(F32[<=4,5]), f32>,
    device: View<Device, f32>,
) {
    println!("{:?}", bounded.reshape::<layout!(F32[20])>());
    println!("{:?}", device.reshape::<layout!(F32[32,128]{1,0:T(8,128)})>());
    println!("{:?}", matrix.reshape::<layout!(F32[16])>());
    println!("{:?}", square.reshape::<layout!(F32[4]{0:T(8)})>());
}

fn transposes(matrix: View<Matrix, f32>, tiled: View<Tiled, f32>) {
    println!("{:?}", matrix.transpose::<layout!(F32[5,3]{0,1}), permutation!(1, 1)>());
    println!("{:?}", matrix.transpose::<layout!(F32[5,3]{0,1}), permutation!(1, 0, 2)>());
    println!("{:?}", tiled.transpose::<layout!(F32[5,3]{1,0:T(2,2)}), permutation!(1, 0)>());
    println!("{:?}", matrix.transpose::<layout!(F32[3,5]{0,1}), permutation!(1, 0)>());
}

fn main() {
    let data = [0.0; 4096];
    bitcasts(View::new(&data).unwrap(), View::new(&data).unwrap());
    let square = View::new(&data).unwrap();
    let matrix = View::new(&data).unwrap();
    reshapes(square, matrix, View::new(&data).unwrap(), View::new(&data).unwrap());
    transposes(matrix, View::new(&data).unwrap());
}
