//! Views as those of the crate `ndarray`, which has strides and no tiles.

use core::fmt;

use layout_core::{Digits, DimsError};
use ndarray::{Array, ArrayView, ArrayViewMut, IntoDimension, ShapeBuilder};

use crate::compiled::{self, AnyLayout, stop};
use crate::memory::stored::StoredAs;
use crate::memory::view::{TooShort, View, ViewMut};
use crate::relayout::padding::fill_padding;
use crate::relayout::{Copying, Padding, Settings};
use crate::walk::region_walk::Counted;

/// What keeps an array of `ndarray` from being a view of a layout without a copy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(clippy::large_enum_variant, reason = "an error that owns no heap")]
pub enum NdarrayError {
    /// It has other sizes.
    Dims(DimsError),
    /// Its elements lie otherwise in memory.
    Strides,
    /// It has no memory for the layout's padding.
    TooShort(TooShort),
}

impl fmt::Display for NdarrayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NdarrayError::Dims(error) => error.fmt(f),
            NdarrayError::Strides => f.write_str(
                "the array's elements lie otherwise in memory: `copy_from_ndarray` copies them",
            ),
            NdarrayError::TooShort(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for NdarrayError {}

/// The dimensions of `ndarray` for an index.
type Dim<I> = <I as IntoDimension>::Dim;

/// Stops the build where an offset is no sum of coordinates times strides.
const fn check<L: AnyLayout>() {
    if L::DIGITS.strides().is_none() {
        stop(
            "a tiled layout has no strides, so that `ndarray` cannot view it: `to_ndarray` copies, and `to_layout` to a layout without tiles",
        )
    }
}

impl<'a, L: AnyLayout<Index: IntoDimension>, T> View<'a, L, T> {
    /// The same memory as a view of `ndarray`. Dimensions stay in their order, whatever the layout's.
    ///
    /// Does not compile for a layout that is not affine (see [`IS_AFFINE`](crate::Array::IS_AFFINE)).
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// let view = View::<layout!(F32[2,3]{0,1}), f32>::new(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0])?;
    /// assert_eq!(view.as_ndarray(), ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    pub fn as_ndarray(&self) -> ArrayView<'a, T, Dim<L::Index>> {
        const { check::<L>() };
        let shape = dims(self.dims()).strides(strides::<L>(&self.layout()));
        match ArrayView::from_shape(shape, self.as_slice()) {
            Ok(array) => array,
            Err(error) => unreachable!("{error}"),
        }
    }

    /// The memory of an array of `ndarray` as a view of the layout, if its elements lie as the layout says.
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
    /// # Ok::<(), layout::NdarrayError>(())
    /// ```
    pub fn of_ndarray(array: ArrayView<'a, T, Dim<L::Index>>) -> Result<Self, NdarrayError>
    where
        T: StoredAs<L::Element>,
    {
        const { check::<L>() };
        let mut sizes = L::ORIGIN;
        sizes.as_mut().copy_from_slice(array.shape());
        L::VALUE.with_dims(sizes.as_ref()).map_err(NdarrayError::Dims)?;
        let sizes = L::sizes(&sizes);
        let strides = crate::WithDims::<L>::of(sizes).strides().unwrap_or(L::ORIGIN);
        let lies_alike = array.shape().iter().zip(array.strides()).zip(strides.as_ref()).all(
            |((&size, &stride), &expected)| size <= 1 || usize::try_from(stride) == Ok(expected),
        );
        let slots = match array.to_slice_memory_order() {
            // An empty slice of an array may keep strides that say nothing.
            _ if array.is_empty() => &[],
            Some(slots) if lies_alike => slots,
            _ => return Err(NdarrayError::Strides),
        };
        View::of(sizes, slots).map_err(NdarrayError::TooShort)
    }
}

impl<L: AnyLayout<Index: IntoDimension>, T> View<'_, L, T> {
    /// The array copied to one of `ndarray`, in its own order of memory, whatever the layout.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[2,3]{1,0:T(2,2)});
    /// let view = View::<A, f32>::new(&[0.0, 1.0, 3.0, 4.0, 2.0, 9.0, 5.0, 9.0])?;
    /// assert_eq!(view.to_ndarray(), ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    pub fn to_ndarray(&self) -> Array<T, Dim<L::Index>>
    where
        T: StoredAs<L::Element> + Default,
    {
        let [src, dst] =
            [compiled::digits::<L>(&self.sizes()), row_major::<L>(self.dims().as_ref())];
        let mut elements = alloc::vec![T::default(); dst.elements()];
        let copying = Copying::new(&src, &dst, size_of::<T>());
        let plain = <T as StoredAs<L::Element>>::PLAIN;
        copying.run(plain, self.as_slice(), &mut elements, &Settings::default());
        match Array::from_shape_vec(dims(self.dims()), elements) {
            Ok(array) => array,
            Err(error) => unreachable!("{error}"),
        }
    }
}

impl<L: AnyLayout<Index: IntoDimension>, T> ViewMut<'_, L, T> {
    /// The same memory as a view of `ndarray`, to write: see [`View::as_ndarray`].
    ///
    /// Does not compile for a layout that is not affine.
    pub fn as_ndarray_mut(&mut self) -> ArrayViewMut<'_, T, Dim<L::Index>> {
        const { check::<L>() };
        let shape = dims(self.dims()).strides(strides::<L>(&self.layout()));
        match ArrayViewMut::from_shape(shape, self.as_mut_slice()) {
            Ok(array) => array,
            Err(error) => unreachable!("{error}"),
        }
    }

    /// Copies an array of `ndarray`, in whatever order it lies in memory.
    ///
    /// # Panics
    /// If it has other sizes. If `T` is a type of your own without [`of_bits`](StoredAs::of_bits), and
    /// the padding is asked to be `Zero` or `Declared` with a `FILL`.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, Padding, layout};
    ///
    /// let array = ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]];
    /// let mut buffer = Buffer::<layout!(F32[2,3]{1,0:T(2,2)}), f32>::filled(9.0);
    /// buffer.as_view_mut().copy_from_ndarray(&array.view(), Padding::Zero);
    /// assert_eq!(buffer.as_slice(), [0.0, 1.0, 3.0, 4.0, 2.0, 0.0, 5.0, 0.0]);
    /// ```
    #[track_caller]
    pub fn copy_from_ndarray(
        &mut self,
        array: &ArrayView<'_, T, Dim<L::Index>>,
        padding: Padding<T>,
    ) where
        T: StoredAs<L::Element>,
    {
        let sizes = self.dims();
        assert_eq!(array.shape(), sizes.as_ref(), "a copy keeps the sizes of an array");
        let dst = compiled::digits::<L>(&self.sizes());
        fill_padding(&dst, self, padding);
        if let Some(elements) = array.as_slice() {
            let src = row_major::<L>(sizes.as_ref());
            let copying = Copying::new(&src, &dst, size_of::<T>());
            let plain = <T as StoredAs<L::Element>>::PLAIN;
            copying.run(plain, elements, self.as_mut_slice(), &Settings::default());
            return;
        }
        for (index, element) in Counted::<L>::row_major(sizes).zip(array.iter()) {
            self[index] = *element;
        }
    }
}

/// The sizes for `ndarray`.
fn dims<I: IntoDimension>(index: I) -> I::Dim {
    index.into_dimension()
}

/// The strides for `ndarray`.
fn strides<L: AnyLayout<Index: IntoDimension>>(layout: &crate::WithDims<L>) -> Dim<L::Index> {
    dims(layout.strides().unwrap_or(L::ORIGIN))
}

/// An array of these sizes as `ndarray` lays it out.
fn row_major<L: AnyLayout>(dims: &[usize]) -> Digits {
    match Digits::new(&L::VALUE.row_major_of(dims)) {
        Some(digits) => digits,
        None => unreachable!("every size is known"),
    }
}
