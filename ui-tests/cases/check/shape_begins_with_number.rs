use layout::layout;

type A = layout!(32[3,5]);

fn main() {}
