//! What is written to an array in memory that can be written.
#![allow(unsafe_code, reason = "a place and its slots go together")]

use crate::memory::{
    Memory, place::Place, read::part, storage::AddressedMut, storage::SpreadMut,
    storage::StorageMut, walked::Walked,
};
use crate::order::region::{Ranges, SliceError};

/// Writing: of a `ViewMut`, `Buffer`, `SliceMut` or `StridedMut`, and of packed and run-time memory that is `Mut`.
impl<P: Place, S: StorageMut> Memory<P, S> {
    /// Writes the element at an index.
    ///
    /// # Panics
    /// If the index is out of bounds, or if the value does not fit in the bits of a packed element.
    #[inline(always)]
    #[track_caller]
    pub fn set(&mut self, index: P::At<'_>, value: S::Elem) {
        if self.checked_set(index, value).is_none() {
            self.place.outside(index)
        }
    }

    /// Writes the element at an index; `None` if it is out of bounds.
    ///
    /// # Panics
    /// If the value does not fit in the bits of a packed element.
    #[doc(alias = "try_set")]
    #[inline(always)]
    #[track_caller]
    #[must_use = "`None` says that nothing was written: `set` panics instead"]
    pub fn checked_set(&mut self, index: P::At<'_>, value: S::Elem) -> Option<()> {
        let slot = self.place.find(index)?;
        // SAFETY: it is an element of the place.
        unsafe { self.slots.put(slot, value) };
        Some(())
    }

    /// Writes a value to each element. Padding stays as it is.
    ///
    /// # Panics
    /// If the value does not fit in the bits of a packed element.
    #[track_caller]
    pub fn fill(&mut self, value: S::Elem)
    where
        S::Elem: Copy,
    {
        for run in self.place.runs() {
            // SAFETY: they are elements of the place.
            unsafe { self.slots.fill(run.range(), value) };
        }
    }

    /// The part of the array in ranges of coordinates, to write: see [`slice`](Self::slice).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let mut buffer = Buffer::<layout!(S32[3,5]{1,0:T(2,2)})>::zeroed();
    /// buffer.slice_mut((1.., 2..4))?.fill(7);
    /// assert_eq!((buffer[[0, 2]], buffer[[1, 2]], buffer[[2, 4]]), (0, 7, 0));
    /// # Ok::<(), layout::walks::SliceError>(())
    /// ```
    #[inline(always)]
    pub fn slice_mut(
        &mut self,
        ranges: impl Ranges<P::Index>,
    ) -> Result<Memory<P::Part, S::Unique<'_>>, SliceError> {
        Ok(Memory::of_parts(part(&self.place, ranges)?, self.slots.unique()))
    }
}

/// References to write: of a `ViewMut`, `Buffer`, `SliceMut` or `StridedMut`.
impl<P: Place, S: AddressedMut> Memory<P, S> {
    /// The element at an index, to write; `None` outside the bounds of the array.
    #[inline(always)]
    #[must_use]
    pub fn get_mut(&mut self, index: P::At<'_>) -> Option<&mut S::Elem> {
        let slot = self.place.find(index)?;
        // SAFETY: it is an element of the place.
        Some(unsafe { self.slots.at_mut(slot) })
    }

    /// The elements with their indices to write, in row-major order: see [`indexed_iter`](Self::indexed_iter).
    #[inline(always)]
    pub fn indexed_iter_mut(&mut self) -> Walked<P::Offsets, SpreadMut<'_, S::Elem>> {
        // SAFETY: offsets are of elements of the place, and each comes once.
        unsafe { Walked::new(self.place.row_major(), self.slots.spread()) }
    }

    /// The runs with their elements to write, in the order of memory: see [`runs`](Self::runs).
    #[inline(always)]
    pub fn runs_mut(&mut self) -> Walked<P::Runs<'_>, SpreadMut<'_, S::Elem>> {
        // SAFETY: runs are of elements of the place, and share none.
        unsafe { Walked::new(self.place.runs(), self.slots.spread()) }
    }
}
