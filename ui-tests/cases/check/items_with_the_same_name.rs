use layout::layout;

layout! {
    type A = F32[3];
    type A = F32[5];
}

fn main() {}
