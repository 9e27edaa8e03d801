use layout::layout;

type A = layout!(onednn = nChw16c, F32[2,40,9223372036854775807,7]);

fn main() {}
