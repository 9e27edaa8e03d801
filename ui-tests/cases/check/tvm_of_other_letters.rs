use layout::layout;

type A = layout!(tvm = "NHWC -> NCHX4c", F32[2,5,7,40]);

fn main() {}
