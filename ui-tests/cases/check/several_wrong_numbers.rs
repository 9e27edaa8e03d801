use layout::layout;

type A = layout!(F32[3,5]{1,1:T(0,2)(2,*)S(128)});

fn main() {}
