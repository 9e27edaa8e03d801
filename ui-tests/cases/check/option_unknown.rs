use layout::layout;

type A = layout!(F32[3,1024], max_padding = 2);

fn main() {}
