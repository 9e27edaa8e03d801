use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});

static TABLE: [i16; A::ELEMENTS] = A::offset_table();

fn main() {}
