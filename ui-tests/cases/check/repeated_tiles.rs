use layout::layout;

type A = layout!(BF16[32,256]{1,0:T(8,128)T(2,1)});

fn main() {}
