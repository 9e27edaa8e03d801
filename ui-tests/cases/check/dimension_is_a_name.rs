use layout::layout;

type A = layout!(F32[3,N]{1,0});

fn main() {}
