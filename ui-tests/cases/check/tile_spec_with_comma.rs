use layout::tiles;

type Packed = tiles!((8,128),(2,1));

fn main() {}
