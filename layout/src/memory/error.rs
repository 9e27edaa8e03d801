//! Memory that does not go with a layout.

use layout_core::{ArrayShape, Fault};

use crate::compiled::AnyLayout;

errors! {
    /// Why memory is not that of an array with a layout.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, View, layout};
    ///
    /// let error = View::<layout!(F32[3,5]{1,0:T(2,2)})>::new(&[0.0; 15]).unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "`f32[3,5]{1,0:T(2,2)}` needs 24 elements in memory, padding counted, and got 15",
    /// );
    /// let error = Buffer::<layout!(S32[3,5]), i32>::from_row_major(&[7; 14]).unwrap_err();
    /// assert_eq!(error.to_string(), "the array needs 15 elements, and got 14");
    /// ```
    pub enum MemoryError {
        /// A slice is too short: how many elements in memory, or bytes, the layout needs, padding included, and the slice has.
        TooShort { shape: &'static ArrayShape, of: &'static str, needed: usize, given: usize } => "`", &shape.text(), "` needs ", needed,
            " ", of, ", padding counted, and got ", given;
        /// A list has another number of elements than an array: of slots, padding included, if it is the memory.
        WrongLength { needed: usize, given: usize } => "the array needs ", needed, " elements, and got ", given;
        /// Bytes begin `past` bytes after where an element can, which is aligned to `needed`.
        Misaligned { needed: usize, past: usize } => "elements need an alignment of ", needed, " bytes, but these begin ", past,
            " past it";
        /// Sizes of dimensions do not go with the layout.
        Dims(fault: Fault) => &fault.line();
        /// An array of `ndarray` has its elements elsewhere in memory than the layout.
        OtherStrides =>
            "the array's elements lie otherwise in memory: `Strided::of_ndarray` views any strides, and `copy_to` copies them";
    }
}

/// What lengths of elements count.
pub(crate) const ELEMENTS: &str = "elements in memory";

/// What lengths of bytes count.
pub(crate) const BYTES: &str = "bytes";

impl MemoryError {
    /// The memory of a layout at the beginning of a slice.
    pub(crate) const fn first<'a, L: AnyLayout, T>(
        data: &'a [T],
        needed: usize,
        of: &'static str,
    ) -> Result<&'a [T], Self> {
        match data.split_at_checked(needed) {
            Some((first, _)) => Ok(first),
            None => Err(MemoryError::TooShort { shape: L::VALUE, of, needed, given: data.len() }),
        }
    }

    /// The first slots, to write.
    pub(crate) const fn first_mut<'a, L: AnyLayout, T>(
        data: &'a mut [T],
        needed: usize,
        of: &'static str,
    ) -> Result<&'a mut [T], Self> {
        ok!(MemoryError::first::<L, T>(data, needed, of));
        Ok(data.split_at_mut(needed).0)
    }

    /// Refuses a list of another length than the array has.
    pub(crate) const fn check_length(needed: usize, given: usize) -> Result<(), Self> {
        if needed == given { Ok(()) } else { Err(MemoryError::WrongLength { needed, given }) }
    }

    /// Refuses bytes that are not aligned for `T`.
    #[cfg(feature = "bytemuck")]
    pub(crate) fn check_aligned<T>(bytes: &[u8]) -> Result<(), Self> {
        let needed = align_of::<T>();
        match bytes.as_ptr().addr() % needed {
            0 => Ok(()),
            past => Err(MemoryError::Misaligned { needed, past }),
        }
    }
}

error_of! { MemoryError { Dims(Fault); } }
