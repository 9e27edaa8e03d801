// The end of the file is missing.
layout::hlo! {
    mod program = "hlo/cut_off.hlo";
}

fn main() {}
