use layout::layout;

type A = layout!(tpu = 5, BF16[300,1000]);

fn main() {}
