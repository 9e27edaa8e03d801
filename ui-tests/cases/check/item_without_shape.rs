use layout::layout;

layout! {
    type A = ;
}

fn main() {}
