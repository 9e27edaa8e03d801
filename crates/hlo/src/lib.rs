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
mod program;
mod reading;
mod report;

pub use copies::{LayoutCopy, Place};
pub use memory::{
    Argument, Group, Kind, Memory, Peak,
    advice::{Advice, AdviceKind},
    kernels::PallasKernel,
};
pub use program::{
    buffers::Produced,
    frames::Frame,
    module::{ComputationLayout, Module, Parameter, for_each_shape, is_module},
    source::Source,
};
pub use reading::error::{Error, ErrorKind};
pub use reading::found::{Computation, Instruction, Occurrence, Role};
pub use report::{ReportOptions, bytes::Bytes};
