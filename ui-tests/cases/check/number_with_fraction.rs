use layout::layout;

type A = layout!(F32[1.5,5]{1,0});

fn main() {}
