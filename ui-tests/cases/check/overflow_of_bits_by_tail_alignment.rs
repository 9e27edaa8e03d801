use layout::layout;

type A = layout!(F32[3]{0:L(9223372036854775807)});

fn main() {}
