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
mod check;
mod digits;
mod dim;
mod element;
mod error;
mod expansion;
mod fault;
mod grid;
pub mod limits;
mod list;
mod orders;
mod pad_reshape_transpose;
mod padding;
mod parse;
mod parts;
mod place;
mod plan;
mod print;
mod property;
mod region;
mod run;
#[cfg(feature = "serde")]
mod serialize;
mod shape;
mod size;
mod splits;
mod steps;
mod table;
mod text;
mod tiles;
mod tiling;
mod tpu;
mod unknown;
mod with_dims;

pub use array::ArrayShape;
pub use digits::Digits;
pub use dim::Dim;
pub use element::ElementType;
pub use error::{Error, Fault, MAX_FAULTS};
pub use fault::{Count, FaultKind};
pub use list::List;
pub use pad_reshape_transpose::{Bounds, PadReshapeTranspose, TileStep};
pub use padding::Fill;
pub use place::Place;
pub use property::Property;
pub use shape::Shape;
pub use size::Index;
pub use splits::Splits;
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
        Difference, Kernel, Loop, MAX_LOOPS, Moved, NoTranspose, PaddingLevel, PaddingPlan, Plan,
        Stretch,
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
