//! Files that `hlo!` cannot read, and one with a shape that is refused: each is one error, whatever is used of it.

layout_hlo_macros::hlo! {
    mod other_language = "hlo/stablehlo.hlo";
    mod cut_off = "hlo/cut_off.hlo";
    mod missing = "hlo/misssing.hlo";
    mod no_text = "hlo/binary.hlo";
    mod without_entry = "hlo/without_entry.hlo";
    mod refused = "hlo/refused.hlo";
    mod good = "hlo/good.hlo";
    mod no_path = program.hlo;
}

use missing::params;
use missing::results::{R0, R1};
use no_path::params::Gamma;
use refused::params::W as Weights;

type Tiles = no_text::params::P0;
type Scale = Gamma;

fn kernel<L>(_: [f32; without_entry::params::P0::ELEMENTS], _: params::p1::P0) -> R0 {
    let _: R1 = other_language::results::R0::offset([1, 2]);
    cut_off::params::Bias::offset_table()
}

fn main() {
    let _ = good::params::P0::BYTES + params::X::BYTES + Weights::BYTES + Tiles::ELEMENTS;
    let _ = kernel::<refused::results::R0>;
}
