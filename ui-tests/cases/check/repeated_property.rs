use layout::layout;

type A = layout!(F32[3,5]{1,0:E(32)E(32)});

fn main() {}
