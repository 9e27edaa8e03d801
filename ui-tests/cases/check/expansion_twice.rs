use layout::layout;

type A = layout!(F32[3,1024], max_expansion = 2, max_expansion = 3);

fn main() {}
