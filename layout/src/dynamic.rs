//! Arrays whose layout is known at run time only: an [`ArrayShape`](crate::ArrayShape) in memory.
//!
//! [`DynLayout`] is the layout, prepared once. Its memory is read by a [`DynView`], written by a [`DynViewMut`] and owned by a
//! [`DynBuffer`], whose elements have a type of Rust. [`DynBytesView`] and the like have bytes instead, and take every element
//! type, packed ones too. Their methods are those of every [`Memory`].
//!
//! Mistakes that are compile errors for layouts as types are errors at run time here, with the same text. Some methods are missing: blocks,
//! a tile as an array of its own, and for packed elements copies of parts.
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
//! view.copy_to(&mut rows, Padding::Leave)?;
//! let typed: View<'_, layout!(F32[3,5]), f32> = rows.as_view().into_typed()?;
//! assert_eq!(typed[[2, 3]], 17.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// The order of modules is that of a page of the documentation: how arrays are made, read, written.
pub(crate) mod layout;

mod construct;

mod place;

mod walk;

mod typed;

mod bits;
#[cfg(feature = "bytemuck")]
mod bytes;
mod copy;
mod error;
#[cfg(feature = "ndarray")]
mod ndarray;

pub use crate::memory::stored::DynStored;
pub use crate::spec::index::{Coordinates, DynIndex};
pub use bits::DynBits;
pub use error::DynError;
pub use layout::DynLayout;
pub use place::DynPart;

// What signatures name, and nobody else.
#[doc(hidden)]
pub use {
    bits::AnyWidth,
    layout::ValueRuns,
    place::PartRuns,
    walk::{DynTiles, TilesOf},
};

use crate::memory::{Aligned, Memory, Spread, SpreadMut};

/// Elements that are read: [`DynLayout::view`] makes it.
pub type DynView<'a, T> = Memory<DynLayout, &'a [T]>;

/// Elements that are read and written: [`DynLayout::view_mut`] makes it.
pub type DynViewMut<'a, T> = Memory<DynLayout, &'a mut [T]>;

/// Elements in memory of its own, which begins at a multiple of 64 bytes: [`DynLayout::zeroed`] makes it.
pub type DynBuffer<T> = Memory<DynLayout, Aligned<T>>;

/// A part of an array: [`Memory::slice`] makes it.
pub type DynSlice<'a, T> = Memory<DynPart, Spread<'a, T>>;

/// A part of an array, to read and write: [`Memory::slice_mut`] makes it.
pub type DynSliceMut<'a, T> = Memory<DynPart, SpreadMut<'a, T>>;

/// Bytes with elements of any type, read as their bits: [`DynLayout::bytes_view`] makes it.
pub type DynBytesView<'a> = Memory<DynLayout, DynBits<&'a [u8]>>;

/// Bytes with elements of any type, read and written as their bits: [`DynLayout::bytes_view_mut`] makes it.
pub type DynBytesViewMut<'a> = Memory<DynLayout, DynBits<&'a mut [u8]>>;

/// Bytes with elements of any type, in memory of its own: [`DynLayout::zeroed_bytes`] makes it.
pub type DynByteBuffer = Memory<DynLayout, DynBits<Aligned<u8>>>;
