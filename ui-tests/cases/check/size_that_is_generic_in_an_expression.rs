use layout::layout;

type A<const N: usize> = layout!(F32[{ 2 * N }, 4]);

fn main() {}
