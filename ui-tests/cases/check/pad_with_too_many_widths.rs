use layout::layout;

type A = layout!(F32[3,5]{1,0:PAD(4,8,8)});

fn main() {}
