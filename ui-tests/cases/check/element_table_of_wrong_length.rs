use layout::layout;

type A = layout!(F32[3,5]{1,0:T(2,2)});

static TABLE: [usize; A::ELEMENTS] = A::element_table();

fn main() {}
