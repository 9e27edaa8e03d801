//! Wrong texts: each error at its place, byte for byte.

use std::fmt::Display;
use std::str::FromStr;

use layout::notation::{Cute, Einops, Jax, Mosaic, OneDnn, Packs, Tvm};
use layout_tests::data;

fn error<T: FromStr<Err: Display>>(text: &str) -> String {
    match text.parse::<T>() {
        Ok(_) => panic!("{text:?} is read"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn errors_at_their_places() {
    data::assert_cases("notation_faults.txt", |case| {
        let (notation, text) = case.split_once(": ").expect("a notation and a text");
        match notation {
            "onednn" => error::<OneDnn>(text),
            "tvm" => error::<Tvm>(text),
            "cute" => error::<Cute>(text),
            "einops" => error::<Einops>(text),
            "mosaic" => error::<Mosaic>(text),
            "jax" => error::<Jax>(text),
            "packs" => error::<Packs>(text),
            other => panic!("there is no notation {other}"),
        }
    });
}
