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
mod advice;
#[cfg(feature = "alloc")]
mod advise;
#[cfg(feature = "alloc")]
mod alias;
#[cfg(feature = "alloc")]
mod atoms;
#[cfg(feature = "alloc")]
mod attributes;
#[cfg(feature = "alloc")]
mod backward;
#[cfg(feature = "alloc")]
mod buffers;
#[cfg(feature = "alloc")]
mod bytes;
#[cfg(feature = "alloc")]
mod cache;
#[cfg(feature = "alloc")]
mod copies;
#[cfg_attr(not(feature = "alloc"), allow(dead_code, reason = "see `scan`"))]
mod cursor;
#[cfg(feature = "alloc")]
mod difference;
#[cfg(feature = "alloc")]
mod donate;
mod error;
#[cfg(feature = "alloc")]
mod escape;
#[cfg(feature = "alloc")]
mod executions;
mod found;
#[cfg(feature = "alloc")]
mod frames;
#[cfg(feature = "alloc")]
mod in_place;
#[cfg(feature = "alloc")]
mod leads;
mod lex;
#[cfg(feature = "alloc")]
mod lifetimes;
mod mark;
#[cfg(feature = "alloc")]
mod memory;
#[cfg(feature = "alloc")]
mod module;
#[cfg(feature = "alloc")]
mod owners;
#[cfg(feature = "alloc")]
mod picture;
#[cfg(feature = "alloc")]
mod program;
#[cfg(feature = "alloc")]
mod report;
#[cfg_attr(
    not(feature = "alloc"),
    allow(dead_code, reason = "`Module` asks for more than `Shapes`")
)]
mod scan;
mod shapes;
#[cfg(feature = "alloc")]
mod source;
#[cfg(feature = "alloc")]
mod timeline;
#[cfg(feature = "alloc")]
mod usage;
#[cfg(feature = "alloc")]
mod values;

#[cfg(feature = "alloc")]
pub use advice::{Advice, AdviceKind};
#[cfg(feature = "alloc")]
pub use buffers::for_each_buffer;
#[cfg(feature = "alloc")]
pub use bytes::Bytes;
#[cfg(feature = "alloc")]
pub use copies::{LayoutCopy, Place};
pub use error::{Error, ErrorKind};
pub use found::{Computation, Instruction, Occurrence, Role};
#[cfg(feature = "alloc")]
pub use frames::Frame;
#[cfg(feature = "alloc")]
pub use memory::{Argument, Group, Kind, Memory, Peak};
#[cfg(feature = "alloc")]
pub use module::{ComputationLayout, Module, ModuleShapes, Parameter};
#[cfg(feature = "alloc")]
pub use report::ReportOptions;
pub use shapes::{Shapes, shapes};
#[cfg(feature = "alloc")]
pub use source::Source;
