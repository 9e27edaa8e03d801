use layout::layout;

layout! {
    type A<T> = F32[3,5]{1,0};
}

fn main() {}
