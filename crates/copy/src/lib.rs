//! Copies of arrays from any layout to any other, and proofs that none is needed.
//!
//! This is part of the crate `layout` (package `tiled-layout`), whose functions, views and buffers call it. Use that crate.
//!
//! [`bitcast`] proves that a reshape or a transpose leaves every element where it is. `plan` says how to copy an array: as a nest
//! of loops over the digits that both layouts share, with the innermost ones chosen for a kernel. `kernel` has the loops and the
//! kernels. Without the feature `kernels` there are proofs alone.
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(feature = "std")]
extern crate std;

#[macro_use]
extern crate layout_core;

pub mod bitcast;
mod dependencies;
#[cfg(feature = "kernels")]
mod kernel;
mod loops;
mod one_byte;
mod plain;
#[cfg(feature = "kernels")]
mod plan;
mod stretch;

#[cfg(feature = "kernels")]
pub use kernel::settings::{InstructionSet, Settings};
pub use one_byte::OneByte;

/// For the crate `layout` only: not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::bitcast::check::{check_reshape_within, check_transpose_within};
    pub use crate::bitcast::other_array::first_other_dim;
    pub use crate::bitcast::same::{
        COMPILE_TIME_LIMIT, Difference, StepLimit, difference, difference_reshaped,
        same_bytes_within,
    };
    pub use crate::dependencies::Dependencies;
    #[cfg(feature = "kernels")]
    pub use crate::kernel::copying::{
        Copying, MOST_PARTS, Memory, PreparedPlan, copy, copy_loops, copy_part, copy_runs,
    };
    #[cfg(feature = "kernels")]
    pub use crate::kernel::fill::{fill, fill_elements};
    #[cfg(feature = "kernels")]
    pub use crate::kernel::packed;
    #[cfg(feature = "kernels")]
    pub use crate::kernel::policy::LARGER_BLOCKS;
    #[cfg(feature = "kernels")]
    pub use crate::kernel::raw::{InlineMemory, Nested, Whole, bytes, bytes_mut};
    #[cfg(feature = "kernels")]
    pub use crate::kernel::weave::{unweave, weave};
    pub use crate::loops::{Kernel, Loop, MAX_LOOPS, Plan};
    pub use crate::one_byte::Extend;
    pub use crate::plain::Plain;
    #[cfg(feature = "kernels")]
    pub use crate::plan::{LEVELS, PaddingLevel, PaddingPlan, PlanTemplate, Strides, TemplateLoop};
    pub use crate::stretch::Stretch;
}
