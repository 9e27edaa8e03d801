//! Copying an array from any layout to any other.

mod any;
mod boxes;
mod copier;
pub(crate) mod copy;
mod destination;
pub(crate) mod error;
mod inline;
mod map;
mod methods;
#[cfg(feature = "ndarray")]
mod ndarray;
pub(crate) mod packed;
mod packed_part;
pub(crate) mod padding;
#[cfg(feature = "alloc")]
mod parts;
mod planes;
#[cfg(feature = "alloc")]
mod row_major;
#[cfg(all(feature = "alloc", feature = "serde"))]
mod serialize;
mod short_digits;
pub(crate) mod slice;
mod stride_loops;
mod strided;
mod strided_value;
mod tiles;
mod uninit;
mod value;

pub use copier::{Copier, CopyError};
pub use copy::{relayout, relayout_with};
pub use destination::Destination;
pub use error::{RelayoutError, Side};
pub use inline::{copied_inline, relayout_const};
pub use layout_copy::{InstructionSet, OneByte, Settings};
pub use packed::{pack, repack, unpack};
pub use padding::Padding;
#[cfg(feature = "alloc")]
pub use parts::PlannedParts;
pub use stride_loops::{between_strides_inline, from_strides_inline, to_strides_inline};
pub use strided_value::StridedRelayout;
pub use uninit::relayout_uninit;
pub use value::{Relayout, RelayoutPlanError};
