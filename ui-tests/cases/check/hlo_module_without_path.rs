// What the module is made from is missing.
layout::hlo! {
    mod program;
}

fn main() {}
