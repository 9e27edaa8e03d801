use layout::layout;

fn main() {
    println!("{}", <layout!(S8[65536,65536])>::offset_u32([1, 2]));
    println!("{:?}", <layout!(S8[65537,65536])>::checked_offset_u32([1, 2]));
    println!("{}", <layout!(S8[65538,65536])>::offset_u32_unchecked([1, 2]));
    println!("{}", <layout!(S8[65539,65536])>::is_padding_u32(1));
}
