use layout::{layout, tiles};

type Big = tiles!((8,128));
type A = layout!(BF16[512,1024]{1,0:T=Big(2,1)});

fn main() {}
