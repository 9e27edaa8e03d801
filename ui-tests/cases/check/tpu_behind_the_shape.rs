use layout::layout;

type A = layout!(F32[3,1024], tpu = V5e);

fn main() {}
