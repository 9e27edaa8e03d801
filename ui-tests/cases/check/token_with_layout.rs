use layout::layout;

type A = layout!(token[]{0});

fn main() {}
