// The modules need a name.
layout::hlo!("hlo/good.hlo");

fn main() {}
