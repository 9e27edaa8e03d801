//! `.safetensors`: the length of the header, the header, which is JSON, and the bytes of the tensors.

use std::collections::BTreeMap;
use std::fmt;

use layout_core::{Message, Visible};
use safetensors::Dtype as SafetensorsDtype;
use safetensors::tensor::TensorInfo;
use serde::de::{DeserializeSeed, Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::to_string;

use crate::format::{
    Contents, LONGEST, MOST_TEXTS, TensorHeader, bytes_of, cut_off, dims, refuse_twice,
};
use crate::tensor::Tensor;
use crate::tensor::dtype::Dtype;

/// Bytes of the header's length, and what its text is padded to a multiple of.
const LENGTH: usize = 8;
/// The entry of the header that is not a tensor.
const METADATA: &str = "__metadata__";
/// Tensors at most, of a file.
const MOST_TENSORS: usize = 1 << 18;

pub(super) fn read(bytes: &[u8]) -> Result<Contents, Message> {
    let fault = |what: &str| Message::from(format!("not a safetensors file, or damaged: {what}"));
    let cut = || cut_off(fault("its header is cut off"));
    let (length, rest) = bytes.split_first_chunk::<LENGTH>().ok_or_else(cut)?;
    let length = u64::from_le_bytes(*length);
    if length > LONGEST {
        return Err(fault("its header is too long"));
    }
    let length = length as usize;
    // The file may be written meanwhile: what is parsed is a copy.
    let header = rest.get(..length).ok_or_else(cut)?.to_vec();
    let contents = parsed(&header).map_err(|error| fault(&Visible(&error.to_string()).to_string()));
    let Contents { mut tensors, metadata } = contents?;
    drop(header);
    refuse_twice(&tensors)?;
    // Empty ones begin at one place.
    let place = |tensor: &Tensor| (tensor.range.start, tensor.range.end);
    tensors.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.name.cmp(&b.name)));
    let mut end = 0;
    for Tensor { name, dtype, dims, range, .. } in &tensors {
        let bytes = bytes_of(dims, dtype.bits());
        if range.start != end || bytes != range.end.checked_sub(end).map(|bytes| bytes as u64) {
            return Err(fault(&format!(
                "the tensor `{}`, `{dtype}` of {dims:?}, is said to have the bytes {range:?}, and the tensor before it ends at {end}",
                Visible(name)
            )));
        }
        end = range.end;
    }
    let found = rest.len() - length;
    if end != found {
        return Err(cut_off(fault(&format!(
            "its tensors have {end} bytes and the file {found} of them: it is cut off, or longer than its tensors"
        ))));
    }
    for tensor in &mut tensors {
        tensor.range = LENGTH + length + tensor.range.start..LENGTH + length + tensor.range.end;
    }
    Ok(Contents { tensors, metadata })
}

/// The entries of a header. Ranges count from its end.
fn parsed(header: &[u8]) -> serde_json::Result<Contents> {
    let mut contents = Contents::default();
    // So that the list has its length from the start.
    let key = b"\"data_offsets\"";
    let count = header.windows(key.len()).filter(|window| window == key).count();
    contents.tensors.reserve_exact(count.min(MOST_TENSORS));
    let mut reader = serde_json::Deserializer::from_slice(header);
    reader.deserialize_map(Entries(&mut contents))?;
    reader.end()?;
    Ok(contents)
}

/// What the header says of a tensor.
#[derive(Deserialize)]
struct Entry {
    dtype: SafetensorsDtype,
    #[serde(deserialize_with = "dims")]
    shape: Vec<u64>,
    data_offsets: (usize, usize),
}

/// Takes the tensors and the metadata of a header.
struct Entries<'a>(&'a mut Contents);

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of tensors")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Contents { tensors, metadata } = self.0;
        while let Some(name) = map.next_key::<String>()? {
            if name == METADATA {
                map.next_value_seed(Texts(metadata))?;
                continue;
            }
            if tensors.len() == MOST_TENSORS {
                return Err(A::Error::custom(format!("more than {MOST_TENSORS} tensors")));
            }
            let Entry { dtype, shape, data_offsets: (start, end) } = map.next_value()?;
            let dtype = Dtype::of_safetensors(dtype);
            tensors.push(Tensor {
                name,
                dtype,
                dims: shape,
                is_column_major: false,
                range: start..end,
            });
        }
        Ok(())
    }
}

/// Takes the texts of the metadata.
struct Texts<'a>(&'a mut BTreeMap<String, String>);

impl<'de> DeserializeSeed<'de> for Texts<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Texts<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a map of texts")
    }

    /// `null`.
    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some((key, text)) = map.next_entry::<String, String>()? {
            if self.0.len() > MOST_TEXTS {
                return Err(A::Error::custom(format!("more than {MOST_TEXTS} texts of metadata")));
            }
            self.0.insert(key, text);
        }
        Ok(())
    }
}

/// The header that the crate `safetensors` writes, but with sorted metadata, so that each run writes the same bytes.
pub(super) fn header(
    tensors: &[&TensorHeader],
    metadata: &BTreeMap<String, String>,
) -> Result<Vec<u8>, Message> {
    let fault = |error: serde_json::Error| Message::new(error);
    let mut entries = Vec::with_capacity(tensors.len() + 1);
    if !metadata.is_empty() {
        entries.push(format!("\"{METADATA}\":{}", to_string(metadata).map_err(fault)?));
    }
    let size = |size: u64| usize::try_from(size).map_err(Message::new);
    let mut end = 0_usize;
    for tensor in tensors {
        if tensor.name == METADATA {
            let what = format!(
                "a tensor cannot be called `{METADATA}`: safetensors files have their metadata there"
            );
            return Err(Message::from(what).with_help("rename the tensor, or choose others"));
        }
        let dtype = tensor.dtype.safetensors();
        let dtype = dtype.ok_or_else(|| format!("no element type `{}`", tensor.dtype))?;
        let shape = tensor.dims.iter().map(|&dim| size(dim)).collect::<Result<_, _>>()?;
        let start = end;
        end = end.checked_add(size(tensor.bytes)?).ok_or("the file has too many bytes")?;
        let info = TensorInfo { dtype, shape, data_offsets: (start, end) };
        let (name, info) = (to_string(&tensor.name), to_string(&info));
        entries.push(format!("{}:{}", name.map_err(fault)?, info.map_err(fault)?));
    }
    let mut text = format!("{{{}}}", entries.join(",")).into_bytes();
    text.resize(text.len().next_multiple_of(LENGTH), b' ');
    if text.len() as u64 > LONGEST {
        let length = text.len();
        let what = format!(
            "the header would have {length} bytes, and readers of safetensors take {LONGEST}"
        );
        let help = "convert fewer tensors at once, or from a file with less metadata";
        return Err(Message::from(what).with_help(help));
    }
    let mut header = (text.len() as u64).to_le_bytes().to_vec();
    header.append(&mut text);
    Ok(header)
}
