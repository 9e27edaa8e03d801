//! Sizes and coordinates as Python gives them.

use layout::Size;
use pyo3::PyResult;

use crate::error::refused;

/// Sizes of dimensions.
pub(crate) fn sizes(dims: &[i64]) -> PyResult<Vec<Size>> {
    let sizes = dims.iter().map(|dim| Size::try_from(*dim)).collect::<Result<_, _>>();
    sizes.map_err(|_| refused(format!("{dims:?} has a negative size"), "sizes count from 0"))
}

/// Whether there is a coordinate for each dimension.
pub(crate) fn of_rank(rank: usize, given: usize) -> PyResult<()> {
    if given == rank {
        return Ok(());
    }
    Err(refused(
        format!("an index has {given} coordinates, and the array has {rank} dimensions"),
        "give one coordinate for each dimension",
    ))
}

/// Coordinates as Python gives them, if they are in bounds.
pub(crate) fn in_bounds(dims: &[Size], index: &[i64]) -> PyResult<Vec<Size>> {
    of_rank(dims.len(), index.len())?;
    let found = index.iter().map(|at| Size::try_from(*at).unwrap_or(Size::MAX)).collect::<Vec<_>>();
    match (0..dims.len()).find(|dim| found[*dim] >= dims[*dim]) {
        None => Ok(found),
        Some(dim) => Err(refused(
            format!("{index:?} is out of bounds: dimension {dim} has size {}", dims[dim]),
            "coordinates count from 0; negative ones do not count from the end",
        )),
    }
}
