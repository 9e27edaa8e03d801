use layout::layout;

type A = layout!(S8[0,4294967296,4294967296]{2,1,0});

fn main() {}
