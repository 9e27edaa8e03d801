use layout::layout;

type A = layout!(F32{1,0});

fn main() {}
