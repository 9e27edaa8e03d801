use layout::layout;

type A = layout!(F32[3,5]{1,0:pad(4,8)});

fn main() {}
