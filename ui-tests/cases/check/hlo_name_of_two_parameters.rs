// Parameters `x.1` and `x.2` have one name: neither is called so.
layout::hlo! {
    mod program = "hlo/good.hlo";
}

fn main() {
    let _ = program::params::P1::BYTES;
    let _ = program::params::X::BYTES;
}
