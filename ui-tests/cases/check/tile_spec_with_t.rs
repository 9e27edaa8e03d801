use layout::tiles;

type Packed = tiles!(T(8,128));

fn main() {}
