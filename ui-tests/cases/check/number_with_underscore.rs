use layout::layout;

type A = layout!(F32[1_000,5]{1,0});

fn main() {}
