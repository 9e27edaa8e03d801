//! Memory whose elements are narrower than a byte.

pub(crate) mod bits;
pub(crate) mod slice;
pub(crate) mod strided;
pub(crate) mod tile;

use core::fmt;
use core::iter::FusedIterator;
use core::marker::PhantomData;
use core::ops::Index;

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, StaticLayout, outside};
use crate::memory::packed::bits::{BitOrder, HighFirst, LowFirst, PackedBits, ValueOf, value};
use crate::memory::packed::tile::PackedTile;
use crate::memory::print::debug;
use crate::memory::view::{Needs, TooShort};
use crate::types::element::PackedWidth;
use crate::walk::grid::{Places, TilePlace, block};
use crate::walk::run::Run;

/// Packed elements that are read with the layout `L`: they take 1, 2 or 4 bits in memory (`E(4)` and so on). Signed integers
/// are read as `i8`, unsigned ones as `u8`, and of other types the bits, in the low bits of a `u8`.
///
/// The first element of a byte is its low bits, as in XLA; [`high_first`](Self::high_first) reads them from
/// the high end.
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
/// # Ok::<(), layout::TooShort>(())
/// ```
pub struct PackedView<'a, L: AnyLayout, O: BitOrder = LowFirst> {
    /// The bytes of `layout`, padding included.
    bytes: &'a [u8],
    layout: WithDims<L>,
    order: PhantomData<fn() -> O>,
}

/// Packed elements that are read and written with the layout `L`: see [`PackedView`]. [`set`](Self::set) writes one:
/// `view[index]` only reads, since an element that shares a byte has no address.
///
/// # Examples
/// ```
/// use layout::{PackedViewMut, layout};
///
/// type A = layout!(S4[3,5]{1,0:T(2,2)E(4)});
/// let mut bytes = [0; A::BYTES];
/// let mut view = PackedViewMut::<A>::new(&mut bytes)?;
/// view.set([2, 3], -3);
/// assert_eq!(view.checked_set([3, 0], 5), None);
/// assert_eq!(bytes[8], 0xd0);
/// # Ok::<(), layout::TooShort>(())
/// ```
pub struct PackedViewMut<'a, L: AnyLayout, O: BitOrder = LowFirst> {
    /// The bytes of `layout`, padding included.
    bytes: &'a mut [u8],
    layout: WithDims<L>,
    order: PhantomData<fn() -> O>,
}

/// The layout whose type says all sizes, and its bytes.
const fn known<L: AnyLayout>() -> (WithDims<L>, usize) {
    (WithDims::known(), compiled::bytes::<L>(L::SLOTS))
}

impl<'a, L: AnyLayout> PackedView<'a, L> {
    /// A view of the first `BYTES` of the slice. The sizes of the layout are all part of its type; for dimensions that are
    /// known at run time only, [`WithDims::packed_view`] makes views.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub const fn new(data: &'a [u8]) -> Result<Self, TooShort>
    where
        L: StaticLayout<Width: PackedWidth>,
    {
        let (layout, needed) = const { known::<L>() };
        match TooShort::first(data, needed, Needs::bytes::<L>()) {
            Ok(bytes) => Ok(PackedView { bytes, layout, order: PhantomData }),
            Err(error) => Err(error),
        }
    }

    /// This view read from the high end: the first element of a byte is its high bits, as in bitmaps
    /// and on e-paper displays.
    ///
    /// # Examples
    /// ```
    /// use layout::{PackedView, layout};
    ///
    /// type Bitmap = layout!(PRED[2,8]{1,0:E(1)});
    /// let bytes = [0b1000_0001, 0b0100_0000];
    /// let view = PackedView::<Bitmap>::new(&bytes)?.high_first();
    /// assert_eq!((view[[0, 0]], view[[1, 1]], view[[1, 6]]), (1, 1, 0));
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[must_use]
    pub const fn high_first(self) -> PackedView<'a, L, HighFirst> {
        PackedView { bytes: self.bytes, layout: self.layout, order: PhantomData }
    }
}

/// The methods that read: `$a` is the lifetime of the references that they return.
macro_rules! reads {
    ($name:ident<$a:lifetime> $($declared:lifetime)?) => {
        impl<$($declared,)? L: AnyLayout, O: BitOrder> $name<$a, L, O> {
            /// The layout, with the sizes of its dimensions.
            #[inline(always)]
            #[must_use]
            pub const fn layout(&self) -> WithDims<L> {
                self.layout
            }

            /// The memory, padding included.
            #[must_use]
            pub const fn as_bytes(&self) -> &$a [u8] {
                self.bytes
            }

            /// The element at an index; `None` outside the bounds of the array.
            #[inline(always)]
            #[must_use]
            pub fn get(&self, index: L::Index) -> Option<ValueOf<L>> {
                self.find(index).copied()
            }

            #[inline(always)]
            fn find(&self, index: L::Index) -> Option<&'static ValueOf<L>> {
                let slot = self.layout.checked_offset(index)?;
                Some(value::<L>(bits::get::<L, O>(self.bytes, slot)))
            }

            fn values(
                &self,
            ) -> impl ExactSizeIterator<Item = (L::Index, &'static ValueOf<L>)> + use<$a, L, O> {
                let bytes = self.as_bytes();
                let indices = self.layout.indices_row_major();
                indices.map(move |(index, slot)| (index, value::<L>(bits::get::<L, O>(bytes, slot))))
            }

            /// The elements with their indices in row-major order: for any layout, the last dimension
            /// varies fastest. [`runs`](Self::runs) is faster, in the order of memory.
            ///
            /// # Examples
            /// ```
            /// use layout::{PackedView, layout};
            ///
            /// type A = layout!(U4[2,2]{0,1:E(4)});
            /// let view = PackedView::<A>::new(&[0x31, 0x42])?;
            /// assert!(view.iter().eq([([0, 0], 1), ([0, 1], 2), ([1, 0], 3), ([1, 1], 4)]));
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            pub fn iter(&self) -> impl ExactSizeIterator<Item = (L::Index, ValueOf<L>)> + use<$a, L, O> {
                self.values().map(|(index, value)| (index, *value))
            }

            /// The runs of the layout with their elements, in the order of memory.
            pub fn runs(
                &self,
            ) -> impl FusedIterator<Item = (Run<L::Index>, PackedBits<$a, L, O>)> + use<$a, L, O> {
                let bytes = self.as_bytes();
                self.layout.runs().map(move |run| (run, PackedBits::new(bytes, run.range())))
            }

            /// Sizes of the dimensions in elements, dimension 0 first.
            #[doc(alias = "shape")]
            #[inline(always)]
            #[must_use]
            pub fn dims(&self) -> L::Index {
                self.layout.dims()
            }

            /// The elements in row-major order, one element a byte.
            #[cfg(feature = "alloc")]
            #[must_use]
            pub fn to_vec(&self) -> alloc::vec::Vec<ValueOf<L>> {
                self.iter().map(|(_, value)| value).collect()
            }

            /// The tiles of the outermost tiling in the order of memory: see [`View::tiles`](crate::View::tiles).
            ///
            /// # Examples
            /// ```
            /// use layout::{PackedView, layout};
            ///
            /// type A = layout!(S4[3,5]{1,0:T(2,2)E(4)});
            /// let bytes: Vec<u8> = (0..12).collect();
            /// let view = PackedView::<A>::new(&bytes)?;
            /// let tile = view.tile([1, 1]).unwrap();
            /// assert_eq!((tile.origin(), tile.extent()), ([2, 2], [1, 2]));
            /// assert!(tile.slots().eq([-8, 0, -7, 0]));
            /// assert_eq!(view.tiles().len(), 6);
            /// # Ok::<(), layout::TooShort>(())
            /// ```
            pub fn tiles(
                &self,
            ) -> impl ExactSizeIterator<Item = PackedTile<$a, L, O>> + FusedIterator + use<$a, L, O> {
                let () = L::HAS_GRID;
                let (bytes, sizes) = (self.as_bytes(), self.layout().sizes());
                let count = compiled::tiled_slots::<L>(&sizes) / block::<L>(&sizes).max(1);
                let mut places = Places::<L>::new(sizes);
                (0..count).map(move |number| PackedTile::new(number, places.next(), bytes, sizes))
            }

            /// The tile at a position in the grid, dimension 0 first; `None` outside `TILE_COUNTS`.
            #[must_use]
            pub fn tile(&self, tile: L::Index) -> Option<PackedTile<$a, L, O>> {
                let () = L::HAS_GRID;
                let sizes = self.layout().sizes();
                let number = TilePlace::<L>::number(&sizes, &tile)?;
                Some(PackedTile::new(number, TilePlace::of(&sizes, tile), self.as_bytes(), sizes))
            }
        }

        impl<L: AnyLayout, O: BitOrder> Index<L::Index> for $name<'_, L, O> {
            type Output = ValueOf<L>;

            /// # Panics
            /// If a coordinate is not below its dimension.
            #[inline(always)]
            #[track_caller]
            fn index(&self, index: L::Index) -> &ValueOf<L> {
                match self.find(index) {
                    Some(value) => value,
                    None => outside::<L>(&self.layout.sizes(), &index),
                }
            }
        }

        impl<L: AnyLayout, O: BitOrder> fmt::Debug for $name<'_, L, O> {
            /// The layout and the first elements in row-major order.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                debug(f, stringify!($name), format_args!("{:?}", self.layout), self.values())
            }
        }
    };
}

reads! { PackedView<'a> 'a }
reads! { PackedViewMut<'_> }

copy! { PackedView<'a, L: AnyLayout, O: BitOrder> }

impl<'a, L: AnyLayout> PackedViewMut<'a, L> {
    /// A view of the first `BYTES` of the slice. The sizes of the layout are all part of its type; for dimensions that are
    /// known at run time only, [`WithDims::packed_view_mut`] makes views.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub const fn new(data: &'a mut [u8]) -> Result<Self, TooShort>
    where
        L: StaticLayout<Width: PackedWidth>,
    {
        let (layout, needed) = const { known::<L>() };
        match TooShort::first_mut(data, needed, Needs::bytes::<L>()) {
            Ok(bytes) => Ok(PackedViewMut { bytes, layout, order: PhantomData }),
            Err(error) => Err(error),
        }
    }

    /// This view read and written from the high end: see [`PackedView::high_first`].
    #[must_use]
    pub const fn high_first(self) -> PackedViewMut<'a, L, HighFirst> {
        PackedViewMut { bytes: self.bytes, layout: self.layout, order: PhantomData }
    }
}

impl<L: AnyLayout, O: BitOrder> PackedViewMut<'_, L, O> {
    /// The view to read only.
    #[inline(always)]
    #[must_use]
    pub const fn as_view(&self) -> PackedView<'_, L, O> {
        PackedView { bytes: self.bytes, layout: self.layout, order: PhantomData }
    }

    /// Borrows the view for a shorter time: pass the result by value, and use the view again afterwards.
    #[inline(always)]
    #[must_use]
    pub const fn reborrow(&mut self) -> PackedViewMut<'_, L, O> {
        PackedViewMut { bytes: self.bytes, layout: self.layout, order: PhantomData }
    }

    /// Writes the element at an index.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension, or if the value does not fit in the bits of an element.
    ///
    /// # Examples
    /// ```
    /// use layout::{PackedViewMut, layout};
    ///
    /// type A = layout!(S4[3,5]{1,0:T(2,2)E(4)});
    /// let mut bytes = [0; A::BYTES];
    /// let mut view = PackedViewMut::<A>::new(&mut bytes)?;
    /// view.set([2, 3], -3);
    /// assert_eq!(view[[2, 3]], -3);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[inline(always)]
    #[track_caller]
    pub fn set(&mut self, index: L::Index, value: ValueOf<L>) {
        if self.checked_set(index, value).is_none() {
            outside::<L>(&self.layout.sizes(), &index)
        }
    }

    /// Writes like [`set`](Self::set), but returns `None` and writes nothing if the index is out of bounds.
    ///
    /// # Panics
    /// If the value does not fit in the bits of an element.
    #[doc(alias = "try_set")]
    #[inline(always)]
    #[track_caller]
    #[must_use = "`None` says that nothing was written: `set` panics instead"]
    pub fn checked_set(&mut self, index: L::Index, value: ValueOf<L>) -> Option<()> {
        let slot = self.layout.checked_offset(index)?;
        bits::set::<L, O>(self.bytes, slot, bits::bits_of::<L>(value));
        Some(())
    }

    /// Writes a value to every element. Padding stays as it is.
    ///
    /// # Panics
    /// If the value does not fit in the bits of an element.
    ///
    /// # Examples
    /// ```
    /// use layout::{PackedViewMut, layout};
    ///
    /// type A = layout!(U4[3]{0:T(4)E(4)});
    /// let mut bytes = [0; A::BYTES];
    /// PackedViewMut::<A>::new(&mut bytes)?.fill(7);
    /// assert_eq!(bytes, [0x77, 0x07]);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[track_caller]
    pub fn fill(&mut self, value: ValueOf<L>) {
        let bits = bits::bits_of::<L>(value);
        for run in self.layout.runs() {
            bits::fill::<L, O>(self.bytes, run.range(), bits);
        }
    }

    /// The memory, padding included, to write.
    #[must_use]
    pub const fn as_mut_bytes(&mut self) -> &mut [u8] {
        self.bytes
    }
}

impl<L: AnyLayout> WithDims<L> {
    /// A view of the first [`bytes`](Self::bytes) of the slice, for elements narrower than a byte.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub fn packed_view<'a>(&self, data: &'a [u8]) -> Result<PackedView<'a, L>, TooShort>
    where
        L: AnyLayout<Width: PackedWidth>,
    {
        let bytes = TooShort::first(data, self.bytes(), Needs::bytes::<L>())?;
        Ok(PackedView { bytes, layout: *self, order: PhantomData })
    }

    /// A view of the first [`bytes`](Self::bytes) of the slice, for elements narrower than a byte, to
    /// write.
    ///
    /// # Errors
    /// If the slice has fewer; the numbers of the error are bytes.
    pub fn packed_view_mut<'a>(&self, data: &'a mut [u8]) -> Result<PackedViewMut<'a, L>, TooShort>
    where
        L: AnyLayout<Width: PackedWidth>,
    {
        let bytes = TooShort::first_mut(data, self.bytes(), Needs::bytes::<L>())?;
        Ok(PackedViewMut { bytes, layout: *self, order: PhantomData })
    }
}
