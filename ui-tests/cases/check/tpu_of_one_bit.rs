use layout::layout;

type A = layout!(tpu = V5e, (F32[8,128], U1[300,1000]));

fn main() {}
