//! Copies from and to arrays of the crate `ndarray`.

use layout_core::limits::MAX_DIMS;
use ndarray::{Array, ArrayBase, ArrayView, ArrayViewMut, Axis, Data, Dimension, IntoDimension};

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::copies::{
    check::check_dims, choose::between, error::CopyError, padding::Padding, padding::padding_at,
    pair::Pair, slots::CopiedSlots,
};
use crate::memory::{
    Memory, Storage, ViewMut, aligned::ALIGNMENT, aligned::Aligned, ndarray::Dim,
    place::mapping::AtStrides, place::strided::Span, place::strided::Strides, stored::StoredIn,
};

impl<L: AnyLayout<Index: IntoDimension>, S: Storage<Elem: Copy + 'static>> Memory<WithDims<L>, S> {
    /// Copies the array to an `ndarray` array in row-major order.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[2,3]{1,0:T(2,2)});
    /// let view = View::<A, f32>::new(&[0.0, 1.0, 3.0, 4.0, 2.0, 9.0, 5.0, 9.0])?;
    /// assert_eq!(view.to_ndarray(), ndarray::array![[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    pub fn to_ndarray(&self) -> Array<S::Elem, Dim<L::Index>> {
        Array::from_shape_vec(self.dims().into_dimension(), self.to_row_major())
            .unwrap_or_else(|error| unreachable!("{error}"))
    }
}

impl<L: AnyLayout<Index: IntoDimension>, T: Copy + 'static> ViewMut<'_, L, T> {
    /// Copies an array of `ndarray` with any strides to this one.
    ///
    /// # Errors
    /// If the array has other sizes, or the element type does not say the value of the padding that is asked for.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, Padding, layout};
    ///
    /// let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let mut buffer = Buffer::<layout!(S32[3,2]{1,0:T(2,2)})>::zeroed();
    /// buffer.as_view_mut().copy_from_ndarray(&array.t(), Padding::Leave)?;
    /// assert_eq!(buffer.as_slice(), [0, 3, 1, 4, 2, 5, 0, 0]);
    /// # Ok::<(), layout::CopyError>(())
    /// ```
    pub fn copy_from_ndarray(
        &mut self,
        array: &ArrayView<'_, T, Dim<L::Index>>,
        padding: impl Into<Padding<T>>,
    ) -> Result<(), CopyError> {
        let layout = self.layout();
        check_dims(array.shape(), layout.dims().as_ref())?;
        let padding = padding_at(&layout, padding.into())?;
        with_strides::<L, _, _>(array, |from, data| {
            let slots = CopiedSlots::of(data, self.as_mut_slice(), padding);
            between(Pair::of(from, layout), slots);
        });
        Ok(())
    }
}

impl<L: AnyLayout<Index: IntoDimension>, T> Memory<WithDims<L>, Aligned<T>> {
    /// A buffer with the elements of an array of `ndarray`, of any strides. Padding holds the default value (0 for numbers).
    ///
    /// # Errors
    /// If the sizes do not go with the layout.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let buffer = Buffer::<layout!(S32[2,3]{0,1}), i32>::from_ndarray(&array)?;
    /// assert_eq!(buffer.as_slice(), [0, 3, 1, 4, 2, 5]);
    /// # Ok::<(), layout::CopyError>(())
    /// ```
    pub fn from_ndarray<S>(array: &ArrayBase<S, Dim<L::Index>>) -> Result<Self, CopyError>
    where
        S: Data<Elem = T>,
        T: StoredIn<L> + Default,
    {
        let () = T::HAS_SIZE;
        let layout = WithDims::<L>::checked_list(array.shape())?;
        let (unused, count) = (T::default(), layout.padded_elements());
        let slots = Aligned::written(unused, count, ALIGNMENT, |memory| {
            with_strides::<L, _, _>(&array.view(), |from, data| {
                let slots = CopiedSlots::of_uninit(data, memory, Some(unused));
                between(Pair::of(from, layout), slots)
            })
        });
        Ok(Memory::of_parts(layout, slots))
    }
}

/// Calls with where an array of `ndarray` has its elements: where the first one lies, the strides as their two's complements, and all of the
/// memory.
fn with_strides<L: AnyLayout<Index: IntoDimension>, T: Clone, R>(
    array: &ArrayView<'_, T, Dim<L::Index>>,
    then: impl FnOnce(AtStrides<L::Index>, &[T]) -> R,
) -> R {
    let placed = |first, strides: &[isize]| {
        let mut at = AtStrides { first, dims: L::ORIGIN, strides: L::ORIGIN };
        at.dims.as_mut().copy_from_slice(array.shape());
        let pairs = at.strides.as_mut().iter_mut().zip(strides);
        pairs.for_each(|(to, stride)| *to = stride.cast_unsigned());
        at
    };
    if let Some((first, data)) = memory_of(array) {
        return then(placed(first, array.strides()), data);
    }
    // There is memory between the elements, which may be another's to write: so they are brought together first.
    let together = array.as_standard_layout();
    let Some(data) = together.as_slice() else { unreachable!("they are in row-major order") };
    then(placed(0, together.strides()), data)
}

/// Where index 0 of an array lies in its memory, and the memory, if all of it is the array's.
fn memory_of<'a, T, D: Dimension>(array: &ArrayView<'a, T, D>) -> Option<(usize, &'a [T])> {
    if array.ndim() > MAX_DIMS {
        return None;
    }
    let first = Span::new(array.shape(), array.strides()).ok()?.down;
    // Along strides of 0, all elements are one.
    let mut once = array.clone();
    for (dim, stride) in array.strides().iter().enumerate() {
        if *stride == 0 && once.shape()[dim] > 1 {
            once.collapse_axis(Axis(dim), 0);
        }
    }
    Some((first, once.to_slice_memory_order()?))
}

/// Arrays of `ndarray` as memory with strides.
impl<'a, T, const R: usize> Memory<Strides<R>, &'a [T]>
where
    ndarray::Dim<[usize; R]>: Dimension,
{
    /// An array of `ndarray` as memory with its strides; `None` if others may write memory between its elements.
    ///
    /// # Examples
    /// ```
    /// use layout::Strided;
    ///
    /// let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let turned = Strided::of_ndarray(&array.t()).unwrap();
    /// assert_eq!((turned.dims(), turned[[2, 1]]), ([3, 2], 5));
    /// ```
    // What lies between the elements may be written by another view, so only an array that has all of that
    // memory becomes a slice.
    pub fn of_ndarray(array: &ArrayView<'a, T, ndarray::Dim<[usize; R]>>) -> Option<Self> {
        let (first, data) = memory_of(array)?;
        let (dims, strides) = (array.shape().try_into().ok()?, array.strides().try_into().ok()?);
        Some(Memory::of_parts(Strides { first, dims, strides }, data))
    }
}

/// Arrays of `ndarray` as memory with strides, to write.
impl<'a, T, const R: usize> Memory<Strides<R>, &'a mut [T]>
where
    ndarray::Dim<[usize; R]>: Dimension,
{
    /// An array of `ndarray` as memory with its strides, to write; `None` if others may use memory between its elements.
    pub fn of_ndarray(array: ArrayViewMut<'a, T, ndarray::Dim<[usize; R]>>) -> Option<Self> {
        let dims: [usize; R] = array.shape().try_into().ok()?;
        let strides: [isize; R] = array.strides().try_into().ok()?;
        let span = Span::new(&dims, &strides).ok()?;
        span.check_apart(&dims, &strides).ok()?;
        let data = array.into_slice_memory_order()?;
        Some(Memory::of_parts(Strides { first: span.down, dims, strides }, data))
    }
}
