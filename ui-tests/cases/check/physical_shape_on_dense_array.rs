use layout::layout;

type A = layout!(F32[3,5]{1,0:P(f32[15]{0})});

fn main() {}
