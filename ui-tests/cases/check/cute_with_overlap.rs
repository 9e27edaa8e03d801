use layout::layout;

type A = layout!(cute = "(4,2):(1,3)", F32[4,2]);

fn main() {}
