//! The record of what a conversion did.

pub(crate) mod change;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::Not;
use std::path::{Path, PathBuf};

use layout_core::{ArrayShape, Message, Visible};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::format::{LONGEST, dims};
use crate::map::{followed, with_end};
use crate::tensor::dtype::Dtype;

/// The key under which a safetensors file has the record in its metadata.
pub(crate) const KEY: &str = "tiled-layout.record";

const REMOVE: &str = "remove it if no conversion wrote it";

/// What a file cannot say of its tensors: their layouts, what its format cannot hold, and how they were before each
/// conversion.
///
/// A safetensors file has it as JSON in its metadata, under `tiled-layout.record`. Beside each converted file it is a
/// file of JSON, `OUT.layout.json`, which also tells how to recognise the file that it describes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sidecar {
    /// The tensors that it tells of, by name.
    pub tensors: BTreeMap<String, Record>,
    /// The conversions that were not undone, the newest last: each tensor that one changed, as it was before.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub steps: Vec<BTreeMap<String, Record>>,
    /// The metadata of a safetensors file, if this file's format has none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
    /// Whether the names of the tensors are those of a file, and not made from the name of one.
    #[serde(default, skip_serializing_if = "Not::not")]
    pub is_named: bool,
}

/// A tensor of a file, now or before a conversion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// How the file has it.
    pub now: Form,
    /// What it is where a format can hold that: another order, another element type, other dimensions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lost: Option<Form>,
    /// The layout by which the conversion read it, if the user named another one than `now` has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    read_as: Option<LayoutText>,
}

/// A tensor as a file has it: what its header says, and the layout of its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Form {
    /// The element type that a reader of the file finds.
    pub dtype: Dtype,
    /// The sizes of its dimensions, the slowest first.
    #[serde(deserialize_with = "dims")]
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
    type Error = layout_core::Error;

    fn try_from(text: String) -> Result<LayoutText, layout_core::Error> {
        text.parse::<ArrayShape>().map(|_| LayoutText(text))
    }
}

impl From<LayoutText> for String {
    fn from(LayoutText(text): LayoutText) -> String {
        text
    }
}

impl LayoutText {
    fn new(layout: &ArrayShape) -> LayoutText {
        LayoutText(layout.to_string())
    }

    fn layout(&self) -> ArrayShape {
        match self.0.parse() {
            Ok(layout) => layout,
            Err(error) => unreachable!("it was parsed or printed before: {error}"),
        }
    }
}

impl Form {
    pub(crate) fn new(
        dtype: Dtype,
        shape: Vec<u64>,
        fortran_order: bool,
        layout: &ArrayShape,
    ) -> Form {
        Form { dtype, shape, fortran_order, layout: LayoutText::new(layout) }
    }

    /// The layout of its bytes.
    pub fn layout(&self) -> ArrayShape {
        self.layout.layout()
    }
}

impl Record {
    pub(crate) const fn new(now: Form, lost: Option<Form>) -> Record {
        Record { now, lost, read_as: None }
    }

    /// This record, for a tensor that is read in another layout.
    pub(crate) fn read_as(mut self, layout: &ArrayShape) -> Record {
        let layout = LayoutText::new(layout);
        self.read_as = (layout != self.now.layout).then_some(layout);
        self
    }

    /// The layout that the bytes have before the conversion, as it read them; if that is not the layout of the form.
    pub(crate) fn other_layout(&self) -> Option<ArrayShape> {
        self.read_as.as_ref().map(LayoutText::layout)
    }

    /// The true form of the tensor, also if the file's format cannot hold all of it.
    pub(crate) fn form(&self) -> &Form {
        self.lost.as_ref().unwrap_or(&self.now)
    }
}

impl Sidecar {
    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.tensors.is_empty() && self.metadata.is_empty()
    }

    /// Where the sidecar of a file stands: `weights.npy.layout.json` beside `weights.npy`; of a symbolic link, beside
    /// the file that it leads to.
    pub fn path(file: &Path) -> PathBuf {
        with_end(&followed(file).unwrap_or_else(|_| file.to_owned()), ".layout.json")
    }

    /// The record of a file: the one that its metadata has, or else that of its sidecar, if there is one. A sidecar that
    /// says what the metadata says is of these bytes too.
    pub(crate) fn of(
        path: &Path,
        file: &File,
        written: Option<Sidecar>,
    ) -> Result<Option<Sidecar>, Error> {
        let beside_path = Sidecar::path(path);
        let beside = match (SidecarFile::read(&beside_path), &written) {
            (Ok(Some(beside)), Some(own)) if beside.sidecar == *own => beside,
            // What the file says of itself comes first.
            (_, Some(_)) => return Ok(written),
            (beside, None) => match beside? {
                Some(beside) => beside,
                None => return Ok(None),
            },
        };
        let expected = beside.file.bytes;
        if let Some(found) = beside.of(file) {
            return Ok(written.or(Some(found.sidecar)).filter(|sidecar| !sidecar.is_empty()));
        }
        let name = path.display().to_string();
        let name = Visible(&name);
        let what = match file.metadata().map_err(Error::io(path))?.len() {
            found if found == expected => "other bytes".to_owned(),
            found => format!("{found} bytes instead of {expected}"),
        };
        let what = format!("this is the record of another file: `{name}` has {what}");
        let help =
            format!("if `{name}` was written anew, remove the record; else restore the file");
        let message = Message::from(what).with_help(help);
        Err(Error::new(&beside_path, ErrorKind::Record(message)))
    }
}

/// The file beside a converted one: the record, and what it is the record of.
///
/// A file and its sidecar take their places one after the other, the sidecar first. So that it is never that of
/// another file, even if the run ends between the two, it keeps the record of the file that is still there.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct SidecarFile {
    file: Mark,
    #[serde(rename = "record")]
    sidecar: Sidecar,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replaced: Option<Box<SidecarFile>>,
}

impl SidecarFile {
    /// The sidecar of a new file, which takes the place of `old`, if there is one at its path.
    pub(crate) fn new(
        file: Mark,
        sidecar: Option<Sidecar>,
        path: &Path,
        old: Option<&File>,
    ) -> SidecarFile {
        let replaced = old.and_then(|old| match SidecarFile::read(&Sidecar::path(path)) {
            // It had none, and that is remembered too.
            Ok(None) => {
                let file = Mark::of(old).ok()?;
                Some(SidecarFile { file, sidecar: Sidecar::default(), replaced: None })
            }
            // What cannot be read, or is not of that file, is lost already.
            read => read.ok()??.of(old),
        });
        let replaced = replaced.map(|old| Box::new(SidecarFile { replaced: None, ..old }));
        SidecarFile { file, sidecar: sidecar.unwrap_or_default(), replaced }
    }

    /// Whether it says nothing.
    pub(crate) fn is_empty(&self) -> bool {
        self.sidecar.is_empty() && self.replaced.as_ref().is_none_or(|replaced| replaced.is_empty())
    }

    pub(crate) fn to_json(&self) -> io::Result<String> {
        serde_json::to_string_pretty(self).map_err(io::Error::other)
    }

    /// The sidecar at a path, if there is a file.
    pub(crate) fn read(path: &Path) -> Result<Option<SidecarFile>, Error> {
        let text = match fs::metadata(path) {
            Ok(found) if found.is_file() && found.len() > LONGEST => {
                Err(io::Error::other(format!("a record has at most {LONGEST} bytes")))
            }
            Ok(found) if found.is_file() => fs::read(path),
            // Reading a pipe would wait for its writer.
            Ok(_) => {
                let message = Message::new("not a file").with_help(REMOVE);
                return Err(Error::new(path, ErrorKind::Record(message)));
            }
            Err(error) => Err(error),
        };
        let text = match text {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            text => text.map_err(Error::io(path))?,
        };
        parse(path, "", &text).map(Some)
    }

    /// The record of a file: if both are, the new one.
    fn of(mut self, file: &File) -> Option<SidecarFile> {
        let replaced = self.replaced.take();
        if self.file.is_of(file) {
            return Some(self);
        }
        replaced.and_then(|replaced| replaced.of(file))
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
        let what = format!("{place}not a record of layouts: {}", Visible(&why));
        Error::new(path, ErrorKind::Record(Message::from(what).with_help(REMOVE)))
    })
}

/// How a file is recognised: by its length and a hash (FNV-1a) of samples of its bytes, evenly spaced.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Mark {
    bytes: u64,
    hash: String,
}

impl Mark {
    /// Of a file. It is read, not mapped: another program may cut it.
    pub(crate) fn of(mut file: &File) -> io::Result<Mark> {
        const BLOCK: u64 = 512;
        const SAMPLES: u64 = 256;
        let bytes = file.metadata()?.len();
        let step = bytes.div_ceil(SAMPLES).max(BLOCK);
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut block = [0; BLOCK as usize];
        let mut start = 0;
        while start < bytes {
            let block = &mut block[..BLOCK.min(bytes - start) as usize];
            file.seek(SeekFrom::Start(start))?;
            file.read_exact(block)?;
            for byte in block {
                hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
            }
            start += step;
        }
        Ok(Mark { bytes, hash: format!("{hash:016x}") })
    }

    fn is_of(&self, file: &File) -> bool {
        file.metadata().is_ok_and(|found| found.len() == self.bytes)
            && Mark::of(file).is_ok_and(|mark| mark == *self)
    }
}
