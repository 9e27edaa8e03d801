use layout::tiles;

type Packed = tiles!((8,128)E(4));

fn main() {}
