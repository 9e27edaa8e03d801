//! HLO text: finding its shapes, and the parameters and results of the entry computation.
//!
//! [`shapes`] finds every shape of a text without a heap; [`Module`] (feature `alloc`) reads them all, each
//! distinct one once. The grammar is that of XLA's `hlo_lexer.cc` and `hlo_parser.cc`, as far as shapes need
//! it: attributes, constants and metadata are skipped, with the strings, comments and braces in them.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[macro_use]
extern crate layout_core;

#[cfg(feature = "alloc")]
mod copies;
#[cfg(feature = "alloc")]
mod lifetimes;
#[cfg(feature = "alloc")]
mod memory;
#[cfg(feature = "alloc")]
mod program;
mod reading;
#[cfg(feature = "alloc")]
mod report;

#[cfg(feature = "alloc")]
pub use copies::{LayoutCopy, Place};
#[cfg(feature = "alloc")]
pub use memory::{
    Argument, Group, Kind, Memory, Peak,
    advice::{Advice, AdviceKind},
    kernels::PallasKernel,
};
#[cfg(feature = "alloc")]
pub use program::{
    buffers::for_each_buffer,
    frames::Frame,
    module::{ComputationLayout, Module, ModuleShapes, Parameter},
    source::Source,
};
pub use reading::error::{Error, ErrorKind};
pub use reading::found::{Computation, Instruction, Occurrence, Role};
pub use reading::shapes::{Shapes, shapes};
#[cfg(feature = "alloc")]
pub use report::{ReportOptions, bytes::Bytes};
