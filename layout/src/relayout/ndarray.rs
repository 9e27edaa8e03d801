//! Copies from and to arrays of the crate `ndarray`.

use layout_core::{Fault, FaultKind, Size};
use ndarray::{Array, ArrayBase, ArrayView, ArrayViewMut, Data, IntoDimension};

use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout};
use crate::memory::buffer::Buffer;
use crate::memory::ndarray::{Dim, NdarrayError, dims, has_strides};
use crate::memory::stored::StoredIn;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::padding::{Padding, fill_padding};
use crate::relayout::row_major::copy_row_major;
use crate::walk::odometer::Counted;

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
        let dst = compiled::digits::<L>(&self.sizes());
        fill_padding(&dst, &mut self, padding);
        if let Some(elements) = array.as_slice() {
            copy_row_major(elements, &mut self);
            return Ok(());
        }
        for (index, element) in Counted::<L>::row_major(sizes).zip(array.iter()) {
            self[index] = *element;
        }
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
        let mut buffer = Buffer::of_default(layout);
        buffer.copy_from_ndarray(&array.view(), Padding::Leave)?;
        Ok(buffer)
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
