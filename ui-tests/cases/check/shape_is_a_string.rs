use layout::layout;

type A = layout!("f32[3,5]{1,0}");

fn main() {}
