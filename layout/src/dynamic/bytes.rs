//! Bytes as elements of a type, and the reverse, by the crate `bytemuck`.

use core::ops::{Deref, DerefMut};

use bytemuck::{AnyBitPattern, NoUninit};

use crate::dynamic::{
    DynBytesView, DynView, DynViewMut, bits::DynBits, error::DynError, layout::DynLayout,
};
use crate::memory::{Memory, Storage, error::MemoryError, stored::DynStored};

/// Views of bytes as elements of a type.
impl<B: Deref<Target = [u8]>> Memory<DynLayout, DynBits<B>> {
    /// The array as a view with elements of type `T`, without a copy.
    ///
    /// # Errors
    /// If `T` does not store the elements, or the bytes do not begin at a multiple of its alignment.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let buffer = DynLayout::new(&"f32[2,2]".parse()?)?.zeroed_bytes();
    /// assert_eq!(buffer.as_elements::<f32>()?[[1, 1]], 0.0);
    /// assert!(buffer.as_elements::<i32>().is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_elements<T: DynStored + AnyBitPattern>(&self) -> Result<DynView<'_, T>, DynError> {
        self.layout().check_stored::<T>()?;
        MemoryError::check_aligned::<T>(self.as_bytes())?;
        Ok(Memory::of_parts(self.layout().clone(), bytemuck::cast_slice(self.as_bytes())))
    }

    /// The array as a view to write: see [`as_elements`](Self::as_elements).
    ///
    /// # Errors
    /// If `T` does not store the elements, or the bytes do not begin at a multiple of its alignment.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let layout = DynLayout::new(&"f32[2,2]{1,0:T(2,128)}".parse()?)?;
    /// let mut buffer = layout.zeroed_bytes();
    /// buffer.as_elements_mut::<f32>()?[[1, 1]] = 3.0;
    /// assert_eq!(buffer.as_elements::<f32>()?[[1, 1]], 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_elements_mut<T: DynStored + AnyBitPattern + NoUninit>(
        &mut self,
    ) -> Result<DynViewMut<'_, T>, DynError>
    where
        B: DerefMut,
    {
        self.layout().check_stored::<T>()?;
        MemoryError::check_aligned::<T>(self.as_bytes())?;
        let layout = self.layout().clone();
        Ok(Memory::of_parts(layout, bytemuck::cast_slice_mut(self.as_mut_bytes())))
    }
}

/// Views of elements as bytes.
impl<S: Storage<Elem: NoUninit> + AsRef<[S::Elem]>> Memory<DynLayout, S> {
    /// The memory as bytes.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    ///
    /// let layout = DynLayout::new(&"f32[2,2]".parse()?)?;
    /// let buffer = layout.filled(1.0_f32)?;
    /// assert_eq!(buffer.as_bytes_view().get(&[1, 1]), Some(1.0_f32.to_bits().into()));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_bytes_view(&self) -> DynBytesView<'_> {
        let bytes = bytemuck::cast_slice(self.slots.as_ref());
        Memory::of_parts(self.layout().clone(), self.layout().bits(bytes))
    }
}
