use layout::layout;

type A = layout!(tpu = V5e, (S1[3], F32[3,5]{1,0:T(8,128)}), max_expansion = 2);

fn main() {}
