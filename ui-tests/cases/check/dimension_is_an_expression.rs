use layout::layout;

type A = layout!(F32[3,2*4]{1,0});

fn main() {}
