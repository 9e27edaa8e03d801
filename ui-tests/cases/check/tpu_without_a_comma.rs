use layout::layout;

type A = layout!(tpu = V5e BF16[300,1000]);

fn main() {}
