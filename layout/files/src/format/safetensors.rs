//! `.safetensors`, read by the crate of this name.

use std::collections::BTreeMap;

use layout::Visible;
use safetensors::tensor::{Metadata, TensorInfo};
use serde_json::to_string;

use crate::dtype::Dtype;
use crate::format::{Contents, Stored};
use crate::tensor::Tensor;

/// Bytes of the header's length, and what its text is padded to a multiple of.
const LENGTH: usize = 8;

/// Bytes of the longest header that the crate and its peers take.
const LONGEST: u64 = 100_000_000;
/// The entry of the header that is not a tensor.
const METADATA: &str = "__metadata__";

pub(super) fn read(bytes: &[u8]) -> Result<Contents, String> {
    let fault = |what: &str| Err(format!("not a safetensors file, or damaged: {what}"));
    let Some((length, rest)) = bytes.split_first_chunk::<LENGTH>() else {
        return fault("its header is cut off");
    };
    let length = u64::from_le_bytes(*length);
    if length > LONGEST {
        return fault("its header is too long");
    }
    let length = length as usize;
    // The file may be written meanwhile: what is parsed is a copy.
    let Some(header) = rest.get(..length).map(<[u8]>::to_vec) else {
        return fault("its header is cut off");
    };
    let metadata = match serde_json::from_slice::<Metadata>(&header) {
        Ok(metadata) => metadata,
        Err(error) => return fault(&Visible(&error.to_string()).to_string()),
    };
    // The tensors follow one another, so that each lies before the end of the last one.
    let (expected, found) = (metadata.data_len(), rest.len() - length);
    if expected != found {
        return fault(&format!(
            "its tensors have {expected} bytes and the file {found} of them: it is cut off, or longer than its tensors"
        ));
    }
    let start = LENGTH + length;
    let names = metadata.offset_keys();
    let tensors = names.into_iter().filter_map(|name| {
        let info = metadata.info(&name)?;
        let (from, to) = info.data_offsets;
        Some(Tensor {
            dtype: Dtype::of_safetensors(info.dtype),
            dims: info.shape.iter().map(|&size| size as u64).collect(),
            is_column_major: false,
            range: start + from..start + to,
            name,
        })
    });
    let mut tensors = tensors.collect::<Vec<_>>();
    // The crate does not keep the order of those that begin at one place: empty ones.
    let place = |tensor: &Tensor| (tensor.range.start, tensor.range.end);
    tensors.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| a.name.cmp(&b.name)));
    let metadata = metadata.metadata().iter().flatten();
    let metadata = metadata.map(|(key, value)| (key.clone(), value.clone())).collect();
    Ok(Contents { tensors, metadata })
}

/// As the crate writes it, but with sorted metadata, so that each run writes the same bytes.
pub(super) fn header(
    tensors: &[&Stored],
    metadata: &BTreeMap<String, String>,
) -> Result<Vec<u8>, String> {
    let fault = |error: serde_json::Error| error.to_string();
    let mut entries = Vec::with_capacity(tensors.len() + 1);
    if !metadata.is_empty() {
        entries.push(format!("\"{METADATA}\":{}", to_string(metadata).map_err(fault)?));
    }
    let size = |size: u64| usize::try_from(size).map_err(|error| error.to_string());
    let mut end = 0_usize;
    for tensor in tensors {
        if tensor.name == METADATA {
            return Err(format!(
                "a tensor cannot be called `{METADATA}`: safetensors files have their metadata there\n  = help: rename the tensor, or choose others by `--tensor`"
            ));
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
        return Err(format!(
            "the header would have {} bytes, and readers of safetensors take {LONGEST}\n  = help: convert fewer tensors at once, or from a file with less metadata",
            text.len()
        ));
    }
    let mut header = (text.len() as u64).to_le_bytes().to_vec();
    header.append(&mut text);
    Ok(header)
}
