use layout::layout;

type A = layout!(F32[3,?]{1,0});

fn main() {}
