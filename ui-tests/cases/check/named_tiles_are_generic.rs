use layout::layout;

type A<T> = layout!(F32[3,5]{1,0:T=T});

fn main() {}
