//! What needs the sizes, of layouts that have `?`.

use layout::{Buffer, Padding, View, layout, relayout};

type A = layout!(F32[?,1024]{1,0:T(8,128)});
type Host = layout!(F32[?,1024]);

fn main() {
    println!("{}", A::offset([3, 700]));
    println!("{}", A::runs().count());
    println!("{:?}", View::<A, f32>::new(&[0.0; 1024]));
    let buffer = Buffer::<A, f32>::filled(1.0);
    relayout::<Host, A, f32>(&[0.0; 1024], &mut [0.0; 8192], Padding::Zero).unwrap();
}
