use layout::tiles;

type Packed = tiles!(8,128);

fn main() {}
