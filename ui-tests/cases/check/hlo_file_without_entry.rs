// No computation is called `ENTRY`.
layout::hlo! {
    mod program = "hlo/without_entry.hlo";
}

fn main() {}
