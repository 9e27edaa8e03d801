use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});

static TABLE: [u16; A::ELEMENTS] = A::offset_table_u8();

fn main() {}
