use layout::layout;

type A = layout!(i32[3,5]);

fn main() {}
