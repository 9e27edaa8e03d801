//! Sizes and coordinates as Python gives them.

use layout::Size;
use pyo3::PyResult;

use crate::error::refused;

/// Sizes of dimensions.
pub(crate) fn sizes(dims: &[i64]) -> PyResult<Vec<Size>> {
    let size = |(dim, size): (usize, &i64)| {
        let negative = |_| format!("dimension {dim} has the negative size {size}");
        Size::try_from(*size).map_err(|error| refused(negative(error), "sizes count from 0"))
    };
    dims.iter().enumerate().map(size).collect()
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
