//! Wrong texts: each error at its place, byte for byte.

use std::fmt::Display;
use std::str::FromStr;

use layout::notation::{Cute, Einops, Jax, Mosaic, OneDnn, Packs, Tvm};

/// The error of a text, as it is printed.
fn error<T: FromStr<Err: Display>>(text: &str) -> String {
    match text.parse::<T>() {
        Ok(_) => format!("{text:?} is read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn print() {
    for text in [
        "nChw16",
        "nchw16c",
        "nChw",
        "nChw16C",
        "nC16chw",
        "nChcw16c",
        "nChw16x",
        "nChw0c",
        "nqrs",
        "nChw16c?",
        "aBcd99999999999999999999b",
        "",
        "naChw16c",
    ] {
        println!("{:?} onednn\n{}", text, error::<OneDnn>(text));
    }
    for text in [
        "nchw16c",
        "NCHW16C",
        "NCHWc",
        "NCHW4c -> NCHW16c",
        "NHWC -> NCHX4c",
        "NKPACK",
        "QRS",
        "NCHW16k",
    ] {
        println!("{:?} tvm\n{}", text, error::<Tvm>(text));
    }
    for text in [
        "(4,2)",
        "(4,2):(1,4",
        "(4,2):(1,(4))",
        "(4,2):(1,-4)",
        "Sw<3,0,3> o _0 o (8,8):(8,1)",
        "(4,x):(1,4)",
        "(4,0):(1,4)",
        "(4,2):(1@0,1@1)",
        "(4,2):(1,4) 5",
        "(9223372036854775807,2):(1,1)",
    ] {
        println!("{:?} cute\n{}", text, error::<Cute>(text));
    }
    for text in [
        "(h 8) w -> h w",
        "(h 8) (h 4) -> h 8 4",
        "(h h1) w -> h w h1",
        "h w",
        "h ... -> h",
        "(h a=8) -> h a=4",
        "h -> h h",
        "h (w -> h w",
    ] {
        println!("{:?} einops\n{}", text, error::<Einops>(text));
    }
    for text in
        ["#tpu.tiled<(8,128),[1]>", "#tpu.tiled<(8,0),[1,1]>", "tiled", "#tpu.tiled<(),[1]>"]
    {
        println!("{:?} mosaic\n{}", text, error::<Mosaic>(text));
    }
    for text in [
        "Layout(major_to_minor=(0, 0))",
        "Layout(tiling=((8,),))",
        "Layout(minor_to_major=(0,))",
        "Layout((0, 1), ((8, -9223372036854775808),))",
    ] {
        println!("{:?} jax\n{}", text, error::<Jax>(text));
    }
    for text in [
        "inner_dims_pos = [0, 1] inner_tiles = [8]",
        "outer_dims_perm = [1, 2] inner_dims_pos = [] inner_tiles = []",
        "linalg.unpack %x",
        "%p = linalg.pack %x inner_dims_pos = [0] inner_tiles = [8] into %e : tensor<20xf32> -> tensor<2x8xf32>",
    ] {
        println!("{:?} packs\n{}", text, error::<Packs>(text));
    }
}
