use layout::layout;

type A = layout!(F64[2147483648,2147483648]{1,0});

fn main() {}
