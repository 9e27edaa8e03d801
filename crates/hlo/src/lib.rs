//! HLO text: its shapes, the parameters and results of the entry computation, and what a program takes of memory.
//!
//! [`Module`] reads a whole text; [`for_each_shape`] visits every shape of it. The grammar is that of XLA's `hlo_lexer.cc` and
//! `hlo_parser.cc`; values of attributes that nothing here asks for are passed over.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;

#[macro_use]
extern crate layout_core;

mod copies;
mod lifetimes;
mod memory;
pub mod pallas;
mod program;
mod reading;
mod report;

pub use copies::{LayoutCopy, Place};
pub use lifetimes::Kind;
pub use memory::{
    Argument, Group, Hbm, Memory, Vmem,
    advice::{Advice, AdviceKind},
    devices::{Collective, Gather},
    kernels::PallasKernel,
};
pub use program::{
    frames::Frame,
    module::{ComputationLayout, Module, Parameter, for_each_shape, is_module},
    source::Source,
};
pub use reading::error::{Error, ErrorKind};
pub use reading::occurrence::{Computation, Instruction, Occurrence, Role};
pub use report::ReportOptions;
pub use report::bytes::{Bytes, BytesError, device_bytes, device_names};
pub use report::out_of_memory::OutOfMemory;
