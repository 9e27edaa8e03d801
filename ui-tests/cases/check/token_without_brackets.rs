use layout::layout;

type A = layout!(token);

fn main() {}
