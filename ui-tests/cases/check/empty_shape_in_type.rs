use layout::layout;

type A = layout!();

fn main() {}
