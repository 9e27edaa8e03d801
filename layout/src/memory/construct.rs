//! How views are made of slices, and slices of views.

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
use crate::memory::{
    Memory, StorageMut, View, ViewMut, error::ELEMENTS, error::MemoryError, place::Place,
    read::part, storage::SpreadMut, stored::StoredIn,
};
use crate::order::region::{Ranges, SliceError};

/// Of a borrowed slice.
impl<'a, L: AnyLayout, T> Memory<WithDims<L>, &'a [T]> {
    /// A view of the first `PADDED_ELEMENTS` elements of the slice. For layouts with sizes that are known only at run
    /// time, use [`WithDims::view`].
    ///
    /// # Errors
    /// If the slice has fewer elements.
    pub const fn new(data: &'a [T]) -> Result<Self, MemoryError>
    where
        L: StaticLayout,
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        let place = const { WithDims::known() };
        let slots = ok!(MemoryError::first::<L, T>(data, L::SLOTS, ELEMENTS));
        Ok(Memory { place, slots })
    }

    /// A view of the first elements of the slice, of any layout with these sizes: [`WithDims::view`] for sizes that are kept.
    ///
    /// # Errors
    /// If the sizes do not go with the layout, or the slice has fewer elements.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// let view = View::<layout!(F32[?,?]{0,1})>::with_dims(&[0.0, 2.0, 1.0, 3.0], [2, 2])?;
    /// assert_eq!(view[[1, 0]], 2.0);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    pub fn with_dims(data: &'a [T], dims: L::Index) -> Result<Self, MemoryError>
    where
        T: StoredIn<L>,
    {
        WithDims::<L>::checked(&dims)?.view(data)
    }
}

/// Of a borrowed slice, to write.
impl<'a, L: AnyLayout, T> Memory<WithDims<L>, &'a mut [T]> {
    /// A view of the first `PADDED_ELEMENTS` elements of the slice. For layouts with sizes that are known only at run
    /// time, use [`WithDims::view_mut`].
    ///
    /// # Errors
    /// If the slice has fewer elements.
    pub const fn new(data: &'a mut [T]) -> Result<Self, MemoryError>
    where
        L: StaticLayout,
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        let place = const { WithDims::known() };
        let slots = ok!(MemoryError::first_mut::<L, T>(data, L::SLOTS, ELEMENTS));
        Ok(Memory { place, slots })
    }

    /// A view of the first elements of the slice, of any layout with these sizes: [`WithDims::view_mut`] for sizes that are kept.
    ///
    /// # Errors
    /// If the sizes do not go with the layout, or the slice has fewer elements.
    pub fn with_dims(data: &'a mut [T], dims: L::Index) -> Result<Self, MemoryError>
    where
        T: StoredIn<L>,
    {
        WithDims::<L>::checked(&dims)?.view_mut(data)
    }
}

impl<L: AnyLayout> WithDims<L> {
    /// A view of the first [`padded_elements`](Self::padded_elements) elements of the slice.
    ///
    /// # Errors
    /// If the slice has fewer elements.
    pub fn view<'a, T: StoredIn<L>>(&self, data: &'a [T]) -> Result<View<'a, L, T>, MemoryError> {
        let () = T::HAS_SIZE;
        let slots = MemoryError::first::<L, T>(data, self.padded_elements(), ELEMENTS)?;
        Ok(Memory::of_parts(*self, slots))
    }

    /// A view of the first [`padded_elements`](Self::padded_elements) of the slice, to write.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn view_mut<'a, T>(&self, data: &'a mut [T]) -> Result<ViewMut<'a, L, T>, MemoryError>
    where
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        let slots = MemoryError::first_mut::<L, T>(data, self.padded_elements(), ELEMENTS)?;
        Ok(Memory::of_parts(*self, slots))
    }
}

/// The slice of a view.
impl<'a, P, T> Memory<P, &'a [T]> {
    /// The memory, padding included.
    #[must_use]
    pub const fn as_slice(&self) -> &'a [T] {
        self.slots
    }
}

/// The slice of a view to write.
impl<'a, P: Place, T> Memory<P, &'a mut [T]> {
    /// The memory, padding included.
    #[must_use]
    pub const fn as_slice(&self) -> &[T] {
        self.slots
    }

    /// The memory, padding included, to write.
    #[must_use]
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        self.slots
    }

    /// The memory, padding included, for as long as it is borrowed. [`as_mut_slice`](Self::as_mut_slice) borrows the view instead.
    #[inline(always)]
    #[must_use]
    pub fn into_mut_slice(self) -> &'a mut [T] {
        self.slots
    }

    /// Borrows the view for a shorter time: pass the result by value, and use the view again afterwards.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// fn double(mut view: ViewMut<'_, A, i32>) {
    ///     view.runs_mut().flat_map(|(_, run)| run).for_each(|x| *x *= 2);
    /// }
    ///
    /// let mut data = [1; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, i32>::new(&mut data)?;
    /// double(view.reborrow());
    /// double(view.reborrow());
    /// assert_eq!(view[[2, 4]], 4);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn reborrow(&mut self) -> Memory<P, &mut [T]> {
        Memory { place: self.place.clone(), slots: self.slots }
    }

    /// The part in ranges of coordinates, for as long as the memory is borrowed: see [`slice_mut`](Self::slice_mut).
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    pub fn into_slice(
        self,
        ranges: impl Ranges<P::Index>,
    ) -> Result<Memory<P::Part, SpreadMut<'a, T>>, SliceError> {
        let place = part(&self.place, ranges)?;
        Ok(Memory::of_parts(place, SpreadMut::from(self.slots)))
    }
}

/// A part to write.
impl<'a, P: Place, T> Memory<P, SpreadMut<'a, T>> {
    /// Borrows the part for a shorter time.
    #[inline(always)]
    #[must_use]
    pub fn reborrow(&mut self) -> Memory<P, SpreadMut<'_, T>> {
        Memory::of_parts(self.place.clone(), self.slots.unique())
    }

    /// A part of this part, for as long as the memory is borrowed.
    ///
    /// # Errors
    /// If a range exceeds its dimension or is reversed.
    pub fn into_slice(
        self,
        ranges: impl Ranges<P::Index>,
    ) -> Result<Memory<P::Part, SpreadMut<'a, T>>, SliceError> {
        Ok(Memory::of_parts(part(&self.place, ranges)?, self.slots))
    }
}
