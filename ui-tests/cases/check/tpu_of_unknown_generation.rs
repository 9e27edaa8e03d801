use layout::layout;

type A = layout!(tpu = V5, BF16[300,1000]);

fn main() {}
