// A program as JAX serializes it.
layout::hlo! {
    mod program = "hlo/binary.hlo";
}

fn main() {}
