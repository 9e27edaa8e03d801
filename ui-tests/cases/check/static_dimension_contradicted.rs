use layout::layout;

type A = layout!(F32[?,1024]{1,0:T(8,128)});
const COLUMNS: usize = 1000;
const _: () = A::assert_dims([20, COLUMNS]);

fn main() {}
