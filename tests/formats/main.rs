//! Packed formats against what the real systems put into memory.
//!
//! `tests/data/packed/` has lines of data from these systems. Formats that no line has are compared with the formulas of
//! their documents ([`by_definition`]).

mod blocks;
mod by_definition;
mod mosaic_gpu;
mod names;
mod real;
mod types;

use layout::ArrayShape;
use layout_tests::data;
use layout_tests::naive::memory;
use serde::Deserialize;

/// A line of the data.
#[derive(Debug, Deserialize)]
struct Line {
    format: String,
    /// Its name among the packed formats.
    name: Option<String>,
    /// Its name among the block formats, where the line has whole blocks.
    block: Option<String>,
    /// Its name among Mosaic GPU's layouts.
    tiled: Option<String>,
    #[serde(rename = "type")]
    element: Option<String>,
    dims: Option<Vec<usize>>,
    layout: Option<String>,
    memory: Option<Vec<Option<usize>>>,
    offsets: Option<Vec<usize>>,
    memory_sha256: Option<String>,
    memory_prefix: Option<Vec<Option<usize>>>,
    memory_prefix_sha256: Option<String>,
    memory_prefix_slots: Option<usize>,
    padded_elements: Option<usize>,
    block_elements: Option<usize>,
    block_bytes: Option<usize>,
    unit_bits: Option<usize>,
    bits: Option<Vec<Vec<usize>>>,
    tiling_layout: Option<String>,
    rows_together: Option<usize>,
}

/// The files of the project.
const FILES: &[&str] = &["ggml", "quant", "documented", "fragments", "onednn_named"];

fn lines(name: &str) -> Vec<Line> {
    data::json(&format!("packed/{name}.jsonl"))
}

fn hash(memory: &[Option<usize>]) -> String {
    let numbers =
        memory.iter().map(|number| number.map_or("-".to_owned(), |number| number.to_string()));
    data::digest(numbers.collect::<Vec<_>>().join(",").as_bytes())
}

/// Whether a line's memory is that of a layout.
fn agrees(line: &Line, shape: &ArrayShape) -> bool {
    let found = memory(shape);
    if line.padded_elements.is_some_and(|slots| slots != found.len()) {
        return false;
    }
    if let Some(expected) = &line.memory {
        return *expected == found;
    }
    if let Some(offsets) = &line.offsets {
        return offsets.iter().enumerate().all(|(number, slot)| found[*slot] == Some(number));
    }
    if let Some(expected) = &line.memory_sha256 {
        return *expected == hash(&found);
    }
    if let Some(expected) = &line.memory_prefix {
        return *expected == found[..expected.len()];
    }
    let expected = line.memory_prefix_sha256.as_ref().expect("the line has its memory");
    *expected == hash(&found[..line.memory_prefix_slots.unwrap()])
}
