use layout::layout;

type A = layout!(F32[3,5]{1,0:FILL(zero)PAD(4,8)});

fn main() {}
