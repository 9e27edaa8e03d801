use layout::layout;

type A = layout!(F32[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]);

fn main() {}
