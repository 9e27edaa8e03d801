//! Layouts in the notations of other systems: CuTe, Mosaic, MLIR, numpy, JAX and PJRT.
//!
//! | method of [`ArrayShape`] | for | says |
//! |---|---|---|
//! | [`cute`](ArrayShape::cute), [`cute_padded`](ArrayShape::cute_padded) | CuTe | offsets |
//! | [`mosaic`](ArrayShape::mosaic) | memory references of Mosaic kernels | offsets |
//! | [`linalg_pack`](ArrayShape::linalg_pack) | MLIR | memory |
//! | [`numpy`](ArrayShape::numpy) | Python | memory |
//! | [`jax`](ArrayShape::jax) | `jax.experimental.layout` | the layout |
//! | [`pjrt`](ArrayShape::pjrt), [`from_pjrt`](ArrayShape::from_pjrt) | PJRT's C interface | the layout |
//!
//! A method returns a [`NotationError`] if its notation cannot express the layout. Notations of offsets leave out
//! padding after the last element, such as that of `L`; notations of memory produce every slot, padding
//! included. All count in elements. A bounded dimension counts with its bound. No notation has the memory
//! space `S`, the splits `SC` or the metadata `M`: each system gives them elsewhere.

mod by_name;
mod cute;
mod error;
mod jax;
mod linalg_pack;
mod mosaic;
mod numpy;
mod pjrt;
mod reader;
mod tag;

use core::fmt;

pub use by_name::{LayoutError, Notation};
pub use cute::{Cute, CuteMode};
pub use error::NotationError;
pub use jax::Jax;
pub use linalg_pack::{LinalgPack, Pack};
pub use mosaic::Mosaic;
pub use numpy::{Numpy, NumpyInverse};
pub use pjrt::{Pjrt, PjrtError, PjrtMemoryLayout, PjrtMemoryLayoutTiled};
pub use tag::{OneDnn, Tvm};

use crate::shape::array::ArrayShape;
use crate::shape::tiles::TileDim;

/// `*` as a number: XLA's `xla::Tile::kCombineDimension`.
const COMBINED: i64 = i64::MIN;

impl TileDim {
    /// The entry as a number, as XLA stores it. Sizes are at most [`MAX_SIZE`](crate::limits::MAX_SIZE).
    const fn number(self) -> i64 {
        match self {
            TileDim::Size(size) => size as i64,
            TileDim::Combined => COMBINED,
        }
    }
}

impl ArrayShape {
    /// An error if `PAD` or `L` add slots, which what is said of the order and the tiles alone has not.
    const fn without_slots(&self) -> Result<(), NotationError> {
        if self.is_widened() {
            return Err(NotationError::Widened);
        }
        if self.has_tail() { Err(NotationError::Tail) } else { Ok(()) }
    }

    /// Whether `L` adds slots, or would for some sizes of unknown dimensions.
    const fn has_tail(&self) -> bool {
        match (self.physical_elements(), self.padded_elements()) {
            (Some(physical), Some(padded)) => physical != padded,
            _ => self.tail_alignment != 1,
        }
    }
}

/// Writes the items with a separator between them.
fn separated<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl IntoIterator<Item = T>,
    separator: &str,
) -> fmt::Result {
    for (i, item) in items.into_iter().enumerate() {
        if i > 0 {
            f.write_str(separator)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

/// A tuple in Python; a single item is followed by a comma.
struct Tuple<I>(I);

impl<T: fmt::Display, I: ExactSizeIterator<Item = T> + Clone> fmt::Display for Tuple<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        separated(f, self.0.clone(), ", ")?;
        f.write_str(if self.0.len() == 1 { ",)" } else { ")" })
    }
}
