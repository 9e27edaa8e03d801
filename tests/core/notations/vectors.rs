//! What the library writes for a selection of layouts, which `check.py` has compared with the real
//! numpy, tensor-layouts, Mosaic, MLIR and JAX.
//!
//! `notations.jsonl` is written anew by
//! `NOTATIONS=tests/data/notations.jsonl cargo test -p tiled-layout-tests --test notations as_checked`
//! from the root of the repository, and then checked by `python3 tests/core/notations/check.py
//! tests/data/notations.jsonl`. With `NOTATIONS_EVERY=1` as well, there is a line for every layout of
//! the other tests.

use std::fmt::Display;
use std::path::Path;

use layout::notation::{Cute, Jax, LinalgPack, Mosaic, Numpy};
use layout::{ArrayShape, Size};
use layout_tests::data;
use serde::{Deserialize, Serialize};

use crate::packed::hash;
use crate::{Case, all_layouts};

/// A layout in each notation.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Vector {
    layout: String,
    /// Hash of what stands in memory, as little-endian 64-bit numbers: of an element its row-major
    /// number, counted from 1, of padding 0. For `f32` alone.
    sha256_memory_le_i64: Option<String>,
    numpy: Option<String>,
    numpy_inverse: Option<String>,
    cute: Option<String>,
    cute_padded: Option<String>,
    mosaic: Option<String>,
    linalg_pack: Option<String>,
    jax: Option<String>,
}

impl Vector {
    fn new(shape: &ArrayShape, memory: Option<&[Option<Size>]>) -> Vector {
        let text = |notation: Option<&dyn Display>| notation.map(|notation| notation.to_string());
        Vector {
            layout: shape.to_string(),
            sha256_memory_le_i64: memory.map(hash),
            numpy: text(Numpy::of(shape).ok().as_ref().map(|text| text as _)),
            numpy_inverse: text(
                Numpy::of(shape).ok().map(Numpy::inverse).as_ref().map(|text| text as _),
            ),
            cute: text(Cute::of(shape).ok().as_ref().map(|text| text as _)),
            cute_padded: text(Cute::padded_of(shape).ok().as_ref().map(|text| text as _)),
            mosaic: text(Mosaic::of(shape).ok().as_ref().map(|text| text as _)),
            linalg_pack: text(LinalgPack::of(shape).ok().as_ref().map(|text| text as _)),
            jax: text(Jax::of(shape).ok().as_ref().map(|text| text as _)),
        }
    }
}

/// Layouts of `f32` with their memory, each of so many.
fn vectors(every: usize) -> Vec<Vector> {
    let mut vectors = Vec::new();
    let mut number = 0;
    all_layouts(&mut |naive| {
        number += 1;
        if number % every == 0 {
            let case = Case::new(naive);
            vectors.push(Vector::new(&case.shape, Some(&case.memory)));
        }
    });
    // Other element types and properties, as the TPU compiler prints them.
    for (number, text) in data::tpu_shapes().iter().enumerate() {
        if number % every == 0 {
            vectors.push(Vector::new(&text.parse().unwrap(), None));
        }
    }
    vectors
}

/// Of the layouts of the other tests, the file holds every one of so many.
const EVERY: usize = 97;

#[test]
fn as_checked() {
    if let Ok(path) = std::env::var("NOTATIONS") {
        return write(&path);
    }
    let lines = data::json::<Vector>("notations.jsonl");
    assert_eq!(lines.len(), 450);
    let vectors = vectors(EVERY);
    assert_eq!(lines.len(), vectors.len());
    for (line, vector) in lines.iter().zip(&vectors) {
        assert_eq!(line, vector);
    }
}

/// Writes the file anew.
fn write(path: &str) {
    let every = std::env::var("NOTATIONS_EVERY").map_or(EVERY, |every| every.parse().unwrap());
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().join(path);
    let line = |vector: &Vector| serde_json::to_string(vector).unwrap() + "\n";
    std::fs::write(path, vectors(every).iter().map(line).collect::<String>()).unwrap();
}
