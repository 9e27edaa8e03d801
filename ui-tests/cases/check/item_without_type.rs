use layout::layout;

layout! {
    pub A = F32[3,5]{1,0};
}

fn main() {}
