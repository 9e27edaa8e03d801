use layout::tiles;

type Packed = tiles!((8,*));

fn main() {}
