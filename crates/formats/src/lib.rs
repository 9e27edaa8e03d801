//! Packed formats by their names ([`packed_format`]), and arrays by any text that says one ([`parse_any`]).

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

#[macro_use]
extern crate layout_core;

pub mod packed_format;
pub mod parse_any;
