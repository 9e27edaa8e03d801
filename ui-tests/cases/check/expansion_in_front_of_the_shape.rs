use layout::layout;

type A = layout!(max_expansion = 2, F32[3,1024]);

fn main() {}
