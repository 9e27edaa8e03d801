use layout::layout;

type A = layout!(b(token[]));

fn main() {}
