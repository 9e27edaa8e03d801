use layout::layout;

type Packed = u32;
type A = layout!(BF16[512,1024]{1,0:T=Packed});

fn main() {}
