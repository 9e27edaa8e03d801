// No program is named.
layout::hlo! {}

fn main() {}
