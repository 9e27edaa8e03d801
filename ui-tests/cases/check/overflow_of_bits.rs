use layout::layout;

type A = layout!(F64[2147483648,536870912]{1,0});

fn main() {}
