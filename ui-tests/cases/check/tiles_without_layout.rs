use layout::layout;

type A = layout!(F32[3,5]:T(2,2));

fn main() {}
