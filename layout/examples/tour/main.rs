//! A tour: the figures of XLA's document "Tiled layout", its longest example step by step, and the parameters and
//! results of a real TPU program.
//!
//! `cargo run -p tiled-layout --example tour`

use layout::shape::analysis::PadReshapeTranspose;
use layout::{ArrayShape, Error, layout};
use layout_hlo_macros::hlo;
use layout_picture::Picture;

layout! {
    type Figure1 = F32[3,5]<1,0:T(2,2)>;
    type Figure2 = F32[4,8]<1,0:T(2,4)(2,1)>;
}

hlo! {
    /// One step of a decoder with a cache, as the TPU compiler compiled it for v5e.
    mod decode = "examples/tour/kvcache_decode.hlo";
}
use decode::{params, results};

fn main() -> Result<(), Error> {
    println!("Where each element lies in memory. What is shaded is padding.");
    for figure in [Figure1::SHAPE, Figure2::SHAPE] {
        if let Some(picture) = Picture::new(figure) {
            println!("\n{picture}");
        }
    }

    println!("\nPad, reshape, transpose\n");
    steps(&"F32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}".parse()?, &[1, 6, 7, 10, 9]);
    steps(&"BF16[20,300]{1,0:T(8,128)(2,1)}".parse()?, &[13, 200]);

    println!("The parameters and results of examples/tour/kvcache_decode.hlo\n");
    for (name, array) in [
        ("params::P0", params::P0::SHAPE),
        ("params::P1", params::P1::SHAPE),
        ("params::P5", params::P5::SHAPE),
        ("results::R0", results::R0::SHAPE),
    ] {
        let [bytes, unpadded] =
            [array.bytes(), array.unpadded_bytes()].map(Option::unwrap_or_default);
        println!("{name:11}  {array}: {bytes} bytes, {unpadded} without padding");
    }
    let index = [1, 7, 1023, 63];
    println!("the last element of params::Kc is number {}", params::Kc::offset(index));
    Ok(())
}

/// What each tile does to the array, and where one element goes.
fn steps(shape: &ArrayShape, index: &[layout::shape::Size]) {
    println!("{shape}");
    for step in PadReshapeTranspose::of(shape) {
        println!("  tile {}", step.tile);
        println!("    combined   {:?}", step.combined);
        println!("    padded     {:?}", step.padded);
        println!("    reshaped   {:?}", step.reshaped);
        println!("    transposed {:?}, by the permutation {:?}", step.result, step.permutation);
    }
    let offset = shape.digits().ok().and_then(|digits| digits.offset(index));
    println!("  element {index:?} is number {} in memory\n", offset.unwrap_or_default());
}
