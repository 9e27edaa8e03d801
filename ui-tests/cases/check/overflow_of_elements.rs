use layout::layout;

type A = layout!(S8[4294967296,4294967296]{1,0});

fn main() {}
