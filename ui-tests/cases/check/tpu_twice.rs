use layout::layout;

type A = layout!(tpu = V5e, tpu = V5e, F32[3,1024]);

fn main() {}
