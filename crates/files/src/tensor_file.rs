//! A file of tensors that is read.

use std::collections::{BTreeMap, HashMap};
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use layout_core::{ArrayShape, Message};

use crate::error::{Error, ErrorKind};
use crate::format::{Contents, Format};
use crate::map::Map;
use crate::share::digest::Digest;
use crate::share::join::ShareMark;
use crate::sidecar::change::Change;
use crate::sidecar::{KEY, Record, Sidecar, parse};
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
    /// If the file or its sidecar cannot be read, is not in the format, or is cut off; or if the sidecar is that of
    /// another file ([`ErrorKind::Record`](crate::ErrorKind::Record)).
    pub fn open(path: impl AsRef<Path>) -> Result<TensorFile, Error> {
        let path = path.as_ref();
        let format = Format::of_path(path);
        let map = Map::open(path)?;
        if ShareMark::of(map.file()).map_err(Error::io(path))?.is_some() {
            let what = "a share of a file, or several that were put together as they are";
            let what =
                Message::new(what).with_help("join all shares, which makes one file of them");
            return Err(Error::new(path, ErrorKind::Share(what)));
        }
        let stem = path.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
        let contents = format.read(map.bytes(), &stem);
        let contents = contents.map_err(|mut what| {
            let found = Format::begins(map.bytes()).filter(|found| *found != format);
            // A file of another format is neither cut off nor wrongly written.
            if let Some(help) = found.and_then(Format::of_that_name) {
                what.help = vec![help];
            }
            Error::malformed(path, what)
        })?;
        let Contents { mut tensors, mut metadata } = contents;
        let written = metadata
            .remove(KEY)
            .map(|text| parse(path, &format!("metadata `{KEY}`: "), text.as_bytes()));
        let sidecar = Sidecar::of(path, map.file(), written.transpose()?)?;
        if let Some(sidecar) = sidecar.as_ref().filter(|_| format.has_one_tensor()) {
            metadata.clone_from(&sidecar.metadata);
            // A tensor that had a name keeps it in a file without names.
            if let ([tensor], Some(name)) = (&mut tensors[..], sidecar.tensors.keys().next()) {
                tensor.name.clone_from(name);
            }
        }
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

    /// The record that the conversions wrote that made this file.
    pub const fn sidecar(&self) -> Option<&Sidecar> {
        self.sidecar.as_ref()
    }

    /// The layout of a tensor of this file: the recorded one, or else that of the format.
    ///
    /// # Errors
    /// Those of [`Tensor::layout`], or if the tensor does not match its record.
    pub fn layout(&self, tensor: &Tensor) -> Result<ArrayShape, Message> {
        self.record(tensor)?.map_or_else(|| tensor.layout(), |record| Ok(record.now.layout()))
    }

    /// The changes that undo the newest conversion of one of the chosen tensors, by name: one for each tensor that the
    /// conversion changed. Empty if no conversion changed a chosen tensor.
    ///
    /// # Errors
    /// If such a tensor does not match its record.
    pub fn undo(
        &self,
        is_chosen: impl Fn(&Tensor) -> bool,
    ) -> Result<HashMap<&str, Change>, Error> {
        let chosen = || self.tensors.iter().filter(|tensor| is_chosen(tensor));
        let steps = self.sidecar.as_ref().map_or(&[][..], |sidecar| &sidecar.steps);
        let is_changed = |step: &BTreeMap<String, Record>| {
            chosen().any(|tensor| step.contains_key(&tensor.name))
        };
        let Some(number) = steps.iter().rposition(is_changed) else { return Ok(HashMap::new()) };
        let step = &steps[number];
        let changed = chosen().filter_map(|tensor| Some((tensor, step.get(&tensor.name)?)));
        let changes = changed.map(|(tensor, before)| {
            let found = self.record(tensor);
            found.map_err(|why| Error::source_layout(&self.path, &tensor.name, why))?;
            Ok((tensor.name(), Change::undo(number, before)))
        });
        changes.collect()
    }

    /// The record of a tensor, which is what was recorded. In a raw file it is known by its bytes.
    pub(crate) fn record(&self, tensor: &Tensor) -> Result<Option<&Record>, Message> {
        let record = self.sidecar.as_ref().and_then(|sidecar| sidecar.tensors.get(&tensor.name));
        let Some(record) = record else { return Ok(None) };
        let (now, Tensor { dtype, dims, is_column_major, .. }) = (&record.now, tensor);
        let is_same = self.format.reads(&now.dtype) == self.format.reads(dtype)
            && (&now.shape, now.fortran_order) == (dims, *is_column_major);
        if is_same || self.format == Format::Raw {
            return Ok(Some(record));
        }
        let order = |is_column_major| if is_column_major { " in column-major order" } else { "" };
        let what = format!(
            "it is `{dtype}` of {dims:?}{}, and its record says `{}` of {:?}{}",
            order(*is_column_major),
            now.dtype,
            now.shape,
            order(now.fortran_order)
        );
        Err(Message::from(what).with_help("say how it lies now, since it was written anew"))
    }

    /// The open file.
    pub(crate) const fn file(&self) -> &File {
        self.map.file()
    }

    /// Bytes of the file.
    pub(crate) fn len(&self) -> u64 {
        self.map.bytes().len() as u64
    }

    /// The bytes of a tensor of this file.
    ///
    /// They are those of the file: if another program cuts it while they are read, the operating system ends this
    /// one (`SIGBUS`).
    ///
    /// # Errors
    /// If the file was written since it was opened.
    ///
    /// # Panics
    /// If the tensor is one of another, longer file.
    pub fn bytes(&self, tensor: &Tensor) -> Result<&[u8], Error> {
        self.is_as_it_was()?;
        Ok(&self.map.bytes()[tensor.range.clone()])
    }

    /// Whether a path leads to this file or to its record.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        let Ok(other) = fs::canonicalize(path) else { return self.map.is_at(path) };
        let own = [self.path.clone(), Sidecar::path(&self.path)];
        let is_own = |own: &PathBuf| fs::canonicalize(own).is_ok_and(|own| own == other);
        self.map.is_at(path) || own.iter().any(is_own)
    }

    /// Adds all bytes of the file.
    pub(crate) fn add_to(&self, digest: &mut Digest) -> Result<(), Error> {
        for piece in self.map.bytes().chunks(1 << 20) {
            self.is_as_it_was()?;
            digest.add(piece);
        }
        self.is_as_it_was()
    }

    /// Looks whether the file was written since it was opened.
    pub(crate) fn is_as_it_was(&self) -> Result<(), Error> {
        self.map.is_as_it_was(&self.path)
    }
}
