//! How memory of a layout that is known at run time only is made.

use alloc::vec::Vec;

use crate::dynamic::{
    DynBuffer, DynByteBuffer, DynBytesView, DynBytesViewMut, DynView, DynViewMut, error::DynError,
    layout::DynLayout,
};
use crate::memory::{Memory, aligned::ALIGNMENT, aligned::Aligned, stored::DynStored};

/// Memory of the layout. Functions with a type of elements give an error if it does not store those of the layout. Buffers panic if so much
/// memory cannot be allocated, as vectors do.
impl DynLayout {
    /// A view of the first [`padded_elements`](Self::padded_elements) of the slice.
    ///
    /// # Errors
    /// If the slice has fewer, or `T` does not store the elements.
    pub fn view<'a, T: DynStored>(&self, data: &'a [T]) -> Result<DynView<'a, T>, DynError> {
        self.check_stored::<T>()?;
        let slots = data.get(..self.padded_elements());
        Ok(Memory::of_parts(self.clone(), slots.ok_or_else(|| self.wrong_slots(data.len()))?))
    }

    /// A view of the first [`padded_elements`](Self::padded_elements) of the slice, to write.
    ///
    /// # Errors
    /// If the slice has fewer, or `T` does not store the elements.
    pub fn view_mut<'a, T: DynStored>(
        &self,
        data: &'a mut [T],
    ) -> Result<DynViewMut<'a, T>, DynError> {
        self.check_stored::<T>()?;
        let given = data.len();
        let slots = data.get_mut(..self.padded_elements());
        Ok(Memory::of_parts(self.clone(), slots.ok_or_else(|| self.wrong_slots(given))?))
    }

    /// A buffer in which every slot holds the default value (0 for numbers).
    ///
    /// # Errors
    /// If `T` does not store the elements.
    pub fn zeroed<T: DynStored + Default>(&self) -> Result<DynBuffer<T>, DynError> {
        self.filled(T::default())
    }

    /// A buffer in which every slot, padding included, holds a value.
    ///
    /// # Errors
    /// If `T` does not store the elements.
    pub fn filled<T: DynStored>(&self, value: T) -> Result<DynBuffer<T>, DynError> {
        self.check_stored::<T>()?;
        let slots = Aligned::filled(value, self.padded_elements(), ALIGNMENT);
        Ok(Memory::of_parts(self.clone(), slots))
    }

    /// A buffer with the elements that a function returns for their indices, called in row-major order. Padding holds the
    /// default value.
    ///
    /// # Errors
    /// If `T` does not store the elements.
    pub fn from_fn<T: DynStored + Default>(
        &self,
        mut element: impl FnMut(&[usize]) -> T,
    ) -> Result<DynBuffer<T>, DynError> {
        let mut buffer = self.zeroed()?;
        buffer.indexed_iter_mut().for_each(|(index, place)| *place = element(&index));
        Ok(buffer)
    }

    /// A buffer of the slots in a vector, padding included, which are not copied.
    ///
    /// # Errors
    /// If the vector has another number of slots, or `T` does not store the elements.
    pub fn from_vec<T: DynStored>(&self, slots: Vec<T>) -> Result<DynBuffer<T>, DynError> {
        self.check_stored::<T>()?;
        if slots.len() != self.padded_elements() {
            return Err(self.wrong_slots(slots.len()));
        }
        Ok(Memory::of_parts(self.clone(), Aligned::of_vec(slots)))
    }

    /// A buffer of elements in row-major order. Padding holds the default value.
    ///
    /// # Errors
    /// If there are more or fewer elements than the array has, or `T` does not store them.
    pub fn from_row_major<T: DynStored + Default>(
        &self,
        elements: &[T],
    ) -> Result<DynBuffer<T>, DynError> {
        let (of, needed, given) = ("elements in row-major order", self.elements(), elements.len());
        if needed != given {
            return Err(DynError::length(self.shape(), of, needed, given));
        }
        self.check_stored::<T>()?;
        let slots = crate::copies::door::owned::of_row_major(self, elements, T::default());
        Ok(Memory::of_parts(self.clone(), slots))
    }

    /// A view of the first [`bytes`](Self::bytes) of a slice, for elements of any type.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn bytes_view<'a>(&self, data: &'a [u8]) -> Result<DynBytesView<'a>, DynError> {
        let bytes = data.get(..self.bytes()).ok_or_else(|| self.wrong_bytes(data.len()))?;
        Ok(Memory::of_parts(self.clone(), self.bits(bytes)))
    }

    /// A view of the first [`bytes`](Self::bytes) of a slice, for elements of any type, to write.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn bytes_view_mut<'a>(&self, data: &'a mut [u8]) -> Result<DynBytesViewMut<'a>, DynError> {
        let given = data.len();
        let bytes = data.get_mut(..self.bytes()).ok_or_else(|| self.wrong_bytes(given))?;
        Ok(Memory::of_parts(self.clone(), self.bits(bytes)))
    }

    /// A buffer of bytes that are all 0, for elements of any type.
    pub fn zeroed_bytes(&self) -> DynByteBuffer {
        let bytes = Aligned::filled(0, self.bytes(), ALIGNMENT);
        Memory::of_parts(self.clone(), self.bits(bytes))
    }

    fn wrong_bytes(&self, given: usize) -> DynError {
        DynError::length(self.shape(), "bytes, padding counted", self.bytes(), given)
    }
}
