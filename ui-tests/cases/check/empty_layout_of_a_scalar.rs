use layout::layout;

type A = layout!(F32[]{});

fn main() {}
