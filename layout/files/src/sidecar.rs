//! The record of what a conversion did.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use layout::ArrayShape;
use serde::{Deserialize, Serialize};

use crate::dtype::Dtype;
use crate::error::Error;

/// The key under which a safetensors file has the record in its metadata.
pub(crate) const KEY: &str = "layout";

/// The layouts of a file's tensors, before and after the conversions that made the file.
///
/// It is a file of JSON beside the converted one, `OUT.layout.json`, and in a safetensors file a text of its metadata
/// too, under `layout`. A tensor that never changed has no record.
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
    /// The element type that the tensor had in the file.
    pub dtype: Dtype,
    /// The sizes of its dimensions in the file, the slowest first.
    pub shape: Vec<u64>,
    /// Its layout before.
    pub before: ArrayShape,
    /// Its layout now.
    pub after: ArrayShape,
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
    pub(crate) fn without(mut self, undone: &[String]) -> Option<Sidecar> {
        self.tensors.retain(|name, _| !undone.contains(name));
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

    /// Reads the sidecar of a file, if it has one.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn of(file: &Path) -> Result<Option<Sidecar>, Error> {
        let path = Sidecar::path(file);
        match fs::read(&path) {
            Ok(text) => {
                let sidecar = serde_json::from_slice(&text);
                let sidecar =
                    sidecar.map_err(|error| Error::malformed(&path, error.to_string()))?;
                Ok(Some(sidecar))
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(Error::io(&path)(error)),
        }
    }
}
