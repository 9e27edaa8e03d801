use layout::layout;

type A = layout!(F32[3,5]{1,0:PAD(2147483648,2147483648)});

fn main() {}
