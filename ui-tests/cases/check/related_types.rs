//! Tiles of layouts that have none; an order in place of a permutation, and a permutation in place of an order.

use layout::types::TileOf;
use layout::{TiledBy, View, layout, order, permutation};

fn kernel<L: TiledBy<permutation!(1, 0)>>() {}

fn main() {
    println!("{}", <TileOf<layout!(F32[3,5])>>::TEXT);
    let view = View::<layout!(F32[3,5]), f32>::new(&[0.0; 15]).unwrap();
    let turned = view.transpose::<layout!(F32[5,3]{0,1}), order!(1, 0)>();
    println!("{}", <TileOf<layout!(F32[3,5,7]{2,1,0:T(*,8,128)})>>::TEXT);
}
