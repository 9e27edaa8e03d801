// The shape of one instruction is wrong; the other program is not concerned.
layout::hlo! {
    mod program = "hlo/refused.hlo";
    mod good = "hlo/good.hlo";
}

fn main() {
    let _ = good::params::P0::BYTES;
}
