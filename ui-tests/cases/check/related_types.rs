//! Types that are made from a layout, which does not have them.

use layout::types::{Permuted, TileOf};
use layout::{View, layout, permutation};

fn main() {
    println!("{}", <Permuted<layout!(F32[3,5]), permutation!(1, 16)>>::TEXT);
    println!("{}", <Permuted<layout!(F32[3,5]), permutation!(1, 2, 0)>>::TEXT);
    println!("{}", <TileOf<layout!(F32[3,5])>>::TEXT);
    let view = View::<layout!(F32[3,5]), f32>::new(&[0.0; 15]).unwrap();
    let twice = view.permute::<permutation!(1, 1)>();
    let of_three = view.permute::<permutation!(1, 0, 2)>();
    let of_one = view.permute::<permutation!(0)>();
    println!("{}", <TileOf<layout!(F32[3,5,7]{2,1,0:T(*,8,128)})>>::TEXT);
}
