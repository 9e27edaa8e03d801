use layout::layout;

type A = layout!(F32[3,5]{1,0:SC(1:2)(1:4)});

fn main() {}
