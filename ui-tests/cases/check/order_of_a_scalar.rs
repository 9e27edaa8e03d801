use layout::layout;

type A = layout!(F32[]{0});

fn main() {}
