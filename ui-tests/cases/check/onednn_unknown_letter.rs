use layout::layout;

type A = layout!(onednn = nCqw16c, F32[2,40,5,7]);

fn main() {}
