use layout::layout;

type A = layout!((F32[3] F32[4]));

fn main() {}
