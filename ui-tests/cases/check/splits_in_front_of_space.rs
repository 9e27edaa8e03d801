use layout::layout;

type A = layout!(F32[3,5]{1,0:SC(0:1)S(1)});

fn main() {}
