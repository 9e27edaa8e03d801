use layout::layout;

type A = layout!(F32[2,40,5,7], onednn = nChw16c);

fn main() {}
