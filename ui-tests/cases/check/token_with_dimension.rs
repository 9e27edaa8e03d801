use layout::layout;

type A = layout!(token[3]);

fn main() {}
