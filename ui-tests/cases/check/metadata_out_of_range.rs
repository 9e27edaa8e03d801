use layout::layout;

type A = layout!(F32[3,5]{1,0:M(9223372036854775808)});

fn main() {}
