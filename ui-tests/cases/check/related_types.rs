//! Types that are made from a layout, which does not have them.

use layout::types::{Permuted, TileOf};
use layout::{layout, permutation};

fn main() {
    println!("{}", <Permuted<layout!(F32[3,5]), permutation!(1, 16)>>::TEXT);
    println!("{}", <Permuted<layout!(F32[3,5]), permutation!(1, 2, 0)>>::TEXT);
    println!("{}", <TileOf<layout!(F32[3,5])>>::TEXT);
    println!("{}", <TileOf<layout!(F32[3,5,7]{2,1,0:T(*,8,128)})>>::TEXT);
}
