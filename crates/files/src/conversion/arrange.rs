//! The order of the tensors in a new file, and where each begins.

use std::collections::BTreeMap;

use crate::conversion::TensorPlan;
use crate::error::ErrorKind;
use crate::format::Format;
use crate::sidecar::{KEY, Sidecar};

/// Orders the tensors of a new file and gives each its place: the header, and the bytes of the file.
pub(crate) fn arrange(
    format: Format,
    tensors: &mut [TensorPlan<'_>],
    metadata: &BTreeMap<String, String>,
    sidecar: Option<&Sidecar>,
) -> Result<(Vec<u8>, u64), ErrorKind> {
    let mut metadata = metadata.clone();
    if let Some(text) = sidecar.and_then(|sidecar| serde_json::to_string(sidecar).ok()) {
        metadata.insert(KEY.to_owned(), text);
    }
    let (_, is_aligned) = place(tensors, 0)?;
    if !is_aligned {
        // The widest elements first, as the crate does it.
        tensors.sort_by_key(|planned| std::cmp::Reverse(planned.stored.dtype.bits()));
    }
    let stored = tensors.iter().map(|planned| &planned.stored).collect::<Vec<_>>();
    let header = format.header(&stored, &metadata).map_err(ErrorKind::Unsupported)?;
    let (bytes, _) = place(tensors, header.len() as u64)?;
    Ok((header, bytes))
}

/// Gives each tensor its place, one after another from `start` on: where the last one ends, and whether each is aligned
/// to its elements.
fn place(tensors: &mut [TensorPlan<'_>], start: u64) -> Result<(u64, bool), ErrorKind> {
    let (mut end, mut is_aligned) = (start, true);
    for planned in tensors {
        planned.start = end;
        is_aligned &= end.is_multiple_of((planned.stored.dtype.bits() / 8).max(1));
        end = end.checked_add(planned.stored.bytes).ok_or_else(|| {
            ErrorKind::Unsupported("the new file has more bytes than can be counted".into())
        })?;
    }
    Ok((end, is_aligned))
}
