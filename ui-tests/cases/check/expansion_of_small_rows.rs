use layout::layout;

layout! {
    pub type A = F32[3,1024]{1,0:T(8,128)}, max_expansion = 2;
}

fn main() {}
