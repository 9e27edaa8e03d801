//! More slots than 32 bits count, and more elements than are compared.

use layout::{View, layout};

fn main() {
    println!("{}", <layout!(S8[65536,65536])>::offset_u32([1, 2]));
    println!("{:?}", <layout!(S8[65537,65536])>::checked_offset_u32([1, 2]));
    println!("{}", <layout!(S8[65538,65536])>::offset_u32_unchecked([1, 2]));
    println!("{}", <layout!(S8[65539,65536])>::is_padding_u32(1));
    println!("{:?}", <layout!(S8[65536,65536]{1,0:T(8,128)})>::index_u32(17));
    // Only the last elements differ.
    type A = layout!(S8[1000,1000]{1,0:T(*,7)(5)});
    let view = View::<A>::new(&[0; A::PADDED_ELEMENTS]).unwrap();
    println!("{:?}", view.bitcast::<layout!(S8[1000,1000]{1,0:T(*,999995)(7)(5)})>());
}
