use layout::layout;

type A = layout!(F32[3,5]{1,0:S(128)});

fn main() {}
