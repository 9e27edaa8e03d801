//! Array layouts in XLA's notation, as values: parsing, checks, arithmetic and printing.
//!
//! This is the core of the crate `layout` (package `tiled-layout`), which re-exports it. Use that crate: it has
//! layouts as types, memory and copies too. Its macros call this one at compile time.
//!
//! ```
//! use layout::ArrayShape;
//!
//! let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
//! let digits = shape.digits()?;
//! assert_eq!(digits.offset(&[2, 3]), Some(17));
//! assert_eq!((shape.elements(), shape.padded_elements()), (Some(15), Some(24)));
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
//!
//! [`ArrayShape`] is the shape of an array with its layout, [`Digits`] that layout prepared for offsets; [`Shape`] is any XLA shape. Most functions are
//! `const`. Only tuples of shapes need a heap (feature `alloc`).
#![no_std]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

#[macro_use]
pub mod base;

// The methods of `ArrayShape` stand on its page in the order of these modules: how it is made, what it has, what is
// computed of it, what can be changed.
mod parse;

mod rules;

mod shape;

pub mod analysis;

mod edit;

pub mod tpu;

mod fault;

pub use analysis::digits::Digits;
pub use analysis::size::{DimNumbers, Index};
pub use base::limits;
pub use base::{List, Size, Visible, is_hidden};
pub use edit::compare::{Equal, same_dimensions};
pub use edit::order::reversed;
pub use edit::permutation;
pub use edit::remap::Origin;
#[cfg(feature = "alloc")]
pub use edit::subshape::Subshapes;
#[cfg(feature = "alloc")]
pub use fault::message::Message;
pub use fault::{Count, Error, Fault, FaultKind, MAX_FAULTS, Place};
pub use parse::skip_space;
pub use shape::memory_space;
#[doc(hidden)]
pub use shape::print;
pub use shape::{
    ArrayFields, ArrayShape, Dim, ElementType, Fill, Property, Shape, Splits, Swizzle, SwizzleUnit,
    TileDim, TileDims, Tiles, Tuple, UnknownSize, XorBits,
};

/// For the crates `layout` and `layout_macros` only: not part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::analysis::digits::inverse::Inverse;
    pub use crate::analysis::digits::view::DigitsView;
    pub use crate::analysis::grid::{Grid, NoGrid};
    pub use crate::analysis::program::{
        FIRST_COORDINATE, FIRST_COUNT, MAX_STEPS, OFFSET, ONE, OffsetProgram, Operands, Registers,
        Step, execute,
    };
    pub use crate::analysis::region::Region;
    pub use crate::analysis::run::counted::{CountedWalk, Counters, RunCursor};
    pub use crate::analysis::run::{NO_EVEN_ROWS, Position, Walk};
    pub use crate::analysis::size::bytes_of;
    pub use crate::analysis::tiling::Tiling;
    pub use crate::analysis::unknown::{Amount, Counts};
    pub use crate::base::text::{Piece, Said, Text};
    pub use crate::base::width::{NATIVE, copy_native, copy_sizes, cut, native};
    pub use crate::fault::Span;
    pub use crate::parse::{ShapeSink, shape_of_tokens};
    pub use crate::parse::{TilesOfTokens, Token, TokenKind, Written, tiles_of_tokens};
    pub use crate::rules::{ArrayLists, Built, PropertyValue, build, not_multiple, tiles};
    pub use crate::shape::print::{MAX_TEXT, dim as write_dim};
    pub use crate::tpu::expansion::Excess;
}

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeDoctests;
