// The path is a string.
layout::hlo! {
    mod program = hlo/good.hlo;
}

fn main() {}
