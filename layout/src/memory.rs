//! Arrays in memory: one type, [`Memory`], of a place and a storage.
//!
//! | alias | place | storage |
//! |---|---|---|
//! | [`View`], [`ViewMut`], [`Buffer`] | [`WithDims`]: a layout | `&[T]`, `&mut [T]`, [`Aligned`] |
//! | [`Slice`], [`SliceMut`] | [`Part`]: a part of an array with a layout | [`Spread`], [`SpreadMut`] |
//! | [`Strided`], [`StridedMut`] | [`Strides`] | `&[T]`, `&mut [T]` |
//! | [`PackedView`], [`PackedViewMut`], [`PackedSlice`], [`PackedSliceMut`] | a layout, a part | [`Packed`]: bits |
//! | [`PackedStrided`], [`PackedStridedMut`] | [`Strides`] | [`Packed`] |
//! | [`DynView`](crate::dynamic::DynView) and the like | [`DynLayout`](crate::dynamic::DynLayout) | each of these |
//!
//! Methods that write are those of storage that is [`StorageMut`], of an alias whose name has `Mut`, or of a buffer.

// The order of modules is that of a page of the documentation: constructors, what is read, what is written.
mod construct;

pub(crate) mod read;

mod write;

pub(crate) mod packed;

#[cfg(feature = "alloc")]
pub(crate) mod aligned;
pub(crate) mod bits;
#[cfg(feature = "alloc")]
pub(crate) mod buffer;
#[cfg(feature = "bytemuck")]
mod bytes;
pub(crate) mod error;
#[cfg(feature = "ndarray")]
pub(crate) mod ndarray;
pub(crate) mod place;
pub(crate) mod storage;
pub(crate) mod stored;
#[cfg(feature = "relayout")]
pub(crate) mod unpacked;
pub(crate) mod walked;

#[cfg(feature = "alloc")]
pub use aligned::Aligned;
pub use bits::{Narrow, Packed};
pub use place::strided::{Strides, StridesError};
pub use place::{Part, Place};
pub use storage::{Addressed, AddressedMut, Storage, StorageMut};

// What bounds ask for, and nobody names.
#[doc(hidden)]
pub use {
    crate::spec::index::AnyIndex,
    bits::{BitFormat, PackedValues, Packing},
    place::mapping::Mapping,
    storage::{FirstSlots, Format, SharedSlots, Slots, Spread, SpreadMut, Values},
    walked::Walked,
};

use crate::array::with_dims::WithDims;
use crate::memory::{bits::LowFirst, stored::DefaultOf};
use crate::spec::element::Bits;

/// An array in memory: where its elements lie (`P`), and what holds its slots (`S`).
///
/// It has a name for each pair of both: [`View`], [`Buffer`], [`Slice`] and so on, which the [module](crate::memory) lists.
///
/// # Which walk?
///
/// | to visit | call | it gives |
/// |---|---|---|
/// | each element with its index, in row-major order | [`indexed_iter`](Self::indexed_iter) | index and element: the slowest walk |
/// | each element, fast for any layout | [`runs`](Self::runs) | stretches of memory along one dimension, without padding |
/// | rows, where a second tile such as `(2,1)` interleaves them | [`rows`](Self::rows) | evenly spaced elements along the most minor dimension |
/// | each tile | [`tiles`](Self::tiles) | the place of each tile, its memory as a slice or as an array of constant length |
/// | tiles of any level, or that combine dimensions (`*`) | [`blocks`](Self::blocks) | only their memory, of constant length |
/// | a part of the array | [`slice`](Self::slice), [`boxes`](Self::boxes) | a [`Slice`], which has these walks too |
#[derive(Clone, Copy)]
pub struct Memory<P, S> {
    pub(crate) place: P,
    /// At least the slots of the place.
    pub(crate) slots: S,
}

impl<P, S> Memory<P, S> {
    /// The slots are those of the place. No name that one could guess: the compiler names private functions.
    #[inline(always)]
    pub(crate) const fn of_parts(place: P, slots: S) -> Self {
        Memory { place, slots }
    }
}

/// Storage borrowed to read.
pub type Shared<'s, S> = <S as Storage>::Shared<'s>;

/// Storage of a part, borrowed to read.
pub type PartOf<'s, S> = <<S as Storage>::Shared<'s> as SharedSlots>::Part;

/// An element: `&T`, or the value of a packed one.
pub type Item<'s, S> = <<S as Storage>::Shared<'s> as Slots>::Item;

/// Consecutive slots: `&[T]`, or [`Packed`].
pub type Stretch<'s, S> = <<S as Storage>::Shared<'s> as Slots>::Stretch;

/// A borrowed slice, read as an array with the layout `L` and elements of type `T`.
///
/// [`View::new`](Memory::new) makes a view of a slice if the layout's type has all sizes; [`WithDims::view`] makes one for any layout.
/// `as_view()` makes one of a [`Buffer`] or a [`ViewMut`]: call a function that takes a `View` as `f(buffer.as_view())`. To write, as in
/// `view[[i, j]] = x`, use a `ViewMut` or a buffer.
///
/// # Examples
/// ```
/// use layout::{View, layout};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
/// let view = View::<A>::new(&data)?;
/// assert_eq!(view[[2, 3]], 17.0);
/// assert_eq!(view.get([3, 0]), None);
/// let sum: f32 = view.runs().flat_map(|(_, run)| run).sum();
/// assert_eq!(sum, 124.0);
/// # Ok::<(), layout::MemoryError>(())
/// ```
pub type View<'a, L, T = DefaultOf<L>> = Memory<WithDims<L>, &'a [T]>;

/// A borrowed slice, read and written as an array with the layout `L` and elements of type `T`.
///
/// # Examples
/// ```
/// use layout::{ViewMut, layout};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let mut data = [0.0; A::PADDED_ELEMENTS];
/// let mut view = ViewMut::<A, f32>::new(&mut data)?;
/// view[[2, 3]] = 1.0;
/// for (_, run) in view.runs_mut() {
///     run.iter_mut().for_each(|x| *x += 1.0);
/// }
/// assert_eq!((data[17], data[9]), (2.0, 0.0));
/// # Ok::<(), layout::MemoryError>(())
/// ```
pub type ViewMut<'a, L, T = DefaultOf<L>> = Memory<WithDims<L>, &'a mut [T]>;

/// Owned memory for an array with the layout `L` and elements of type `T`.
///
/// It holds `PADDED_ELEMENTS` elements, aligned to 64 bytes or to the alignment that you ask for. `zeroed`, `from_fn` and `from_row_major`
/// make a buffer, `buffer[[i, j]]` is an element, and `as_slice` is the memory. `as_view` gives the [`View`] that functions take, and
/// `as_view_mut` the [`ViewMut`].
///
/// These constructors need a layout whose type has all sizes. For sizes that are known only at run time, [`WithDims`] has constructors of
/// the same names.
///
/// # Examples
/// ```
/// use layout::{Buffer, layout};
///
/// type A = layout!(F32[512,1024]{1,0:T(8,128)});
/// let mut buffer = Buffer::<A, f32>::zeroed();
/// buffer[[3, 700]] = 1.0;
/// assert_eq!(buffer.as_slice()[A::offset([3, 700])], 1.0);
/// assert!(buffer.as_slice().as_ptr().addr().is_multiple_of(64));
/// ```
#[cfg(feature = "alloc")]
pub type Buffer<L, T = DefaultOf<L>> = Memory<WithDims<L>, Aligned<T>>;

/// A part of a view, cut out by a range of coordinates along each dimension: [`Memory::slice`] makes it.
pub type Slice<'a, L, T> = Memory<Part<L>, Spread<'a, T>>;

/// A part of a view, to read and write: [`Memory::slice_mut`] makes it. Several threads can write parts that share no element:
/// [`boxes_mut`](Memory::boxes_mut), [`iter_axis_mut`](Memory::iter_axis_mut) and [`split_at_mut`](Memory::split_at_mut) give such.
pub type SliceMut<'a, L, T> = Memory<Part<L>, SpreadMut<'a, T>>;

/// A borrowed slice, read as an array with a stride for each dimension: `R` sizes, and `R` strides in elements.
///
/// Strides may be 0 (all indices along the dimension are one element) and below 0 (the axis is flipped). Only the memory between the first
/// and the last element is needed, so that a sub-matrix need not end with a whole row. It is what `ndarray`'s views are, and
/// `mdspan`'s `layout_stride`. Elements have any type.
///
/// # Examples
/// ```
/// use layout::Strided;
///
/// // Rows 1 and 2 and columns 1 to 3 of a matrix with rows of 5.
/// let matrix: Vec<f32> = (0..20).map(|number| number as f32).collect();
/// let part = Strided::new(&matrix[6..], [2, 3], [5, 1])?;
/// assert_eq!((part[[0, 0]], part[[1, 2]], part.get([2, 0])), (6.0, 13.0, None));
///
/// // The same matrix upside down, and one row as three equal ones.
/// let flipped = Strided::new(&matrix, [4, 5], [-5, 1])?;
/// assert_eq!(flipped[[0, 1]], 16.0);
/// let rows = Strided::new(&matrix[..5], [3, 5], [0, 1])?;
/// assert_eq!(rows[[2, 4]], 4.0);
/// # Ok::<(), layout::memory::StridesError>(())
/// ```
pub type Strided<'a, T, const R: usize> = Memory<Strides<R>, &'a [T]>;

/// A borrowed slice, read and written as an array with a stride for each dimension: a [`Strided`] whose elements share no memory.
///
/// What lies between its elements keeps its values.
pub type StridedMut<'a, T, const R: usize> = Memory<Strides<R>, &'a mut [T]>;

/// Packed elements that are read with the layout `L`: they take 1, 2 or 4 bits in memory (`E(4)` and so on). Signed integers are read as
/// `i8`, unsigned ones as `u8`, and of other types the bits, in the low bits of a `u8`.
///
/// The first element of a byte is its low bits, as in XLA; `high_first` reads them from the high end.
///
/// # Examples
/// ```
/// use layout::{PackedView, layout};
///
/// type A = layout!(S4[3,5]{1,0:T(2,2)E(4)});
/// let mut bytes = [0; A::BYTES];
/// bytes[8] = 0xd5;                                    // slots 16 (low bits) and 17
/// let view = PackedView::<A>::new(&bytes)?;
/// assert_eq!((view[[2, 2]], view[[2, 3]]), (5, -3));
/// assert_eq!(view.get([3, 0]), None);
/// assert_eq!(view.runs().flat_map(|(_, run)| run).max(), Some(5));
/// # Ok::<(), layout::MemoryError>(())
/// ```
pub type PackedView<'a, L, O = LowFirst> = Memory<WithDims<L>, Packed<&'a [u8], Narrow<L, O>>>;

/// Packed elements that are read and written with the layout `L`: see [`PackedView`]. `set` writes one: `view[index]` only reads, since an
/// element that shares a byte has no address.
///
/// # Examples
/// ```
/// use layout::{PackedViewMut, layout};
///
/// type A = layout!(S4[3,5]{1,0:T(2,2)E(4)});
/// let mut bytes = [0; A::BYTES];
/// let mut view = PackedViewMut::<A>::new(&mut bytes)?;
/// view.set([2, 3], -3);
/// assert_eq!((view[[2, 3]], view.checked_set([3, 0], 5)), (-3, None));
/// assert_eq!(bytes[8], 0xd0);
/// # Ok::<(), layout::MemoryError>(())
/// ```
pub type PackedViewMut<'a, L, O = LowFirst> =
    Memory<WithDims<L>, Packed<&'a mut [u8], Narrow<L, O>>>;

/// A part of a [`PackedView`], cut out by a range of coordinates along each dimension.
pub type PackedSlice<'a, L, O = LowFirst> = Memory<Part<L>, Packed<&'a [u8], Narrow<L, O>>>;

/// A part of a [`PackedViewMut`], to read and write. Elements that share a byte with it keep their values.
pub type PackedSliceMut<'a, L, O = LowFirst> = Memory<Part<L>, Packed<&'a mut [u8], Narrow<L, O>>>;

/// A borrowed slice of bytes, read as an array of elements of 1, 2 or 4 bits (`BITS`) with a stride for each dimension: what a [`Strided`] is
/// to elements of whole bytes.
///
/// Sizes, strides and offsets count elements, dimension 0 first: a row of 5 bytes has a stride of 40 elements of one bit. Strides may be 0
/// and below 0. The first element of a byte is its low bits; `high_first` reads them from the high end.
///
/// # Examples
/// ```
/// use layout::memory::PackedStrided;
///
/// // A bitmap of 2×10 pixels with rows of 3 bytes, the leftmost pixel a high bit.
/// let bytes = [0b1000_0000, 0b0100_0000, 0, 0b0110_0000, 0];
/// let bitmap = PackedStrided::<1, 2>::new(&bytes, [2, 10], [24, 1])?.high_first();
/// assert_eq!((bitmap.get([0, 9]), bitmap.get([1, 1]), bitmap.get([1, 10])), (Some(1), Some(1), None));
/// # Ok::<(), layout::memory::StridesError>(())
/// ```
pub type PackedStrided<'a, const BITS: usize, const R: usize, O = LowFirst> =
    Memory<Strides<R>, Packed<&'a [u8], Narrow<Bits<BITS>, O>>>;

/// A borrowed slice of bytes, written as an array of elements of 1, 2 or 4 bits (`BITS`) with a stride for each dimension: a
/// [`PackedStrided`] whose elements share no memory. Bits between its elements keep their values.
pub type PackedStridedMut<'a, const BITS: usize, const R: usize, O = LowFirst> =
    Memory<Strides<R>, Packed<&'a mut [u8], Narrow<Bits<BITS>, O>>>;
