use layout::layout;

layout! {
    type A = F32[3];;
    type B = F32[3];
}

fn main() {}
