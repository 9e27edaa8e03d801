//! What the library writes for a selection of layouts, which `check.py` has compared with the real
//! numpy, tensor-layouts, Mosaic, MLIR and JAX.
//!
//! `notations.jsonl` is written anew by
//! `NOTATIONS=tests/data/notations.jsonl cargo test -p tiled-layout-tests --test notations as_checked`
//! from the root of the repository, and then checked by `python3 tests/notations/check.py
//! tests/data/notations.jsonl`. With `NOTATIONS_EVERY=1` as well, there is a line for every layout of
//! the other tests.

use std::collections::BTreeMap;
use std::path::Path;

use layout::ArrayShape;
use layout::shape::Size;
use layout_notation::notation::Numpy;
use layout_tests::data;
use layout_tests::notations::named;
use serde::{Deserialize, Serialize};

use crate::packed::numbered;
use crate::{Case, all_layouts};

/// A layout in each notation.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Vector {
    layout: String,
    /// Hash of what stands in memory, as little-endian 64-bit numbers: of an element its row-major
    /// number, counted from 1, of padding 0. For `f32` alone.
    sha256_memory_le_i64: Option<String>,
    #[serde(flatten)]
    notations: BTreeMap<String, Option<String>>,
}

impl Vector {
    fn new(shape: &ArrayShape, memory: Option<&[Option<Size>]>) -> Vector {
        let numpy = Numpy::of(shape).ok();
        let of = |name| named(name).of(shape).ok();
        let notations = [
            ("numpy", numpy.map(|text| text.to_string())),
            ("numpy_inverse", numpy.map(|text| text.inverse().to_string())),
            ("cute", of("cute")),
            ("cute_padded", of("cute, padded")),
            ("mosaic", of("mosaic")),
            ("packs", of("pack")),
            ("jax", of("jax")),
        ];
        Vector {
            layout: shape.to_string(),
            sha256_memory_le_i64: memory.map(|memory| data::sha256(numbered(memory))),
            notations: notations.map(|(name, text)| (name.to_owned(), text)).into(),
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
