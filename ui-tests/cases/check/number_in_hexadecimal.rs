use layout::layout;

type A = layout!(F32[0x10,5]{1,0});

fn main() {}
