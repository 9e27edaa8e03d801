//! Copies from and to arrays of the crate `ndarray`.

use layout_core::limits::MAX_DIMS;
use layout_core::{Fault, FaultKind, Size};
use ndarray::{Array, ArrayBase, ArrayView, ArrayViewMut, Axis, Data, Dimension, IntoDimension};

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::buffer::Buffer;
use crate::memory::stored::StoredIn;
use crate::memory::strided::ndarray::{Dim, NdarrayError, dims, has_strides};
use crate::memory::strided::{Span, Strided, StridedMut, Strides};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy;
use crate::relayout::padding::{Padding, padding_value};
use crate::relayout::strided::loops::Between;

impl<L: AnyLayout<Index: IntoDimension>, T> View<'_, L, T> {
    /// Copies the array to an `ndarray` array in row-major order.
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
        T: StoredIn<L>,
    {
        match Array::from_shape_vec(dims(self.dims()), self.to_vec()) {
            Ok(array) => array,
            Err(error) => unreachable!("{error}"),
        }
    }
}

macro_rules! arrays {
    ($($of:ty: $view:ident;)*) => {$(
        /// With arrays of the crate `ndarray`.
        impl<L: AnyLayout<Index: IntoDimension>, T> $of {
            /// Borrows the array as an `ndarray` view: see [`View::as_ndarray`].
            pub fn as_ndarray(&self) -> ArrayView<'_, T, Dim<L::Index>> {
                const { has_strides::<L>() };
                self.as_view().as_ndarray()
            }

            /// Borrows the array as a mutable `ndarray` view: see [`View::as_ndarray`].
            pub fn as_ndarray_mut(&mut self) -> ArrayViewMut<'_, T, Dim<L::Index>> {
                const { has_strides::<L>() };
                self.$view().into_ndarray()
            }

            /// Copies the array to an `ndarray` array in row-major order: see [`View::to_ndarray`].
            pub fn to_ndarray(&self) -> Array<T, Dim<L::Index>>
            where
                T: StoredIn<L>,
            {
                self.as_view().to_ndarray()
            }

            /// Copies an `ndarray` array, which may have any order in memory.
            ///
            /// # Errors
            /// If it has other sizes.
            ///
            /// # Panics
            /// If `T` is a type of your own without [`of_bits`](crate::StoredAs::of_bits), and the padding is asked to
            /// be `Zero` or `Declared` with a `FILL`.
            ///
            /// # Examples
            /// ```
            /// use layout::{Buffer, Padding, layout};
            ///
            /// let array = ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]];
            /// let mut buffer = Buffer::<layout!(F32[2,3]{1,0:T(2,2)})>::filled(9.0);
            /// buffer.copy_from_ndarray(&array.view(), Padding::Zero)?;
            /// assert_eq!(buffer.as_slice(), [0.0, 1.0, 3.0, 4.0, 2.0, 0.0, 5.0, 0.0]);
            /// # Ok::<(), layout::NdarrayError>(())
            /// ```
            #[track_caller]
            pub fn copy_from_ndarray(
                &mut self,
                array: &ArrayView<'_, T, Dim<L::Index>>,
                padding: Padding<T>,
            ) -> Result<(), NdarrayError>
            where
                T: StoredIn<L>,
            {
                self.$view().copy_of_ndarray(array, padding)
            }
        }
    )*};
}

arrays! {
    ViewMut<'_, L, T>: reborrow;
    Buffer<L, T>: as_view_mut;
}

impl<L: AnyLayout<Index: IntoDimension>, T> ViewMut<'_, L, T> {
    #[track_caller]
    fn copy_of_ndarray(
        mut self,
        array: &ArrayView<'_, T, Dim<L::Index>>,
        padding: Padding<T>,
    ) -> Result<(), NdarrayError>
    where
        T: StoredIn<L>,
    {
        let sizes = self.dims();
        for (dim, (&size, &given)) in sizes.as_ref().iter().zip(array.shape()).enumerate() {
            if given != size {
                let [size, given] = [size, given].map(|size| size as Size);
                let other_size = FaultKind::OtherSize { dim, size, given };
                return Err(NdarrayError::Dims(Fault::of_whole(other_size)));
            }
        }
        let (layout, dst) = (self.layout(), self.as_mut_slice());
        let padding = padding_value::<L, T>(padding, dst.len() > array.len());
        with_strides(array, |StridesOf { data, first, strides }| {
            let slots = CopiedSlots::of(data, dst, padding);
            copy(Between::<L, false>::new(first, &strides, layout), slots);
        });
        Ok(())
    }
}

impl<L: AnyLayout<Index: IntoDimension>, T> Buffer<L, T> {
    /// A buffer with the elements of an `ndarray` array copied, padding the default value (0 for numbers).
    ///
    /// # Errors
    /// If a size is another than a static dimension's or above a bound, or if a count does not fit in
    /// `isize::MAX`.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let buffer = Buffer::<layout!(S32[?,3]{0,1})>::from_ndarray(&array)?;
    /// assert_eq!(buffer.as_slice(), [0, 3, 1, 4, 2, 5]);
    /// assert!(Buffer::<layout!(S32[3,2])>::from_ndarray(&array).is_err());
    /// # Ok::<(), layout::NdarrayError>(())
    /// ```
    pub fn from_ndarray<S>(array: &ArrayBase<S, Dim<L::Index>>) -> Result<Self, NdarrayError>
    where
        S: Data<Elem = T>,
        T: StoredIn<L> + Default,
    {
        let () = T::HAS_SIZE;
        let layout = WithDims::<L>::checked_list(array.shape()).map_err(NdarrayError::Dims)?;
        Ok(with_strides(&array.view(), |StridesOf { data, first, strides }| {
            Buffer::of_written(layout, T::default(), |memory| {
                let slots = CopiedSlots::of_uninit(data, memory, T::default());
                copy(Between::<L, false>::new(first, &strides, layout), slots)
            })
        }))
    }
}

/// [`Buffer::from_ndarray`]. `From` it cannot be: the type of an array says how many dimensions it has, and never their
/// sizes.
impl<L, S, T> TryFrom<&ArrayBase<S, Dim<L::Index>>> for Buffer<L, T>
where
    L: AnyLayout<Index: IntoDimension>,
    S: Data<Elem = T>,
    T: StoredIn<L> + Default,
{
    type Error = NdarrayError;

    fn try_from(array: &ArrayBase<S, Dim<L::Index>>) -> Result<Self, NdarrayError> {
        Self::from_ndarray(array)
    }
}

/// An array that has all memory between its elements.
struct StridesOf<'a, T> {
    data: &'a [T],
    /// Where index 0 lies.
    first: usize,
    strides: [isize; MAX_DIMS],
}

/// `None` if there is memory between the elements of the array, or if it has more dimensions than arrays have here.
fn strides_of<'a, T, D: Dimension>(array: &ArrayView<'a, T, D>) -> Option<StridesOf<'a, T>> {
    let mut strides = [0; MAX_DIMS];
    strides.get_mut(..array.ndim())?.copy_from_slice(array.strides());
    let first = Span::new(array.shape(), array.strides()).ok()?.down;
    // Along strides of 0, all elements are one.
    let mut once = array.clone();
    for (dim, stride) in strides[..array.ndim()].iter().enumerate() {
        if *stride == 0 && once.shape()[dim] > 1 {
            once.collapse_axis(Axis(dim), 0);
        }
    }
    Some(StridesOf { data: once.to_slice_memory_order()?, first, strides })
}

/// Calls `then` with memory that holds the array's elements, and where they lie in it.
fn with_strides<T: Clone, D: Dimension, R>(
    array: &ArrayView<'_, T, D>,
    then: impl FnOnce(StridesOf<'_, T>) -> R,
) -> R {
    let together;
    then(match strides_of(array) {
        Some(strides) => strides,
        None => {
            // There is memory between the elements, which may be another's to write: so they are brought together first.
            together = array.as_standard_layout();
            let Some(data) = together.as_slice() else {
                unreachable!("they are in row-major order")
            };
            let mut strides = [0; MAX_DIMS];
            strides[..array.ndim()].copy_from_slice(together.strides());
            StridesOf { data, first: 0, strides }
        }
    })
}

impl<'a, T, const R: usize> Strided<'a, T, R>
where
    ndarray::Dim<[usize; R]>: Dimension,
{
    /// The array of a view of `ndarray`: in any order of its axes, flipped, or broadcast. `None` if there is memory between its elements, as in a
    /// part of a larger array: that memory may be another's to write.
    ///
    /// # Examples
    /// ```
    /// use layout::Strided;
    ///
    /// let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let mut flipped = array.t();
    /// flipped.invert_axis(ndarray::Axis(0));
    /// let strided = Strided::of_ndarray(&flipped).unwrap();
    /// assert_eq!((strided.dims(), strided.strides(), strided[[0, 1]]), ([3, 2], [-1, 3], 5));
    /// assert!(Strided::of_ndarray(&array.slice(ndarray::s![.., 1..])).is_none());
    /// ```
    // What lies between the elements may be written by another view, so only an array that has all of that
    // memory becomes a slice.
    pub fn of_ndarray(array: &ArrayView<'a, T, ndarray::Dim<[usize; R]>>) -> Option<Self> {
        let StridesOf { data, first, strides } = strides_of(array)?;
        let dims = array.shape().try_into().ok()?;
        let strides = *strides.first_chunk()?;
        Some(Strided { data, place: Strides { first, dims, strides } })
    }
}

impl<'a, T, const R: usize> StridedMut<'a, T, R>
where
    ndarray::Dim<[usize; R]>: Dimension,
{
    /// The array of a view of `ndarray` that writes: see [`Strided::of_ndarray`].
    pub fn of_ndarray(array: ArrayViewMut<'a, T, ndarray::Dim<[usize; R]>>) -> Option<Self> {
        let dims: [usize; R] = array.shape().try_into().ok()?;
        let strides: [isize; R] = array.strides().try_into().ok()?;
        let span = Span::new(&dims, &strides).ok()?;
        span.check_apart(&dims, &strides).ok()?;
        let data = array.into_slice_memory_order()?;
        Some(StridedMut { data, place: Strides { first: span.down, dims, strides } })
    }
}
