use layout::{layout, tiles};

type Packed = tiles!((8,128)(2,1));
type A = layout!(BF16[512,1024]{1,0:T(Packed)});

fn main() {}
