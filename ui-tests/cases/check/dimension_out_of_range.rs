use layout::layout;

type A = layout!(F32[3,5]{2,0});

fn main() {}
