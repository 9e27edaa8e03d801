//! The arithmetic of layouts: tiles become digits, digits become offsets, sizes, runs and tables.

// First on the page of `Digits`.
pub(crate) mod digits;

pub(crate) mod digit;
pub(crate) mod elements;
pub(crate) mod formula;
pub(crate) mod grid;
pub(crate) mod pad_reshape_transpose;
#[doc(hidden)]
pub mod program;
pub(crate) mod region;
pub(crate) mod remarks;
pub(crate) mod run;
pub(crate) mod size;
pub(crate) mod slice;
pub(crate) mod tiling;
pub(crate) mod unknown;
pub use digit::{Digit, DigitSource, Sum, Term};
pub use digits::coord_digits::{CoordDigit, Resolved, Unresolved};
pub use digits::dim_digits::{DigitSequence, DimDigit};
pub use digits::view::DigitsView;
pub use formula::Formula;
pub use grid::NoGrid;
pub use pad_reshape_transpose::{PadReshapeTranspose, TileStep};
pub use run::ContiguousRun;
pub use size::bytes_of;
pub use slice::NotAddressable;
pub use tiling::Tiling;
pub use unknown::{Amount, Counts, Quotient};
