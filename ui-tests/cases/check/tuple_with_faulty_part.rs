use layout::layout;

type A = layout!((F32[3,5]{1,0}, F32[3,5]{1,1}, S8[4]));

fn main() {}
