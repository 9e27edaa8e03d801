use layout::layout;

type A = layout!(F32[3,1024], max_expansion = 0.5);

fn main() {}
