//! A file of tensors that is read.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use layout::ArrayShape;

use crate::change::Change;
use crate::error::{Error, ErrorKind};
use crate::format::{Contents, Format};
use crate::map::Map;
use crate::sidecar::{KEY, Sidecar};
use crate::tensor::Tensor;

/// A file of tensors, mapped into memory: `.npy`, `.safetensors`, `.gguf` or raw bytes.
///
/// Opening it reads what the file says of its tensors, and no tensor.
///
/// # Examples
/// ```
/// use layout_files::TensorFile;
///
/// # let folder = std::env::temp_dir().join(format!("layout-files-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let path = folder.join("weights.bin");
/// std::fs::write(&path, [1, 2, 3])?;
/// let file = TensorFile::open(&path)?;
/// let [tensor] = file.tensors() else { panic!() };
/// assert_eq!((tensor.name(), tensor.dims()), ("weights", &[3][..]));
/// assert_eq!(file.bytes(tensor)?, [1, 2, 3]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TensorFile {
    path: PathBuf,
    format: Format,
    map: Map,
    tensors: Vec<Tensor>,
    metadata: BTreeMap<String, String>,
    sidecar: Option<Sidecar>,
}

impl TensorFile {
    /// Opens a file in the format of its extension.
    ///
    /// # Errors
    /// If the file or its sidecar cannot be read, is not in the format, or is cut off.
    pub fn open(path: impl AsRef<Path>) -> Result<TensorFile, Error> {
        let path = path.as_ref();
        let format = Format::of_path(path);
        let io = Error::io(path);
        let file = File::open(path).map_err(&io)?;
        if !file.metadata().map_err(&io)?.is_file() {
            let what = "not a file: pipes and devices are not mapped into memory";
            return Err(Error::new(path, ErrorKind::Unsupported(what.to_owned())));
        }
        let map = Map::new(file).map_err(&io)?;
        let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        let sidecar = Sidecar::of(path)?;
        // A tensor that had a name keeps it in a file without names.
        let recorded = sidecar.as_ref().and_then(|sidecar| sidecar.tensors.keys().next());
        let contents = format.read(map.bytes(), recorded.unwrap_or(&stem.into_owned()));
        let contents = contents.map_err(|what| Error::malformed(path, what))?;
        let Contents { tensors, mut metadata } = contents;
        let written = metadata.remove(KEY);
        // Others may use the key for what they like.
        let written = written.and_then(|text| {
            let sidecar = serde_json::from_str(&text).ok();
            if sidecar.is_none() {
                metadata.insert(KEY.to_owned(), text);
            }
            sidecar
        });
        let sidecar = sidecar.or(written);
        Ok(TensorFile { path: path.to_owned(), format, map, tensors, metadata, sidecar })
    }

    /// The path that it was opened by.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its format.
    pub const fn format(&self) -> Format {
        self.format
    }

    /// The tensors, in the order of the file.
    pub fn tensors(&self) -> &[Tensor] {
        &self.tensors
    }

    /// The tensor of a name.
    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.tensors.iter().find(|tensor| tensor.name == name)
    }

    /// The texts that a safetensors file has beside its tensors; for GGUF the types of the tensors that are blocks, as
    /// `ggml.NAME`.
    pub const fn metadata(&self) -> &BTreeMap<String, String> {
        &self.metadata
    }

    /// What the conversion that made the file recorded.
    pub const fn sidecar(&self) -> Option<&Sidecar> {
        self.sidecar.as_ref()
    }

    /// The layout of a tensor of this file: the recorded one, or else what the format says.
    ///
    /// # Errors
    /// As [`Tensor::layout`].
    pub fn layout(&self, tensor: &Tensor) -> Result<ArrayShape, String> {
        let record = self.sidecar.as_ref().and_then(|sidecar| sidecar.record(&tensor.name));
        record.map_or_else(|| tensor.layout(), |record| Ok(record.after))
    }

    /// What undoes the last conversion of the file for a tensor, if that changed it.
    pub fn undo(&self, tensor: &Tensor) -> Option<Change> {
        self.sidecar.as_ref()?.tensors.get(&tensor.name).map(Change::back)
    }

    /// The bytes of a tensor of this file.
    ///
    /// They are those of the file: if another program cuts it while they are read, the operating system ends this
    /// one (`SIGBUS`).
    ///
    /// # Errors
    /// If the file has become shorter since it was opened.
    ///
    /// # Panics
    /// If the tensor is one of another, longer file.
    pub fn bytes(&self, tensor: &Tensor) -> Result<&[u8], Error> {
        self.is_whole()?;
        Ok(&self.map.bytes()[tensor.range.clone()])
    }

    /// Looks whether the file still has its bytes.
    pub(crate) fn is_whole(&self) -> Result<(), Error> {
        match self.map.shorter().map_err(Error::io(&self.path))? {
            None => Ok(()),
            Some(found) => {
                let expected = self.map.bytes().len() as u64;
                Err(Error::new(&self.path, ErrorKind::Shrank { expected, found }))
            }
        }
    }

    pub(crate) const fn file(&self) -> &File {
        self.map.file()
    }
}
