//! Blocks of Pallas kernels.

use layout::Size;
use layout::tpu::pallas::{self, BlockDim, BlockIndex, BlockSize, Body, Kernel, Operand, Role, Space};
use pyo3::prelude::*;

use crate::element::element;
use crate::error::{argument, refusal, refused};
use crate::layout::{Layout, generation};

/// An operand as `_pallas.py` describes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Given<'py> {
    role: String,
    dtype: Bound<'py, PyAny>,
    dims: Vec<Size>,
    /// Of each dimension the kind of its block, its size, and its index.
    block: Option<Vec<(String, Size, String)>>,
    space: Option<String>,
    buffers: Option<u32>,
    is_fused: bool,
}

impl Given<'_> {
    fn operand(&self) -> PyResult<Operand> {
        let wrong = |what: &str, name: &str| refusal(format!("{name:?} is not a {what}"));
        let role = Role::from_name(&self.role).ok_or_else(|| wrong("role", &self.role))?;
        let mut operand = Operand::new(role, element(&self.dtype)?, &self.dims);
        if let Some(name) = &self.space {
            let space = Space::from_name(name).ok_or_else(|| wrong("memory space", name))?;
            operand = operand.space(space);
        }
        operand = self.buffers.map_or(operand, |buffers| operand.buffers(buffers));
        operand = if self.is_fused { operand.fused() } else { operand };
        let Some(block) = &self.block else { return Ok(operand) };
        let along = |(kind, size, index): &(String, Size, String)| {
            let size = match kind.as_str() {
                "squeezed" => BlockSize::Squeezed,
                "element" => BlockSize::Element(*size),
                _ => BlockSize::Blocked(*size),
            };
            Ok(BlockDim { size, index: index.parse::<BlockIndex>().map_err(refusal)? })
        };
        Ok(operand.block(&block.iter().map(along).collect::<PyResult<Vec<_>>>()?))
    }
}

/// What the compiler would say of a kernel's blocks, and the memory that they take.
///
/// Windows are one for each operand: inputs, outputs, then scratch.
#[pyclass(frozen, module = "tiled_layout")]
pub(crate) struct Check {
    /// Why the compiler refuses the kernel, and what would be legal; `None` if it accepts it.
    #[pyo3(get)]
    reason: Option<String>,
    /// Bytes of each operand in VMEM, all buffers together.
    #[pyo3(get)]
    windows: Vec<Size>,
    /// Bytes of VMEM of windows and scratch: exact for a body that only moves data, if arrays stay in HBM.
    #[pyo3(get)]
    vmem_bytes: Size,
    /// Bytes of VMEM that were never exceeded, by bodies that compute too.
    #[pyo3(get)]
    bound_bytes: Size,
    /// Bytes of VMEM that the kernel gets.
    #[pyo3(get)]
    limit_bytes: Size,
    layouts: Vec<Option<Layout>>,
}

#[pymethods]
impl Check {
    /// Whether the compiler accepts the blocks, and the windows and the scratch fit.
    #[getter]
    fn ok(&self) -> bool {
        self.reason.is_none()
    }

    /// Whether it is certain to fit, as far as was measured: the bound is at most the limit.
    #[getter]
    fn fits(&self) -> bool {
        self.ok() && self.bound_bytes <= self.limit_bytes
    }

    /// The layout of one buffer of each operand; `None` for operands in HBM.
    #[getter]
    fn layouts(&self) -> Vec<Option<Layout>> {
        let copy = |layout: &Option<Layout>| layout.as_ref().map(|layout| Layout::from(layout.shape));
        self.layouts.iter().map(copy).collect()
    }

    fn __bool__(&self) -> bool {
        self.ok()
    }

    fn __repr__(&self) -> String {
        let verdict = match &self.reason {
            None => "ok".to_owned(),
            Some(reason) => format!("refused: {reason}"),
        };
        let Check { vmem_bytes, bound_bytes, limit_bytes, .. } = self;
        format!(
            "Check({verdict}; {vmem_bytes} bytes of VMEM, at most {bound_bytes}, of {limit_bytes})"
        )
    }
}

#[pyfunction]
pub(crate) fn check_kernel(
    tpu: &str,
    grid: Vec<Option<Size>>,
    parallel: Vec<bool>,
    operands: Vec<Bound<'_, PyAny>>,
    vmem_limit: Option<Size>,
    internal_scratch: Option<Size>,
    body: Option<&str>,
) -> PyResult<Check> {
    let operands = operands.iter().map(|given| given.extract::<Given<'_>>()?.operand());
    let operands = operands.collect::<PyResult<Vec<_>>>()?;
    let grid = grid.into_iter().map(|size| size.unwrap_or(pallas::DYNAMIC)).collect::<Vec<_>>();
    let mut kernel = Kernel::new(generation(tpu)?, &grid, &operands);
    for (axis, _) in parallel.iter().enumerate().filter(|(_, is)| **is) {
        kernel = kernel.parallel(axis);
    }
    kernel = vmem_limit.map_or(kernel, |bytes| kernel.vmem_limit(bytes));
    kernel = internal_scratch.map_or(kernel, |bytes| kernel.internal_scratch(bytes));
    if let Some(name) = body {
        let known = || refused(format!("{name:?} is not a body"), "write `add` or `matmul`, or leave it out");
        kernel = kernel.body(Body::from_name(name).ok_or_else(known)?);
    }
    let all = 0..operands.len();
    Ok(Check {
        reason: kernel.refusal().map(|refusal| refusal.to_string()),
        windows: all.clone().map(|number| kernel.window_bytes(number)).collect(),
        vmem_bytes: kernel.vmem_bytes(),
        bound_bytes: kernel.bound_bytes(),
        limit_bytes: kernel.limit_bytes(),
        layouts: all.map(|number| kernel.window(number).map(Layout::from)).collect(),
    })
}

/// The largest sizes that `accepts(*sizes)` accepts.
#[pyfunction]
pub(crate) fn largest(
    most: &Bound<'_, PyAny>,
    accepts: &Bound<'_, PyAny>,
) -> PyResult<Option<Vec<Size>>> {
    let most = argument::<Vec<Size>>(most)?;
    let mut raised = None;
    let found = pallas::largest_block(&most, |block| {
        let sizes = pyo3::types::PyTuple::new(accepts.py(), block);
        let answer = || accepts.call1(sizes?)?.is_truthy();
        raised.is_none() && answer().unwrap_or_else(|error| {
            raised = Some(error);
            false
        })
    });
    raised.map_or(Ok(found.map(|block| block[..most.len()].to_vec())), Err)
}
