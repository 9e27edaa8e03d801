//! File formats.

mod gguf;
mod npy;
mod safetensors;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use layout_core::{Message, Visible};
use serde::Deserializer;
use serde::de::{Error as _, SeqAccess, Visitor};

use crate::tensor::Tensor;
use crate::tensor::dtype::Dtype;

/// Bytes of the longest header, and of the longest record: what the crate `safetensors` and its peers take.
pub(crate) const LONGEST: u64 = 100_000_000;
/// Dimensions of a tensor at most: as many as numpy has. A list of them takes 2 bytes for each in a header, and 8 here.
pub(crate) const MOST_DIMS: usize = 64;
/// Texts of a file beside its tensors at most.
pub(crate) const MOST_TEXTS: usize = 1 << 16;

/// A file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// Numpy's `.npy`: one array.
    Npy,
    /// `.safetensors`: named tensors.
    Safetensors,
    /// `.gguf`, of llama.cpp: named tensors, which are read only.
    Gguf,
    /// The bytes of one tensor, and nothing else.
    Raw,
}

/// The tensors and the metadata of a file.
#[derive(Debug, Default)]
pub(crate) struct Contents {
    pub tensors: Vec<Tensor>,
    pub metadata: BTreeMap<String, String>,
}

/// A tensor that a file will hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TensorHeader {
    pub name: String,
    pub dtype: Dtype,
    pub dims: Vec<u64>,
    pub is_column_major: bool,
    pub bytes: u64,
}

impl Format {
    /// The format of a file by the extension of its name, in any case; what has no other one is [`Format::Raw`].
    ///
    /// ```
    /// use layout_files::Format;
    ///
    /// assert_eq!(Format::of_path("model.safetensors".as_ref()), Format::Safetensors);
    /// assert_eq!(Format::of_path("weights.bin".as_ref()), Format::Raw);
    /// ```
    pub fn of_path(path: &Path) -> Format {
        let extension = path.extension().and_then(|extension| extension.to_str());
        let extension = extension.map(str::to_ascii_lowercase);
        let mut formats = [Format::Npy, Format::Safetensors, Format::Gguf].into_iter();
        let found = formats.find(|format| format.extension() == extension.as_deref());
        found.unwrap_or(Format::Raw)
    }

    const fn extension(self) -> Option<&'static str> {
        match self {
            Format::Npy => Some("npy"),
            Format::Safetensors => Some("safetensors"),
            Format::Gguf => Some("gguf"),
            Format::Raw => None,
        }
    }

    /// The format whose files begin as these bytes do.
    pub(crate) fn begins(bytes: &[u8]) -> Option<Format> {
        match bytes {
            [b'G', b'G', b'U', b'F', ..] => Some(Format::Gguf),
            [0x93, b'N', b'U', b'M', b'P', b'Y', ..] => Some(Format::Npy),
            [_, _, _, _, _, _, _, _, b'{', ..] => Some(Format::Safetensors),
            _ => None,
        }
    }

    /// The help for a file of this format that has the extension of another one.
    pub(crate) fn of_that_name(self) -> Option<String> {
        let name = self.extension()?;
        Some(format!("it begins as `.{name}` files do: give it such a name"))
    }

    /// Whether a file holds one tensor, which has no name.
    pub const fn has_one_tensor(self) -> bool {
        matches!(self, Format::Npy | Format::Raw)
    }

    /// Reads the descriptions of the tensors. `name` is that of the one tensor of a file without names.
    pub(crate) fn read(self, bytes: &[u8], name: &str) -> Result<Contents, Message> {
        match self {
            Format::Npy => npy::read(bytes, name),
            Format::Safetensors => safetensors::read(bytes),
            Format::Gguf => gguf::read(bytes),
            Format::Raw => Ok(Contents {
                tensors: vec![Tensor {
                    name: name.to_owned(),
                    dtype: Dtype::untyped(),
                    dims: vec![bytes.len() as u64],
                    is_column_major: false,
                    range: 0..bytes.len(),
                }],
                ..Contents::default()
            }),
        }
    }

    /// The header, after which the bytes of the tensors follow one after another.
    pub(crate) fn header(
        self,
        tensors: &[&TensorHeader],
        metadata: &BTreeMap<String, String>,
    ) -> Result<Vec<u8>, Message> {
        match self {
            Format::Npy => npy::header(tensors[0]),
            Format::Safetensors => safetensors::header(tensors, metadata),
            Format::Gguf => Err(Message::new("GGUF files are read, not written")
                .with_help("name the target `.safetensors`")),
            Format::Raw => Ok(Vec::new()),
        }
    }

    /// The element type that a reader of its files finds where this one was written; `None` if they have no name for
    /// it.
    pub(crate) fn reads(self, dtype: &Dtype) -> Option<Dtype> {
        match self {
            Format::Npy => Dtype::of_numpy(dtype.numpy()?),
            Format::Safetensors => dtype.safetensors().map(Dtype::of_safetensors),
            // What its header would say is that it is not written.
            Format::Gguf => Some(dtype.clone()),
            Format::Raw => Some(Dtype::untyped()),
        }
    }
}

/// Reads a list of dimensions, and no more of it than a tensor may have.
pub(crate) fn dims<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u64>, D::Error> {
    struct Dims;

    impl<'de> Visitor<'de> for Dims {
        type Value = Vec<u64>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "at most {MOST_DIMS} dimensions")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<u64>, A::Error> {
            let mut dims = Vec::new();
            while let Some(size) = list.next_element()? {
                if dims.len() == MOST_DIMS {
                    return Err(A::Error::invalid_length(MOST_DIMS + 1, &self));
                }
                dims.push(size);
            }
            dims.shrink_to_fit();
            Ok(dims)
        }
    }

    deserializer.deserialize_seq(Dims)
}

/// Two tensors of one name are one too many.
fn refuse_twice(tensors: &[Tensor]) -> Result<(), Message> {
    let mut names = tensors.iter().map(Tensor::name).collect::<Vec<_>>();
    names.sort_unstable();
    match names.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("two tensors are called `{}`", Visible(pair[0])).into()),
        None => Ok(()),
    }
}

/// Why a file that is cut off is not read.
fn cut_off(what: impl Into<Message>) -> Message {
    what.into().with_help("copy it again")
}

/// Bytes of an array; `None` if they are not whole bytes, or more than can be counted.
pub(crate) fn bytes_of(dims: &[u64], bits: u64) -> Option<u64> {
    let elements = dims.iter().try_fold(1, |product: u64, &size| product.checked_mul(size))?;
    let bits = elements.checked_mul(bits)?;
    bits.is_multiple_of(8).then_some(bits / 8)
}
