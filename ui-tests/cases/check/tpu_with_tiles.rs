use layout::layout;

type A = layout!(tpu = V5e, BF16[300,1000]{1,0:T(8,128)(2,1)});

fn main() {}
