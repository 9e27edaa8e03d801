//! The native half of the wheel `tiled-layout`: what the crates `layout` and `layout-files` do, for Python.
//!
//! It has no rule about layouts, and no `unsafe`. The other half, `tiled_layout/*.py`, knows numpy's arrays and JAX.

mod convert;
mod copy;
mod element;
mod error;
mod index;
mod layout;
mod memory;
mod pallas;
mod program;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::convert::{convert, join};
    #[pymodule_export]
    use crate::copy::copy;
    #[pymodule_export]
    use crate::error::LayoutError;
    #[pymodule_export]
    use crate::layout::{Layout, default, jax_layout, layout_of, parse, row_major};
    #[pymodule_export]
    use crate::memory::{limit_bytes, memory_json, memory_report, memory_svg};
    #[pymodule_export]
    use crate::pallas::{Check, check_kernel, largest};
    #[pymodule_export]
    use crate::program::{Buffer, Program, hlo};
    use pyo3::prelude::*;

    #[pymodule_init]
    fn version(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
