use layout::layout;

type A = layout!(F32(3,5));

fn main() {}
