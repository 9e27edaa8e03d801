//! Arrays of the crate `ndarray`.

use alloc::boxed::Box;

use layout_core::__private::native;
use ndarray::{ArrayBase, ArrayD, ArrayViewD, ArrayViewMutD, Data, Dimension, IxDyn, ShapeBuilder};

use crate::dynamic::{DynBuffer, error::DynError, layout::DynLayout};
use crate::memory::{Memory, Storage, stored::DynStored};

impl DynLayout {
    /// The shape and the strides of an array of `ndarray` that lies as this layout does.
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

    /// A buffer with the elements of an array of `ndarray`, of any strides. Padding holds the default value.
    ///
    /// # Errors
    /// If the array has other sizes, or `T` does not store the elements.
    pub fn from_ndarray<T: DynStored + Default, S: Data<Elem = T>, D: Dimension>(
        &self,
        array: &ArrayBase<S, D>,
    ) -> Result<DynBuffer<T>, DynError> {
        if array.shape() != self.dims() {
            let given = array.shape().to_vec();
            return Err(DynError::OtherDims { shape: Box::new(*self.shape()), given });
        }
        self.from_row_major(array.as_standard_layout().as_slice().unwrap_or_default())
    }
}

impl<S: Storage<Elem: DynStored>> Memory<DynLayout, S> {
    /// The array as a view of `ndarray`, without a copy.
    ///
    /// # Errors
    /// If the offset is not a sum of coordinates times strides, as in a tiled layout.
    pub fn as_ndarray(&self) -> Result<ArrayViewD<'_, S::Elem>, DynError>
    where
        S: AsRef<[S::Elem]>,
    {
        Ok(ArrayViewD::from_shape(self.layout().strided()?, self.slots.as_ref())
            .unwrap_or_else(|error| unreachable!("{error}")))
    }

    /// The elements as an array of `ndarray`, row-major.
    #[must_use]
    pub fn to_ndarray(&self) -> ArrayD<S::Elem> {
        ArrayD::from_shape_vec(IxDyn(&self.dims()), self.to_row_major())
            .unwrap_or_else(|error| unreachable!("{error}"))
    }

    /// The array as a view of `ndarray` to write, without a copy.
    ///
    /// # Errors
    /// If the offset is not a sum of coordinates times strides, as in a tiled layout.
    pub fn as_ndarray_mut(&mut self) -> Result<ArrayViewMutD<'_, S::Elem>, DynError>
    where
        S: AsMut<[S::Elem]>,
    {
        let shape = self.layout().strided()?;
        Ok(ArrayViewMutD::from_shape(shape, self.slots.as_mut())
            .unwrap_or_else(|error| unreachable!("{error}")))
    }
}
