//! Elements found without a check at run time: proved by the compiler, or by the caller.

// Halves of a view interleave in memory, so parts to write hold a pointer. The slots of a region's elements
// belong to it alone: different elements have different offsets, regions of different slices are disjoint, and
// padding is reached only through tiles all of whose elements are in the region.
#![allow(unsafe_code, reason = "the checks are what this module leaves out")]

use core::fmt;
use core::marker::PhantomData;

use layout_core::__private::NATIVE;

use crate::compiled::find;
use crate::compiled::{AnyLayout, stop};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::types::array::Array;
use crate::types::{DimList, Dims, Element, NumberList, Properties, StaticDims, TileSpec};

/// The place of an element of the layout `L`, known to be in range; [`Array::slot`] makes it.
pub struct Slot<L> {
    /// The offset of an element.
    offset: usize,
    layout: PhantomData<L>,
}

impl<L> Slot<L> {
    /// Position in memory, in elements.
    #[must_use]
    pub const fn offset(self) -> usize {
        self.offset
    }
}

copy! { Slot<L> }

impl<L> fmt::Debug for Slot<L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Slot").field(&self.offset).finish()
    }
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// The place of an element, for [`View::at`](crate::View::at): in a `const`, the compiler checks the index.
    ///
    /// Does not compile for a layout with bounded dimensions, of which a view can have fewer elements.
    ///
    /// # Panics
    /// If a coordinate is not below its dimension; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// assert_eq!(view.at(const { A::slot([2, 3]) }), &1.0);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[track_caller]
    #[must_use]
    pub const fn slot<const R: usize>(index: [usize; R]) -> Slot<Self>
    where
        D: StaticDims + Dims<R>,
    {
        const {
            if size_of::<D::Sizes>() != 0 {
                stop("a bounded dimension has as many elements as a view says: index the view");
            }
        }
        Slot { offset: Self::offset(index), layout: PhantomData }
    }
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// The element at a place that is known to be in range: no check at run time.
    #[inline(always)]
    #[must_use]
    pub const fn at(&self, slot: Slot<L>) -> &'a T {
        // SAFETY: a view has as many slots as its layout with the view's sizes. `Array::slot`, which alone
        // makes a slot, asked that all sizes are part of the layout's type, so that these are the same, and
        // that the index is in range: its offset is below their number.
        unsafe { &*self.as_slice().as_ptr().add(slot.offset) }
    }

    /// The element at an index, without looking whether this is in range.
    ///
    /// # Safety
    /// Every coordinate has to be below its dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A, f32>::new(&data)?;
    /// // SAFETY: 2 is below 3, and 3 below 5.
    /// assert_eq!(unsafe { view.get_unchecked([2, 3]) }, &1.0);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub unsafe fn get_unchecked(&self, index: L::Index) -> &'a T {
        // SAFETY: a view has as many slots as its layout with the view's sizes, and the caller vouches that
        // the index is in range: its offset is below their number.
        unsafe {
            self.as_slice().get_unchecked(find::find_unchecked::<L, NATIVE>(&self.sizes(), &index))
        }
    }
}

impl<'a, L: AnyLayout, T> ViewMut<'a, L, T> {
    /// The element at a place, for as long as the memory is borrowed.
    #[inline(always)]
    pub(super) fn into_slot(self, slot: Slot<L>) -> &'a mut T {
        // SAFETY: as for `View::at`.
        unsafe { self.into_mut_slice().get_unchecked_mut(slot.offset) }
    }

    /// The element at an index, without looking whether this is in range: see [`View::get_unchecked`].
    ///
    /// # Safety
    /// Every coordinate has to be below its dimension.
    #[inline(always)]
    #[must_use]
    pub unsafe fn get_unchecked(&self, index: L::Index) -> &T {
        // SAFETY: the caller vouches for the same.
        unsafe { self.as_view().get_unchecked(index) }
    }

    /// The element at an index, to write, without looking whether this is in range.
    ///
    /// # Safety
    /// Every coordinate has to be below its dimension.
    #[inline(always)]
    #[must_use]
    pub unsafe fn get_unchecked_mut(&mut self, index: L::Index) -> &mut T {
        let offset = find::find_unchecked::<L, NATIVE>(&self.sizes(), &index);
        // SAFETY: as for `View::get_unchecked`.
        unsafe { self.as_mut_slice().get_unchecked_mut(offset) }
    }
}
