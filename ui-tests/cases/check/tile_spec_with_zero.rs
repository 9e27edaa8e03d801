use layout::tiles;

type Packed = tiles!((0,128));

fn main() {}
