use layout::layout;

layout! {
    pub struct A;
}

fn main() {}
