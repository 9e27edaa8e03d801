use layout::layout;

layout! {
    type A = F32[3,5]{1,0}
    /// The bias.
    type B = F32[3]{0};
}

fn main() {}
