//! Packed formats by their names ([`packed_format`]), and arrays by any text that says one (`parse_any`, with the features `alloc`
//! and `notation`).

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[macro_use]
extern crate layout_core;

pub mod packed_format;
#[cfg(all(feature = "alloc", feature = "notation"))]
pub mod parse_any;
