use layout::layout;

type A = layout!(S8[3,5]{1,0:PAD(4294967296,4294967296)});

fn main() {}
