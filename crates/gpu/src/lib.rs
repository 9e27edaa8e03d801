//! Shared memory and registers of GPUs: bank conflicts, fragments of operands, descriptors and tensor maps; and
//! the functions of a layout as text for kernels ([`code`](mod@code), [`code!`]).
//!
//! A tile in shared memory is a `layout::ArrayShape`, often with a `layout::shape::Swizzle`. These modules
//! say how the hardware sees it:
//!
//! | module | says |
//! |---|---|
//! | [`banks`] | how many bank conflicts an access has, and which swizzle or padding removes them |
//! | [`shared`] | the tiles of Triton, TVM, CuTe and cubecl |
//! | [`descriptor`] | what `wgmma` and `tcgen05` are told of a tile |
//! | [`tensor_map`] | what TMA is told to copy into it |
//! | [`fragment`] | which lane holds which element of an operand in registers or tensor memory |
//!
//! Nearly all of it is `const`. The error of each module has `or_panic`, which makes a compile error of what is wrong in a
//! constant:
//!
//! ```compile_fail,E0080
//! use layout_gpu::descriptor::{Descriptor, DescriptorError, Factor};
//! use layout::layout;
//!
//! // Tensor cores do not read rows of 128 bytes without a swizzle.
//! type Tile = layout!(F16[64,64]);
//! const A: Descriptor =
//!     DescriptorError::or_panic(Descriptor::wgmma(Tile::SHAPE, Factor::A(64), 1));
//! ```
//!
//! The module [`shared_memory`] is a page that goes from a tile with bank conflicts to one without.

#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[macro_use]
extern crate layout_core;

#[macro_use]
mod error;
mod swizzle_codes;

pub mod banks;
pub mod code;
pub mod descriptor;
pub mod fragment;
pub mod shared;
pub mod shared_memory {
    #![doc = include_str!("shared_memory.md")]
}
pub mod tensor_map;
