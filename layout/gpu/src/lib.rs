//! Layouts in kernels for GPUs: their functions as text ([`code`](mod@code), with the feature of that name).

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "code")]
#[macro_use]
extern crate layout_core;

#[cfg(feature = "code")]
pub mod code;
