use layout::layout;

type A = layout!(b(F32[3], F32[4]));

fn main() {}
