use layout::layout;

type A = layout!(tpu = V5e,);

fn main() {}
