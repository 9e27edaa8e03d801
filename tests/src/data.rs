//! The data files, copied from what XLA and the TPU compiler print.

use std::collections::BTreeSet;
use std::path::PathBuf;

use layout::shape::Size;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use sha2::{Digest, Sha256};

/// A file of the folder `data`.
///
/// # Panics
/// If it cannot be read.
pub fn text(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Compares a text with a file of the folder `data`; with `UPDATE_SNAPSHOTS=1` writes the file.
///
/// # Panics
/// If they differ: with the first line that does.
pub fn assert_snapshot(name: &str, found: &str) {
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some() {
        let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(name);
        std::fs::write(&path, found).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    }
    let expected = text(name);
    for (number, (found, expected)) in found.lines().zip(expected.lines()).enumerate() {
        assert_eq!(found, expected, "{name}: line {}", number + 1);
    }
    assert_eq!(found, expected, "{name}");
}

/// Compares what a function says of the first line of each case with the lines below it, in a file of the folder `data`
/// where empty lines separate the cases.
///
/// # Panics
/// As [`assert_snapshot`].
pub fn assert_cases(name: &str, says: impl Fn(&str) -> String) {
    let cases = text(name);
    let found = cases.split("\n\n").map(|case| {
        let case = case.lines().next().expect("a case has a line");
        format!("{case}\n{}\n", says(case))
    });
    assert_snapshot(name, &found.collect::<Vec<_>>().join("\n"));
}

/// Names and texts of the programs in a folder of the data: those in `hlo` are printed by the TPU compiler.
///
/// # Panics
/// If they cannot be read.
pub fn programs(folder: &str) -> Vec<(String, String)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("data").join(folder);
    let files = std::fs::read_dir(&path);
    let files = files.unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let names = files.filter_map(|file| file.ok()?.file_name().into_string().ok());
    let names = names.filter(|name| name.ends_with(".hlo")).collect::<BTreeSet<_>>().into_iter();
    names.map(|name| (name.clone(), text(&format!("{folder}/{name}")))).collect()
}

/// Texts of HLO written by hand: the old syntax and the short one.
pub fn hlo_by_hand() -> [String; 2] {
    ["old_syntax", "short_syntax"].map(|name| text(&format!("hlo_by_hand/{name}.hlo")))
}

/// The lines of a file of JSON lines.
///
/// # Panics
/// If it cannot be read, or has a line of another form.
pub fn json<T: DeserializeOwned>(name: &str) -> Vec<T> {
    let parse = |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    text(name).lines().map(parse).collect()
}

/// The hash that rows have of their numbers: SHA-256 of 64 bits each, the least byte first.
pub fn sha256(numbers: impl IntoIterator<Item = Size>) -> String {
    let bytes = numbers.into_iter().flat_map(|number| (number as u64).to_le_bytes());
    digest(&bytes.collect::<Vec<_>>())
}

/// SHA-256.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A layout with the offset of each element in row-major order, by pad–reshape–transpose.
#[derive(Debug, Deserialize)]
pub struct OffsetVector {
    /// Shape and layout.
    pub layout: String,
    /// Elements in memory.
    pub padded_elements: Size,
    /// Offsets.
    pub offsets: Vec<Size>,
}

/// `offset_vectors.jsonl`.
pub fn offset_vectors() -> Vec<OffsetVector> {
    json("offset_vectors.jsonl")
}

/// A layout of a constant in a compiled TPU program, confirmed by its memory image.
#[derive(Debug, Deserialize)]
pub struct TpuLinear {
    /// Shape and layout.
    pub layout: String,
    /// Elements in memory.
    pub padded_elements: Size,
    /// Bytes in memory.
    pub bytes: Size,
    /// Row-major numbers with their offsets.
    pub samples: Vec<[Size; 2]>,
    /// Hash of all offsets in row-major order.
    pub sha256_offsets_le_i64: String,
}

/// `tpu_linear.jsonl`.
pub fn tpu_linear() -> Vec<TpuLinear> {
    json("tpu_linear.jsonl")
}

/// A layout with its size.
#[derive(Debug, Deserialize)]
pub struct TpuSize {
    /// Shape and layout.
    pub layout: String,
    /// What the TPU compiler allots.
    pub compiler_bytes: Size,
    /// What the document says.
    pub document_bytes: Size,
    /// The generations whose compiler chose it by itself for a parameter of the entry computation.
    #[serde(default)]
    pub default_on: Vec<String>,
}

/// `tpu_sizes.jsonl`.
pub fn tpu_sizes() -> Vec<TpuSize> {
    json("tpu_sizes.jsonl")
}

/// Reshapes and transposes that the TPU compiler turned into a bitcast.
#[derive(Debug, Deserialize)]
pub struct TpuBitcast {
    /// Shape and layout before.
    pub from: String,
    /// Shape and layout after.
    pub to: String,
    /// `transpose` with a permutation, `reshape` with dimensions.
    pub ops: Vec<(String, Vec<usize>)>,
}

/// `tpu_bitcasts.jsonl`.
pub fn tpu_bitcasts() -> Vec<TpuBitcast> {
    json("tpu_bitcasts.jsonl")
}

/// What XLA says of a text.
#[derive(Debug, Deserialize)]
pub struct Verdict {
    /// The text.
    pub text: String,
    /// `ACCEPT`, `REJECT`, or `CRASH` where it aborts the process.
    pub parse: String,
    /// How it prints what it accepts.
    pub print: Option<String>,
    /// `VALID` or `INVALID`.
    pub validate: Option<String>,
}

/// `xla_parser_verdicts.jsonl`.
pub fn verdicts() -> Vec<Verdict> {
    json("xla_parser_verdicts.jsonl")
}

/// Texts of array shapes that the TPU compiler printed.
pub fn tpu_shapes() -> Vec<String> {
    text("tpu_shapes.txt").lines().map(str::to_owned).collect()
}

/// Texts of tuples that the TPU compiler printed.
pub fn tpu_tuples() -> Vec<String> {
    text("tpu_tuples.txt").lines().map(str::to_owned).collect()
}

/// Every array layout of the data files, once.
pub fn all_layouts() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    all.extend(offset_vectors().into_iter().map(|line| line.layout));
    all.extend(tpu_linear().into_iter().map(|line| line.layout));
    all.extend(tpu_sizes().into_iter().map(|line| line.layout));
    all.extend(tpu_bitcasts().into_iter().flat_map(|line| [line.from, line.to]));
    all.extend(tpu_shapes());
    all
}
