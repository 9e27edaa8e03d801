use layout::layout;

type A = layout!(f23[3,-1]{1,1:T(2,*)Q(3)});

fn main() {}
