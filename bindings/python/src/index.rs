//! Sizes and coordinates as Python gives them.

use layout::shape::Size;
use layout::shape::analysis::NotAddressable;
use layout_files::Message;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::error::{argument, refused};

/// The numbers of `dims`.
pub(crate) fn dims(given: &Bound<'_, PyAny>) -> PyResult<Vec<i64>> {
    let py = given.py();
    argument::<Vec<i64>>(given).map_err(|error| {
        if !error.is_instance_of::<PyTypeError>(py) {
            return error;
        }
        let what = format!("`dims` is not a sequence of integers: {}", error.value(py));
        let help = "give the size of each dimension, as in `dims=(300, 4096)`, or `(300,)` for one";
        PyTypeError::new_err(Message::from(what).with_help(help).to_string())
    })
}

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
    let error = NotAddressable::Coordinates { given, rank };
    Err(refused(error, "give one coordinate for each dimension"))
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
