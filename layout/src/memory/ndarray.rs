//! Views as those of the crate `ndarray`, which has strides and no tiles.

use ndarray::{ArrayView, ArrayViewMut, IntoDimension, ShapeBuilder};

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, stop};
use crate::memory::{Memory, View, ViewMut, error::ELEMENTS, error::MemoryError, stored::StoredIn};

/// The dimensions of `ndarray` for an index.
pub(crate) type Dim<I> = <I as IntoDimension>::Dim;

/// Stops the build if an offset is not a sum of coordinates times strides.
#[track_caller]
pub(crate) const fn has_strides<L: AnyLayout>() {
    if L::DIGITS.strides().is_none() {
        stop(
            "a tiled layout has no strides, so that `ndarray` cannot view it: `to_ndarray` copies, and so does `to`, to a layout without tiles",
        )
    }
}

impl<'a, L: AnyLayout<Index: IntoDimension>, T> View<'a, L, T> {
    /// Borrows the array as an `ndarray` view. Dimensions keep their order.
    ///
    /// Does not compile for a layout that is not affine (see [`IS_AFFINE`](crate::Array::IS_AFFINE)).
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// let view = View::<layout!(F32[2,3]{0,1}), f32>::new(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])?;
    /// assert_eq!(view.as_ndarray(), ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    pub fn as_ndarray(&self) -> ArrayView<'a, T, Dim<L::Index>> {
        const { has_strides::<L>() };
        let shape = self.dims().into_dimension().strides(strides::<L>(&self.layout()));
        ArrayView::from_shape(shape, self.as_slice())
            .unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// Borrows an array of `ndarray` as a view, if the strides of the array are those of the layout.
    ///
    /// Does not compile for a layout that is not affine.
    ///
    /// # Errors
    /// If the array has other sizes or strides than the layout, or if the layout has padding, for which
    /// such an array has no memory.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// let array = ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]];
    /// let view = View::<layout!(F32[?,3]), f32>::of_ndarray(array.view())?;
    /// assert_eq!((view.dims(), view[[1, 0]]), ([2, 3], 3.0));
    /// assert!(View::<layout!(F32[?,3]{0,1}), f32>::of_ndarray(array.view()).is_err());
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    pub fn of_ndarray(array: ArrayView<'a, T, Dim<L::Index>>) -> Result<Self, MemoryError>
    where
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        const { has_strides::<L>() };
        let layout = WithDims::<L>::checked_list(array.shape())?;
        let strides = layout.strides().unwrap_or(L::ORIGIN);
        let lies_alike = array.shape().iter().zip(array.strides()).zip(strides.as_ref()).all(
            |((&size, &stride), &expected)| size <= 1 || usize::try_from(stride) == Ok(expected),
        );
        let slots = match array.to_slice_memory_order() {
            // An empty slice of an array may keep strides that say nothing.
            _ if array.is_empty() => &[],
            Some(slots) if lies_alike => slots,
            _ => return Err(MemoryError::OtherStrides),
        };
        let slots = MemoryError::first::<L, T>(slots, layout.padded_elements(), ELEMENTS)?;
        Ok(Memory::of_parts(layout, slots))
    }
}

impl<'a, L: AnyLayout<Index: IntoDimension>, T> ViewMut<'a, L, T> {
    /// `as_ndarray_mut` for as long as the memory is borrowed.
    pub fn into_ndarray(self) -> ArrayViewMut<'a, T, Dim<L::Index>> {
        const { has_strides::<L>() };
        let shape = self.dims().into_dimension().strides(strides::<L>(&self.layout()));
        ArrayViewMut::from_shape(shape, self.into_mut_slice())
            .unwrap_or_else(|error| unreachable!("{error}"))
    }
}

/// The strides for `ndarray`.
fn strides<L: AnyLayout<Index: IntoDimension>>(layout: &WithDims<L>) -> Dim<L::Index> {
    layout.strides().unwrap_or(L::ORIGIN).into_dimension()
}
