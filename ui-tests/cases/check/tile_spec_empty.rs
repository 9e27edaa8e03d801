use layout::tiles;

type Packed = tiles!();

fn main() {}
