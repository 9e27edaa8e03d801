use layout::layout;

type A = layout!((F32[3]<0, F32[5]<0>));

fn main() {}
