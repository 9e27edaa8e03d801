//! Arrays whose layout is known at run time only: an [`ArrayShape`](crate::ArrayShape) in memory.
//!
//! [`DynLayout`] is the layout, prepared once. Its memory is read by a [`DynView`], written by a [`DynViewMut`] and owned by a
//! [`DynBuffer`], whose elements have a type of Rust. [`DynBytesView`] and the like have bytes instead, and take every element
//! type, packed ones too. Their methods have the names of those of [`View`](crate::View), [`Buffer`](crate::Buffer) and
//! [`PackedView`](crate::PackedView).
//!
//! Mistakes that are compile errors for layouts as types are errors at run time here, with the same text. Some methods are missing:
//! `split_at_mut` and `rows_mut`, whose parts several threads can write; blocks; a tile as an array of its own; and for packed
//! elements tiles, rows and slices.
//!
//! # Examples
//! ```
//! use layout::dynamic::DynLayout;
//! use layout::{Padding, View, layout};
//!
//! // These texts can come from a file, or from a device.
//! let device = DynLayout::new(&"f32[3,5]{1,0:T(2,2)}".parse()?)?;
//! let host = DynLayout::new(&"f32[3,5]".parse()?)?;
//!
//! let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
//! let view = device.view(&data)?;
//! assert_eq!((view[[2, 3]], view.get(&[3, 0])), (17.0, None));
//! assert_eq!(view.runs().map(|(_, run)| run.len()).sum::<usize>(), 15);
//!
//! // Copied, and typed where the program knows the layout.
//! let mut rows = host.zeroed::<f32>()?;
//! view.relayout_to(&mut rows, Padding::Leave)?;
//! let typed: View<'_, layout!(F32[3,5]), f32> = rows.as_typed()?;
//! assert_eq!(typed[[2, 3]], 17.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The order of modules is that of a page of the documentation: how arrays are made, read, written.
pub(crate) mod layout;

pub(crate) mod array;

mod walk;

mod slice;

mod boxes;

mod bytes;

mod copy;
mod error;
#[cfg(feature = "ndarray")]
mod ndarray;
mod parts;
mod typed;

pub use crate::memory::buffer::aligned::Aligned;
pub use crate::types::index::{Coordinates, DynIndex};
pub use array::{DynArray, DynBuffer, DynView, DynViewMut};
pub use bytes::{DynBits, DynByteBuffer, DynBytes, DynBytesView, DynBytesViewMut};
pub use error::DynError;
pub use layout::DynLayout;
pub use parts::DynDestination;
pub use slice::DynSlice;
pub use walk::{DynRow, DynTile};
