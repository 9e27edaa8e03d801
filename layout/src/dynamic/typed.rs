//! Between layouts that are known at run time only and layouts that are types.

use alloc::vec::Vec;

use layout_copy::bitcast::{
    NotBitcast, OtherArray, check_reshape_is_bitcast, check_transpose_is_bitcast, same_bytes,
};
use layout_core::Size;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::dynamic::{error::DynError, layout::DynLayout};
use crate::memory::{Memory, Storage, storage::FirstSlots, stored::StoredIn};

impl DynLayout {
    /// The layout `L`, if it puts every element where this one does, in as much memory.
    fn as_layout<L: AnyLayout>(&self) -> Result<WithDims<L>, DynError> {
        let shape = self.shape();
        let Ok(layout) = WithDims::<L>::checked_list(self.dims()) else {
            // A `?` takes any size: the first difference is at another dimension.
            let dims = L::VALUE.dims().iter().zip(shape.dims());
            let dims = dims.map(|(dim, of)| dim.size().or(of.size()).unwrap_or(0));
            let to = L::VALUE.with_dims(&dims.collect::<Vec<_>>()).unwrap_or(*L::VALUE);
            return Err(DynError::moved(
                [shape, &to],
                NotBitcast::Dims(OtherArray::new(shape, &to)),
            ));
        };
        let (to, slots) = (layout.shape(), [self.padded_elements(), layout.padded_elements()]);
        same_bytes(shape, &to).map_err(|why| DynError::moved([shape, &to], why))?;
        if slots[1] > slots[0] {
            let padded_elements = slots.map(|slots| slots as Size);
            return Err(DynError::moved([shape, &to], NotBitcast::Size { padded_elements }));
        }
        Ok(layout)
    }
}

/// Memory gets another layout, if no element has to move.
impl<S: Storage + FirstSlots> Memory<DynLayout, S> {
    /// The array with a layout that is a type, if that puts every element where this one does.
    ///
    /// # Errors
    /// If it does not: the text names both layouts and the first difference.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let buffer = DynLayout::new(&"f32[16,128]{1,0:T(8,128)}".parse()?)?.filled(1.0_f32)?;
    /// // Tiles that are as wide as the array lie as rows do.
    /// let view = buffer.as_view().into_typed::<layout::layout!(F32[?,128])>()?;
    /// assert_eq!(view[[15, 3]], 1.0);
    ///
    /// let error = buffer.into_typed::<layout::layout!(F32[16,128]{0,1})>().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "memory of `f32[16,128]{1,0:T(8,128)}` is not memory of `f32[16,128]{0,1}`: \
    ///      [0,1] is at offset 1 in one layout and at 16 in the other"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_typed<L: AnyLayout>(self) -> Result<Memory<WithDims<L>, S>, DynError>
    where
        S::Elem: StoredIn<L>,
    {
        let () = <S::Elem as StoredIn<L>>::HAS_SIZE;
        let Memory { place: layout, slots } = self;
        let layout = layout.as_layout()?;
        Ok(Memory::of_parts(layout, slots.first_slots(layout.padded_elements())))
    }
}

/// Memory gets another layout, if no element has to move.
impl<S> Memory<DynLayout, S> {
    /// Gives the memory another shape of the same elements in row-major order.
    ///
    /// # Errors
    /// If an element would move: the text names both layouts and the first such element. The array then stays as it is.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let matrix = DynLayout::new(&"s32[8,256]{1,0:T(8,128)}".parse()?)?;
    /// let mut buffer = matrix.from_fn(|index| (256 * index[0] + index[1]) as i32)?;
    /// buffer.reshape(&DynLayout::new(&"s32[1,8,256]{2,1,0:T(8,128)}".parse()?)?)?;
    /// assert_eq!(buffer[[0, 3, 200]], 968);
    ///
    /// let flat = DynLayout::new(&"s32[2048]".parse()?)?;
    /// assert_eq!(
    ///     buffer.reshape(&flat).unwrap_err().to_string(),
    ///     "memory of `s32[1,8,256]{2,1,0:T(8,128)}` is not memory of `s32[2048]{0}`: \
    ///      [0,0,128] is at offset 1024, but [128] of the result at offset 128"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reshape(&mut self, to: &DynLayout) -> Result<(), DynError> {
        let shapes = [self.place.shape(), to.shape()];
        check_reshape_is_bitcast(shapes[0], shapes[1])
            .map_err(|why| DynError::moved(shapes, why))?;
        self.place = to.clone();
        Ok(())
    }

    /// Gives the memory the layout of the transposed array. Dimension `i` of the result is dimension `permutation[i]` of the array.
    ///
    /// # Errors
    /// If an element would move, or the list is not a permutation of the dimensions. The array then stays as it is.
    pub fn transpose(&mut self, permutation: &[usize], to: &DynLayout) -> Result<(), DynError> {
        let shapes = [self.place.shape(), to.shape()];
        check_transpose_is_bitcast(shapes[0], shapes[1], permutation)
            .map_err(|why| DynError::moved(shapes, why))?;
        self.place = to.clone();
        Ok(())
    }
}

impl<L: AnyLayout, S: Storage> Memory<WithDims<L>, S> {
    /// This memory with its layout as a value, for code that knows layouts only at run time. A bounded dimension then has the
    /// size of its bound.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let buffer = Buffer::<layout!(S32[3,5]{1,0:T(2,2)})>::from_fn(|[i, j]| (5 * i + j) as i32);
    /// let view = buffer.as_view().into_dyn();
    /// assert_eq!((view.layout().to_string(), view[[2, 3]]), ("s32[3,5]{1,0:T(2,2)}".to_owned(), 13));
    /// ```
    #[must_use]
    pub fn into_dyn(self) -> Memory<DynLayout, S> {
        let Memory { place: layout, slots } = self;
        let layout = DynLayout::new(&layout.shape());
        Memory::of_parts(layout.unwrap_or_else(|error| unreachable!("{error}")), slots)
    }
}
