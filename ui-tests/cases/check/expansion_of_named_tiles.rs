use layout::layout;

type Packed = layout::tiles!((8,128)(2,1));
type A = layout!(BF16[1024,4]{1,0:T=Packed}, max_expansion = 1.5);

const _: usize = A::BYTES;

fn main() {}
