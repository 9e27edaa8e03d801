use layout::layout;

type A = layout!(F32[9223372036854775808]{0});

fn main() {}
