use layout::layout;

layout!(F32[3,5]{1,0});

fn main() {}
