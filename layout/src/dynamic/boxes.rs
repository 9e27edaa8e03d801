//! Boxes that make up an array.

use core::ops::{Deref, DerefMut};

use layout_core::limits::MAX_DIMS;

use crate::dynamic::array::DynArray;
use crate::dynamic::error::DynError;
use crate::dynamic::layout::row_major;
use crate::dynamic::slice::{DynSlice, whole};
use crate::types::index::DynIndex;
use crate::walk::region::SliceError;

impl<S> DynSlice<S> {
    /// The first index and the sizes of each box, in row-major order.
    fn places(
        &self,
        size: &[usize],
    ) -> Result<impl Iterator<Item = [DynIndex; 2]> + use<S>, SliceError> {
        let (start, dims, rank) = (self.start, self.dims, self.dims.len());
        if size.len() != rank {
            return Err(SliceError::Rank { given: size.len(), rank });
        }
        if let Some(dim) = size.iter().position(|size| *size == 0) {
            return Err(SliceError::EmptyBox { dim });
        }
        let mut sides = [0; MAX_DIMS];
        sides[..rank].copy_from_slice(size);
        let mut counts = [0; MAX_DIMS];
        (0..rank).for_each(|dim| counts[dim] = dims[dim].div_ceil(sides[dim]));
        Ok(row_major(DynIndex::of(&counts, rank)).map(move |number| {
            let (mut first, mut sizes) = ([0; MAX_DIMS], [0; MAX_DIMS]);
            for dim in 0..rank {
                let before = number[dim] * sides[dim];
                first[dim] = start[dim] + before;
                sizes[dim] = sides[dim].min(dims[dim] - before);
            }
            [first, sizes].map(|list| DynIndex::of(&list, rank))
        }))
    }
}

impl<T: 'static, S: Deref<Target = [T]>> DynSlice<S> {
    pub(super) fn as_slice(&self) -> DynSlice<&[T]> {
        DynSlice { array: self.array.as_view(), start: self.start, dims: self.dims }
    }

    /// The boxes of a size, in elements, that make up the slice, in row-major order of where they lie; those at the edge are cut.
    ///
    /// # Errors
    /// If a size is 0, or if there is not one for each dimension.
    pub fn boxes(&self, size: &[usize]) -> Result<impl Iterator<Item = DynSlice<&[T]>>, DynError> {
        let places = self.places(size)?;
        Ok(places.map(|[start, dims]| DynSlice { start, dims, ..self.as_slice() }))
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynSlice<S> {
    /// Calls a function with each of the [`boxes`](Self::boxes), to write, in the same order.
    ///
    /// # Errors
    /// If a size is 0, or if there is not one for each dimension.
    pub fn for_each_box_mut(
        &mut self,
        size: &[usize],
        mut then: impl FnMut(DynSlice<&mut [T]>),
    ) -> Result<(), DynError> {
        for [start, dims] in self.places(size)? {
            then(DynSlice { start, dims, array: self.array.as_view_mut() });
        }
        Ok(())
    }
}

impl<T: 'static, S: Deref<Target = [T]>> DynArray<S> {
    /// The boxes of a size, in elements, that make up the array, in row-major order of where they lie; those at the edge are cut. A
    /// layout without tiles has them too, and they need not be its tiles.
    ///
    /// # Errors
    /// If a size is 0, or if there is not one for each dimension.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let layout = DynLayout::new(&"s32[5,6]".parse()?)?;
    /// let mut buffer = layout.zeroed::<i32>()?;
    /// let mut number = 0;
    /// buffer.for_each_box_mut(&[4, 4], |mut part| {
    ///     part.fill(number);
    ///     number += 1;
    /// })?;
    /// let boxes = buffer.boxes(&[4, 4])?.map(|part| (part.start().to_vec(), part.dims().to_vec(), part[[0, 0]]));
    /// assert_eq!(boxes.collect::<Vec<_>>()[1..3], [(vec![0, 4], vec![4, 2], 1), (vec![4, 0], vec![1, 4], 2)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn boxes(&self, size: &[usize]) -> Result<impl Iterator<Item = DynSlice<&[T]>>, DynError> {
        let all = whole(self.as_view());
        let places = all.places(size)?;
        Ok(places.map(move |[start, dims]| DynSlice { start, dims, ..all.clone() }))
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynArray<S> {
    /// Calls a function with each of the [`boxes`](Self::boxes), to write, in the same order.
    ///
    /// # Errors
    /// If a size is 0, or if there is not one for each dimension.
    pub fn for_each_box_mut(
        &mut self,
        size: &[usize],
        then: impl FnMut(DynSlice<&mut [T]>),
    ) -> Result<(), DynError> {
        whole(self.as_view_mut()).for_each_box_mut(size, then)
    }
}
