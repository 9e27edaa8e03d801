//! Blocks of Pallas kernels.

use layout::shape::Size;
use layout_hlo::pallas::{KernelAnswer, largest_block};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::error::{argument, refusal};
use crate::layout::Layout;

/// What the compiler would say of a kernel's blocks, and the memory that they take.
///
/// Windows are one for each operand: inputs, outputs, then scratch.
#[pyclass(frozen, module = "tiled_layout")]
pub(crate) struct Check {
    answer: KernelAnswer,
}

#[pymethods]
impl Check {
    /// Why the compiler refuses the kernel, and what would be legal; `None` if it accepts it.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.answer.reason.as_deref()
    }

    /// Bytes of each operand in VMEM, all buffers together.
    #[getter]
    fn windows(&self) -> Vec<Size> {
        self.answer.windows.clone()
    }

    /// Bytes of VMEM of windows and scratch: exact for a body that only moves data, if arrays stay in HBM.
    #[getter]
    fn vmem_bytes(&self) -> Size {
        self.answer.vmem_bytes
    }

    /// Bytes of VMEM that no kernel measured exceeded, with what a body that computes needs beside windows and scratch.
    #[getter]
    fn bound_bytes(&self) -> Size {
        self.answer.bound_bytes
    }

    /// Bytes of VMEM that the kernel gets.
    #[getter]
    fn limit_bytes(&self) -> Size {
        self.answer.limit_bytes
    }

    /// Whether the compiler accepts the blocks, and the windows and the scratch fit.
    #[getter]
    fn ok(&self) -> bool {
        self.answer.reason.is_none()
    }

    /// Whether the compiler accepts the blocks and the bound is at most the limit: all kernels measured did fit then. A body that
    /// computes more values at once than those had may not.
    #[getter]
    fn fits(&self) -> bool {
        self.ok() && self.answer.bound_bytes <= self.answer.limit_bytes
    }

    /// The layout of one buffer of each operand; `None` for operands in HBM.
    #[getter]
    fn layouts(&self) -> Vec<Option<Layout>> {
        self.answer.layouts.iter().map(|layout| layout.map(Layout::from)).collect()
    }

    fn __bool__(&self) -> bool {
        self.ok()
    }

    fn __repr__(&self) -> String {
        let verdict = match &self.answer.reason {
            None => "ok".to_owned(),
            Some(reason) => format!("refused: {reason}"),
        };
        let KernelAnswer { vmem_bytes, bound_bytes, limit_bytes, .. } = &self.answer;
        format!(
            "Check({verdict}; {vmem_bytes} bytes of VMEM, at most {bound_bytes}, of {limit_bytes})"
        )
    }
}

/// The answer about a kernel that is described in JSON.
#[pyfunction]
pub(crate) fn check_kernel(kernel: &str) -> PyResult<Check> {
    let answer = KernelAnswer::of(kernel).map_err(refusal)?;
    Ok(Check { answer })
}

/// The largest sizes that `accepts(*sizes)` accepts.
#[pyfunction]
pub(crate) fn largest(
    most: &Bound<'_, PyAny>,
    accepts: &Bound<'_, PyAny>,
) -> PyResult<Option<Vec<Size>>> {
    let most = argument::<Vec<Size>>(most)?;
    let mut raised = None;
    let found = largest_block(&most, |block| {
        let sizes = PyTuple::new(accepts.py(), block);
        let answer = || accepts.call1(sizes?)?.is_truthy();
        raised.is_none()
            && answer().unwrap_or_else(|error| {
                raised = Some(error);
                false
            })
    });
    raised.map_or(Ok(found.map(|block| block[..most.len()].to_vec())), Err)
}
