//! Files that `hlo!` cannot read, and one with a shape that is refused.

layout::hlo! {
    mod other_language = "hlo/stablehlo.hlo";
    mod cut_off = "hlo/cut_off.hlo";
    mod missing = "hlo/misssing.hlo";
    mod no_text = "hlo/binary.hlo";
    mod without_entry = "hlo/without_entry.hlo";
    mod refused = "hlo/refused.hlo";
    mod good = "hlo/good.hlo";
}

fn main() {
    let _ = good::params::P0::BYTES;
}
