use layout::layout;

type A = layout!(cute = "Sw<3,3,3> o 0 o (8,8):(8,1)", F32[8,8]);

fn main() {}
