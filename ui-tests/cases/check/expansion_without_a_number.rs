use layout::layout;

type A = layout!(F32[3,1024], max_expansion = two);

fn main() {}
