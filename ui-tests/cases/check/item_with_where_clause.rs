use layout::layout;

layout! {
    type A where u8: Copy = F32[3];
}

fn main() {}
