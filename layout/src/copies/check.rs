//! What the two sides of a copy have in common.

use crate::copies::error::CopyError;
use crate::memory::place::mapping::Mapping;

/// Whether both have an array of the same sizes and elements.
#[inline(always)]
pub(super) fn check(from: &impl Mapping, to: &impl Mapping) -> Result<(), CopyError> {
    check_dims(from.dims().as_ref(), to.dims().as_ref())?;
    match (from.element(), to.element()) {
        (Some(source), Some(destination)) if source != destination => {
            Err(CopyError::OtherElements { source, destination })
        }
        _ => Ok(()),
    }
}

/// Whether the sizes of two arrays are the same.
#[inline(always)]
pub(super) fn check_dims(from: &[usize], to: &[usize]) -> Result<(), CopyError> {
    // Number by number: a vector of numbers that were just written one by one takes long to load.
    let differ = from.iter().zip(to).fold(0, |differ, (a, b)| differ | (a ^ b));
    if differ != 0 || from.len() != to.len() { Err(other_dims(from, to)) } else { Ok(()) }
}

#[cold]
#[inline(never)]
fn other_dims(from: &[usize], to: &[usize]) -> CopyError {
    let (source, destination) = (from.len(), to.len());
    let dim = from.iter().zip(to).position(|(a, b)| a != b);
    match dim.filter(|_| source == destination) {
        Some(dim) => CopyError::OtherSize { dim, source: from[dim], destination: to[dim] },
        None => CopyError::OtherRank { source, destination },
    }
}
