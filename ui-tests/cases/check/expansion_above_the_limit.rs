use layout::layout;

type A = layout!(S32[8388608,8,4]{2,1,0:T(8,128)}, max_expansion = 2);

fn main() {}
