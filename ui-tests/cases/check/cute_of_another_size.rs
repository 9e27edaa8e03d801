use layout::layout;

type A = layout!(cute = "((2,2),(2,3)):((2,12),(1,4))", F32[4,8]);

fn main() {}
