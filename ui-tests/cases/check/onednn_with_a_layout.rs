use layout::layout;

type A = layout!(onednn = nChw16c, F32[2,40,5,7]{3,2,1,0});

fn main() {}
