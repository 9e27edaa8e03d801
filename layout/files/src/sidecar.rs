//! The record of what a conversion did.

use std::collections::{BTreeMap, HashSet};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::ops::Not;
use std::path::{Path, PathBuf};

use layout::{ArrayShape, Visible};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::dtype::Dtype;
use crate::error::{Error, ErrorKind};

/// The key under which a safetensors file has the record in its metadata.
pub(crate) const KEY: &str = "tiled-layout.record";

/// The layouts of a file's tensors, before and after the conversions that made the file.
///
/// A safetensors file has it as JSON in its metadata, under `tiled-layout.record`. Beside each converted file it is a
/// file of JSON, `OUT.layout.json`, which also tells how to recognise the file that it describes. A tensor whose form
/// never changed has no record.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sidecar {
    /// What the last conversion changed, by name.
    pub tensors: BTreeMap<String, Record>,
    /// The record of the file before, if that had been converted too.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub previous: Option<Box<Sidecar>>,
}

/// What a conversion did with a tensor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// The tensor before.
    pub before: Form,
    /// The tensor now.
    pub after: Form,
}

/// A tensor as a file has it: what its header says, and the layout of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// Whether the file has its name.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub is_named: bool,
    /// The element type that a reader of the file finds.
    pub dtype: Dtype,
    /// The sizes of its dimensions, the slowest first.
    pub shape: Vec<u64>,
    /// Whether a `.npy` file calls the order column-major.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub fortran_order: bool,
    layout: LayoutText,
}

/// A layout as its text: a file may have many tensors, and an `ArrayShape` takes 1.5 KB.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
struct LayoutText(String);

impl TryFrom<String> for LayoutText {
    type Error = layout::Error;

    fn try_from(text: String) -> Result<LayoutText, layout::Error> {
        text.parse::<ArrayShape>().map(|_| LayoutText(text))
    }
}

impl From<LayoutText> for String {
    fn from(LayoutText(text): LayoutText) -> String {
        text
    }
}

impl Form {
    pub(crate) fn new(
        is_named: bool,
        dtype: Dtype,
        shape: Vec<u64>,
        fortran_order: bool,
        layout: &ArrayShape,
    ) -> Form {
        let layout = LayoutText(layout.to_string());
        Form { is_named, dtype, shape, fortran_order, layout }
    }

    /// The layout of its bytes.
    pub fn layout(&self) -> ArrayShape {
        match self.layout.0.parse() {
            Ok(layout) => layout,
            Err(error) => unreachable!("it was parsed or printed before: {error}"),
        }
    }
}

impl Sidecar {
    /// The last record of a tensor.
    pub fn record(&self, tensor: &str) -> Option<&Record> {
        let own = self.tensors.get(tensor);
        own.or_else(|| self.previous.as_ref().and_then(|previous| previous.record(tensor)))
    }

    /// Without the tensors that `keep` refuses; `None` if that leaves nothing.
    pub(crate) fn only(mut self, keep: &impl Fn(&str) -> bool) -> Option<Sidecar> {
        self.tensors.retain(|name, _| keep(name));
        self.previous = self.previous.and_then(|previous| previous.only(keep)).map(Box::new);
        self.flat()
    }

    /// Without the tensors that were changed back; `None` if that leaves nothing.
    pub(crate) fn without(mut self, undone: &HashSet<&str>) -> Option<Sidecar> {
        self.tensors.retain(|name, _| !undone.contains(name.as_str()));
        self.flat()
    }

    fn flat(self) -> Option<Sidecar> {
        if self.tensors.is_empty() { self.previous.map(|previous| *previous) } else { Some(self) }
    }

    /// Where the sidecar of a file stands: `weights.npy.layout.json` beside `weights.npy`.
    pub fn path(file: &Path) -> PathBuf {
        let mut name = OsString::from(file);
        name.push(".layout.json");
        name.into()
    }

    /// The record in the sidecar of a file that has these bytes, if it has a sidecar.
    pub(crate) fn of(file: &Path, bytes: &[u8]) -> Result<Option<Sidecar>, Error> {
        let path = Sidecar::path(file);
        let Some(beside) = Beside::read(&path)? else { return Ok(None) };
        let expected = beside.file.bytes;
        match beside.of(bytes) {
            Some(found) => Ok(found.sidecar.flat()),
            None => {
                let file = file.display().to_string();
                let file = Visible(&file);
                let what = match bytes.len() as u64 {
                    found if found == expected => "other bytes".to_owned(),
                    found => format!("{found} bytes instead of {expected}"),
                };
                Err(Error::new(
                    &path,
                    ErrorKind::Record(format!(
                        "this is the record of another file: `{file}` has {what}\n  = help: if `{file}` was written anew, remove the record; else restore the file"
                    )),
                ))
            }
        }
    }
}

/// The file beside a converted one: the record, and what it is the record of.
///
/// A file and its sidecar take their places one after the other, the sidecar first. So that it is never that of
/// another file, even if the run ends between the two, it keeps the record of the file that is still there.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Beside {
    file: Mark,
    #[serde(flatten)]
    sidecar: Sidecar,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replaced: Option<Box<Beside>>,
}

impl Beside {
    /// The sidecar of a new file, which takes the place of `old`, if there is one at its path.
    pub(crate) fn new(
        file: Mark,
        sidecar: Option<Sidecar>,
        path: &Path,
        old: Option<&[u8]>,
    ) -> Beside {
        let replaced = old.and_then(|old| match Beside::read(&Sidecar::path(path)) {
            // It had none, and that is remembered too.
            Ok(None) => {
                let file = Mark::new(old, old.len() as u64);
                Some(Beside { file, sidecar: Sidecar::default(), replaced: None })
            }
            // What cannot be read, or is not of that file, is lost already.
            read => read.ok()??.of(old),
        });
        let replaced = replaced.map(|old| Box::new(Beside { replaced: None, ..old }));
        Beside { file, sidecar: sidecar.unwrap_or_default(), replaced }
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.sidecar.tensors.is_empty()
            && self.replaced.as_ref().is_none_or(|replaced| replaced.is_empty())
    }

    pub(crate) fn to_json(&self) -> io::Result<String> {
        serde_json::to_string_pretty(self).map_err(io::Error::other)
    }

    /// The sidecar at a path, if there is a file.
    pub(crate) fn read(path: &Path) -> Result<Option<Beside>, Error> {
        let text = match fs::metadata(path) {
            Ok(found) if found.is_file() => fs::read(path),
            // Reading a pipe would wait for its writer.
            Ok(_) => {
                Err(io::Error::other("not a file\n  = help: remove it if no conversion wrote it"))
            }
            Err(error) => Err(error),
        };
        let text = match text {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(Error::io(path))?,
        };
        parse(path, "", &text).map(Some)
    }

    /// The record of the file that has these bytes: if both are, the one that knows more of them, or else the new one.
    fn of(mut self, bytes: &[u8]) -> Option<Beside> {
        let replaced = self.replaced.take().and_then(|replaced| replaced.of(bytes));
        let own = self.file.is_of(bytes).then_some(self);
        replaced.into_iter().chain(own).max_by_key(|beside| beside.file.prefix)
    }
}

/// Reads the JSON of a record, which is at a `place` of the file.
pub(crate) fn parse<T: DeserializeOwned>(
    path: &Path,
    place: &str,
    text: &[u8],
) -> Result<T, Error> {
    serde_json::from_slice(text).map_err(|error| {
        let why = error.to_string();
        let what = format!(
            "{place}not a record of layouts: {}\n  = help: remove it if no conversion wrote it",
            Visible(&why)
        );
        Error::new(path, ErrorKind::Record(what))
    })
}

/// How a file is recognised: by its length, and by samples of its first bytes, as many as were there to be read.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    bytes: u64,
    /// Bytes of the prefix that the sample is of: the first share, or the whole file.
    prefix: u64,
    sample: String,
}

impl Mark {
    /// Of a file of `bytes`, which begins with `prefix`: of a file of which a share is written, the rest is elsewhere.
    pub(crate) fn new(prefix: &[u8], bytes: u64) -> Mark {
        Mark { bytes, prefix: prefix.len() as u64, sample: sample(prefix) }
    }

    fn is_of(&self, bytes: &[u8]) -> bool {
        let prefix = usize::try_from(self.prefix).ok().and_then(|prefix| bytes.get(..prefix));
        self.bytes == bytes.len() as u64
            && prefix.is_some_and(|prefix| self.sample == sample(prefix))
    }
}

/// A hash (FNV-1a) of at most 64 blocks of 4 KiB, evenly spaced: a file of any length is recognised in a millisecond.
fn sample(bytes: &[u8]) -> String {
    const BLOCK: usize = 4096;
    let step = bytes.len().div_ceil(64).max(BLOCK);
    let blocks = bytes.chunks(step).flat_map(|stretch| &stretch[..stretch.len().min(BLOCK)]);
    let hash = blocks.fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
