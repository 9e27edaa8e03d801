//! From and to arrays of the crate `ndarray` whose rank is known at run time.

use alloc::boxed::Box;
use core::ops::{Deref, DerefMut};

use layout_core::__private::native;
use ndarray::{ArrayBase, ArrayD, ArrayViewD, ArrayViewMutD, Data, Dimension, IxDyn, ShapeBuilder};

use crate::dynamic::array::{DynArray, DynBuffer};
use crate::dynamic::error::DynError;
use crate::dynamic::layout::DynLayout;
use crate::memory::stored::DynStored;

impl DynLayout {
    /// The sizes and strides for `ndarray`.
    fn strided(&self) -> Result<ndarray::StrideShape<IxDyn>, DynError> {
        let strides = self.digits().strides();
        let strides = strides.ok_or_else(|| DynError::NoStrides(Box::new(*self.shape())))?;
        let is_empty = self.elements() == 0;
        let strides = self.dims().iter().zip(strides).map(|(size, stride)| match *size {
            0 | 1 => 0,
            _ if is_empty => 0,
            _ => native(stride.known().unwrap_or_default()),
        });
        let strides = strides.collect::<alloc::vec::Vec<_>>();
        Ok(IxDyn(self.dims()).strides(IxDyn(&strides)))
    }

    /// A buffer with the elements of an array of `ndarray` copied, its padding the default value.
    ///
    /// # Errors
    /// If the array has other sizes, or `T` does not store the elements.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let array = ndarray::array![[0, 1, 2], [3, 4, 5]];
    /// let buffer = DynLayout::new(&"s32[2,3]{0,1}".parse()?)?.from_ndarray(&array)?;
    /// assert_eq!(buffer.as_slice(), [0, 3, 1, 4, 2, 5]);
    /// assert_eq!(buffer.to_ndarray(), array.into_dyn());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_ndarray<T, S, D>(&self, array: &ArrayBase<S, D>) -> Result<DynBuffer<T>, DynError>
    where
        T: DynStored + Default,
        S: Data<Elem = T>,
        D: Dimension,
    {
        if array.shape() != self.dims() {
            let given = array.shape().to_vec();
            return Err(DynError::OtherDims { shape: Box::new(*self.shape()), given });
        }
        self.from_row_major(array.as_standard_layout().as_slice().unwrap_or_default())
    }
}

impl<T: DynStored, S: Deref<Target = [T]>> DynArray<S> {
    /// Borrows the array as an `ndarray` view.
    ///
    /// # Errors
    /// If the layout has no strides: if it is tiled or swizzled.
    pub fn as_ndarray(&self) -> Result<ArrayViewD<'_, T>, DynError> {
        match ArrayViewD::from_shape(self.layout.strided()?, self.as_slice()) {
            Ok(array) => Ok(array),
            Err(error) => unreachable!("{error}"),
        }
    }

    /// Copies the array to one of `ndarray` in row-major order.
    #[must_use]
    pub fn to_ndarray(&self) -> ArrayD<T>
    where
        T: Default,
    {
        match ArrayD::from_shape_vec(IxDyn(self.dims()), self.to_vec()) {
            Ok(array) => array,
            Err(error) => unreachable!("{error}"),
        }
    }
}

impl<T: DynStored, S: DerefMut<Target = [T]>> DynArray<S> {
    /// Borrows the array as a mutable `ndarray` view: see [`as_ndarray`](Self::as_ndarray).
    ///
    /// # Errors
    /// If the layout has no strides: if it is tiled or swizzled.
    pub fn as_ndarray_mut(&mut self) -> Result<ArrayViewMutD<'_, T>, DynError> {
        let shape = self.layout.strided()?;
        match ArrayViewMutD::from_shape(shape, self.as_mut_slice()) {
            Ok(array) => Ok(array),
            Err(error) => unreachable!("{error}"),
        }
    }
}
