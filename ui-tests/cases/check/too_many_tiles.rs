use layout::layout;

type A = layout!(F32[3]{0:T(2)(2)(2)(2)(2)(2)(2)(2)(2)});

fn main() {}
