use layout::layout;

type A = layout!(f23[3,5]);

fn main() {}
