use layout::layout;

const N: usize = 4;
type A = layout!(F32[N*2, 8]);
type B = layout!(F32[8, <=2 * N]{1,0:T(8,128)});
type C = layout!(F32[N -1]);
type D = layout!(F32[N as usize, usize::pow(2, 3)]);

fn main() {}
