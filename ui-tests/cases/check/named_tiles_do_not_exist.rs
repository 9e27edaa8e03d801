use layout::layout;

type A = layout!(BF16[512,1024]{1,0:T=Packed});

fn main() {}
