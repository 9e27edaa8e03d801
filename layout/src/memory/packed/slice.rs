//! Parts of packed views, cut out by ranges of coordinates.

use core::fmt;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::packed::bits::{BitOrder, LowFirst, ValueOf};
use crate::memory::packed::{PackedView, PackedViewMut};
use crate::memory::slice::outside;
use crate::walk::region::{Ranges, Region, SliceError};

/// A part of a [`PackedView`], cut out by a range of coordinates along each dimension: [`PackedView::slice`] makes it. Indices count
/// from its first element on.
pub struct PackedSlice<'a, L: AnyLayout, O: BitOrder = LowFirst> {
    pub(crate) view: PackedView<'a, L, O>,
    pub(crate) region: Region<L>,
}

/// A part of a [`PackedViewMut`], to read and write: [`PackedViewMut::slice_mut`] makes it. Elements that share a byte with it keep
/// their values.
pub struct PackedSliceMut<'a, L: AnyLayout, O: BitOrder = LowFirst> {
    pub(crate) view: PackedViewMut<'a, L, O>,
    pub(crate) region: Region<L>,
}

/// The methods that read.
macro_rules! reads {
    ($name:ident) => {
        impl<L: AnyLayout, O: BitOrder> $name<'_, L, O> {
            /// The layout of the view that this is a part of: [`as_region`](Self::as_region) says which.
            #[must_use]
            pub const fn layout(&self) -> WithDims<L> {
                self.view.layout()
            }

            /// Elements along each dimension, dimension 0 first.
            #[must_use]
            pub fn dims(&self) -> L::Index {
                self.region.dims()
            }

            /// Where this part lies in its view.
            #[must_use]
            pub const fn as_region(&self) -> Region<L> {
                self.region
            }

            /// The element at an index; `None` outside the part.
            #[inline(always)]
            #[must_use]
            pub fn get(&self, index: L::Index) -> Option<ValueOf<L>> {
                self.view.get(self.region.place(&index)?)
            }
        }

        impl<L: AnyLayout, O: BitOrder> fmt::Debug for $name<'_, L, O> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({:?} of {:?})", stringify!($name), self.region, self.layout())
            }
        }
    };
}

reads! { PackedSlice }
reads! { PackedSliceMut }

copy! { PackedSlice<'a, L: AnyLayout, O: BitOrder> }

impl<'a, L: AnyLayout, O: BitOrder> PackedSlice<'a, L, O> {
    /// All of a view.
    pub(crate) fn whole(view: PackedView<'a, L, O>) -> Self {
        PackedSlice { region: Region::whole(view.dims()), view }
    }

    /// A part of this part: see [`PackedView::slice`].
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    pub fn slice(&self, ranges: impl Ranges<L::Index>) -> Result<Self, SliceError> {
        Ok(PackedSlice { region: self.region.part(ranges)?, ..*self })
    }
}

impl<'a, L: AnyLayout, O: BitOrder> PackedSliceMut<'a, L, O> {
    /// All of a view.
    pub(crate) fn whole(view: PackedViewMut<'a, L, O>) -> Self {
        PackedSliceMut { region: Region::whole(view.dims()), view }
    }

    /// The part to read only.
    #[must_use]
    pub const fn as_slice(&self) -> PackedSlice<'_, L, O> {
        PackedSlice { view: self.view.as_view(), region: self.region }
    }

    /// Writes the element at an index.
    ///
    /// # Panics
    /// If a coordinate is not below the part's size, or if the value does not fit in the bits of an element.
    #[track_caller]
    pub fn set(&mut self, index: L::Index, value: ValueOf<L>) {
        match self.region.place(&index) {
            Some(place) => self.view.set(place, value),
            None => outside(&self.region, &index),
        }
    }
}

impl<'a, L: AnyLayout, O: BitOrder> PackedView<'a, L, O> {
    /// The part of the array in ranges of coordinates, one for each dimension, dimension 0 first: see
    /// [`View::slice`](crate::View::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    ///
    /// # Examples
    /// ```
    /// use layout::{PackedView, layout};
    ///
    /// type A = layout!(U4[2,4]{1,0:E(4)});
    /// let view = PackedView::<A>::new(&[0x21, 0x43, 0x65, 0x87])?;
    /// let slice = view.slice((1.., 1..3))?;
    /// assert_eq!((slice.dims(), slice.get([0, 1]), slice.get([0, 2])), ([1, 2], Some(7), None));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slice(
        &self,
        ranges: impl Ranges<L::Index>,
    ) -> Result<PackedSlice<'a, L, O>, SliceError> {
        PackedSlice::whole(*self).slice(ranges)
    }
}

impl<L: AnyLayout, O: BitOrder> PackedViewMut<'_, L, O> {
    /// The part of the array in ranges of coordinates, to write: see [`PackedView::slice`].
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    ///
    /// # Examples
    /// Writes a block of single bits into a bitmap, clipped at its edge:
    /// ```
    /// use layout::{Padding, PackedView, PackedViewMut, layout};
    ///
    /// type Block = layout!(PRED[4,8]{1,0:E(1)});
    /// type Bitmap = layout!(PRED[6,16]{1,0:E(1)});
    /// let block = PackedView::<Block>::new(&[0xff; 4])?.high_first();
    /// let mut bytes = [0; Bitmap::BYTES];
    /// let mut bitmap = PackedViewMut::<Bitmap>::new(&mut bytes)?.high_first();
    /// let [height, width] = bitmap.dims();
    /// let (y, x) = (4, 6);
    /// let mut part = bitmap.slice_mut((y..height.min(y + 4), x..width.min(x + 8)))?;
    /// let [rows, columns] = part.dims();
    /// block.slice((..rows, ..columns))?.relayout_to(&mut part, Padding::Leave);
    /// assert_eq!(bytes[8..], [0b0000_0011, 0b1111_1100, 0b0000_0011, 0b1111_1100]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn slice_mut(
        &mut self,
        ranges: impl Ranges<L::Index>,
    ) -> Result<PackedSliceMut<'_, L, O>, SliceError> {
        let whole = PackedSliceMut::whole(self.reborrow());
        Ok(PackedSliceMut { region: whole.region.part(ranges)?, ..whole })
    }
}
