use layout::layout;

type Packed = layout!(F32[8,128]);
type A = layout!(BF16[512,1024]{1,0:T=Packed});

fn main() {}
