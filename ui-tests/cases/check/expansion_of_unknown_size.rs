use layout::layout;

type A = layout!(F32[?,1024]{1,0:T(8,128)}, max_expansion = 2);

fn main() {}
