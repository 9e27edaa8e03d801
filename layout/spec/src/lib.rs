//! Array layouts in XLA's notation, as values: parsing, checks, printing and arithmetic.
//!
//! The library `layout` gives it to its users as `layout::spec`, and its macros call it at compile
//! time. Nothing here allocates but tuples of shapes (feature `alloc`), and what can be is `const`.
//!
//! ```
//! use layout_spec::ArrayShape;
//!
//! let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
//! assert_eq!(shape.offset(&[2, 3]), Some(17));
//! # Ok::<(), layout_spec::Error>(())
//! ```
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "alloc")]
extern crate alloc;

mod array;
mod bitcast;
mod check;
mod compare;
mod digits;
mod dim;
mod edit;
mod element;
mod error;
mod expansion;
mod fault;
mod formula;
mod grid;
pub mod hlo;
mod index;
pub mod limits;
mod list;
mod make;
pub mod memory_space;
mod minor_dims;
pub mod notation;
mod order;
mod pad_reshape_transpose;
mod padding;
mod parse;
mod parts;
pub mod permutation;
mod permute;
#[cfg(feature = "alloc")]
pub mod picture;
mod place;
mod plan;
mod print;
mod property;
mod region;
mod reshape;
mod run;
#[cfg(feature = "serde")]
mod serialize;
mod shape;
mod size;
mod splits;
mod steps;
mod stride;
#[cfg(feature = "alloc")]
mod subshape;
mod table;
mod text;
mod tiles;
mod tiling;
mod tpu;
mod unknown;
mod with_dims;

pub use array::ArrayShape;
pub use bitcast::{
    Bitcast, NotBitcast, align_layouts, check_reshape_is_bitcast, check_transpose_is_bitcast,
    decompose_bitcast, deduce_transpose_for_bitcast, is_reshape_or_transpose_bitcast,
    reshape_is_bitcast, reshape_is_bitcast_by_order, transpose_is_bitcast,
    transpose_is_bitcast_by_order,
};
pub use compare::Equal;
pub use digits::Digits;
pub use dim::Dim;
pub use edit::EditError;
pub use element::ElementType;
pub use error::{Error, Fault, MAX_FAULTS};
pub use fault::{Count, FaultKind};
pub use formula::Formula;
pub use index::{IndicesInOrder, bump_indices, compare_indices};
pub use list::List;
pub use order::{ascending_order, descending_order};
pub use pad_reshape_transpose::{Bounds, PadReshapeTranspose, TileStep};
pub use padding::Fill;
pub use place::Place;
pub use plan::Moved;
pub use property::Property;
pub use reshape::{
    DimPairs, SizeOneChanges, dims_unmodified_by_reshape, inserted_or_deleted_size_one_dims,
    normalized_transpose,
};
pub use run::ContiguousRun;
pub use shape::Shape;
pub use size::Index;
pub use splits::Splits;
pub use stride::byte_strides_are_major_to_minor;
#[cfg(feature = "alloc")]
pub use subshape::Subshapes;
pub use tiles::{TileDim, Tiles};
pub use tpu::{DefaultLayoutError, TileFormat, Tpu};
pub use with_dims::DimsError;

/// For the crates `layout` and `layout_macros` only: no part of the public interface.
#[doc(hidden)]
pub mod __private {
    pub use crate::digits::Inverse;
    pub use crate::expansion::Excess;
    pub use crate::grid::{Grid, NoGrid};
    #[cfg(feature = "alloc")]
    pub use crate::parse::{Parsed, Written, shape_of_tokens};
    pub use crate::parse::{Token, TokenKind, tiles_of_tokens};
    pub use crate::parts::{Built, Parts, Value, parts, tiles};
    pub use crate::plan::{
        Difference, Displaced, Kernel, Loop, MAX_LOOPS, MOST_ROWS, NoTranspose, PaddingLevel,
        PaddingPlan, Plan, Stretch,
    };
    pub use crate::print::MAX_TEXT;
    pub use crate::region::Region;
    pub use crate::run::{Counter, Position, Walk};
    pub use crate::steps::{
        FIRST_COORDINATE, FIRST_COUNT, FIRST_RESULT, MAX_REGISTERS, MAX_STEPS, ONE, Step, Steps,
        ZERO,
    };
    pub use crate::table::*;
    pub use crate::text::Text;
    pub use crate::unknown::{Amount, Counts, Quotient};
}
