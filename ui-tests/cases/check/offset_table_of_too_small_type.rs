use layout::layout;

type A = layout!(F32[16,17]{1,0});

static TABLE: [u8; A::ELEMENTS] = A::offset_table();

fn main() {}
