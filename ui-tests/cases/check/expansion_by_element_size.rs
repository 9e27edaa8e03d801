use layout::layout;

type A = layout!(PRED[64,512,2048]{2,1,0:T(8,128)E(32)}, max_expansion = 2);

fn main() {}
