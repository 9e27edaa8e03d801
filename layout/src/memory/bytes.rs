//! Views of bytes, by the crate `bytemuck`.

use core::fmt;

use bytemuck::{AnyBitPattern, NoUninit};

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::memory::stored::StoredAs;
use crate::memory::view::{TooShort, View};
use crate::memory::view_mut::ViewMut;

/// Why bytes are no memory of a layout. All numbers are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BytesError {
    /// There are too few.
    TooShort(TooShort),
    /// They do not begin where an element can.
    Misaligned {
        /// The alignment of an element.
        needed: usize,
        /// How far behind a multiple of it the bytes begin.
        behind: usize,
    },
}

impl fmt::Display for BytesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            BytesError::TooShort(TooShort { needed, given }) => {
                write!(f, "the layout needs {needed} bytes, padding counted, and got {given}")
            }
            BytesError::Misaligned { needed, behind } => {
                write!(
                    f,
                    "elements need an alignment of {needed} bytes, but these begin {behind} past it"
                )
            }
        }
    }
}

impl core::error::Error for BytesError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            BytesError::TooShort(error) => Some(error),
            _ => None,
        }
    }
}

/// The first bytes, as many as the layout takes, if they begin where an element can.
fn check<L: AnyLayout, T>(layout: &WithDims<L>, bytes: &[u8]) -> Result<usize, BytesError> {
    let (needed, given) = (layout.padded_elements() * size_of::<T>(), bytes.len());
    if given < needed {
        return Err(BytesError::TooShort(TooShort { needed, given }));
    }
    match bytes.as_ptr().addr() % align_of::<T>() {
        0 => Ok(needed),
        behind => Err(BytesError::Misaligned { needed: align_of::<T>(), behind }),
    }
}

impl<'a, L: AnyLayout, T: StoredAs<L::Element> + AnyBitPattern> View<'a, L, T> {
    /// A view of the first `BYTES` of a slice as elements. Does not compile for a layout with dimensions
    /// that are known at run time only: [`WithDims::view_of_bytes`] makes views of it.
    ///
    /// # Errors
    /// If there are fewer, or they do not begin at a multiple of the element's alignment.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// let data = [7; A::PADDED_ELEMENTS];
    /// let view = View::<A, i32>::of_bytes(bytemuck::cast_slice(&data))?;
    /// assert_eq!(view[[2, 3]], 7);
    /// # Ok::<(), layout::BytesError>(())
    /// ```
    pub fn of_bytes(bytes: &'a [u8]) -> Result<Self, BytesError> {
        const { WithDims::<L>::known() }.view_of_bytes(bytes)
    }
}

impl<'a, L: AnyLayout, T: StoredAs<L::Element> + AnyBitPattern + NoUninit> ViewMut<'a, L, T> {
    /// As [`View::of_bytes`], to write.
    ///
    /// # Errors
    /// If there are fewer, or they do not begin at a multiple of the element's alignment.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(U8[3,5]{1,0:T(2,2)});
    /// let mut bytes = [0; A::BYTES];
    /// ViewMut::<A, u8>::of_bytes(&mut bytes)?[[2, 3]] = 7;
    /// assert_eq!(bytes[17], 7);
    /// # Ok::<(), layout::BytesError>(())
    /// ```
    pub fn of_bytes(bytes: &'a mut [u8]) -> Result<Self, BytesError> {
        const { WithDims::<L>::known() }.view_mut_of_bytes(bytes)
    }
}

impl<L: AnyLayout> WithDims<L> {
    /// A view of the first [`bytes`](Self::bytes) of a slice as elements.
    ///
    /// # Errors
    /// If there are fewer, or they do not begin at a multiple of the element's alignment.
    ///
    /// # Examples
    /// ```
    /// use layout::{BytesError, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// let a = A::with_dims([3, 5])?;
    /// let data = [7; A::PADDED_ELEMENTS];
    /// let bytes: &[u8] = bytemuck::cast_slice(&data);
    /// assert_eq!(a.view_of_bytes::<i32>(bytes)?[[2, 3]], 7);
    /// let error = a.view_of_bytes::<i32>(&bytes[1..]).unwrap_err();
    /// assert_eq!(error.to_string(), "the layout needs 96 bytes, padding counted, and got 95");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn view_of_bytes<'a, T>(&self, bytes: &'a [u8]) -> Result<View<'a, L, T>, BytesError>
    where
        T: StoredAs<L::Element> + AnyBitPattern,
    {
        let length = check::<L, T>(self, bytes)?;
        self.view(bytemuck::cast_slice(&bytes[..length])).map_err(BytesError::TooShort)
    }

    /// As [`view_of_bytes`](Self::view_of_bytes), to write.
    ///
    /// # Errors
    /// If there are fewer, or they do not begin at a multiple of the element's alignment.
    pub fn view_mut_of_bytes<'a, T>(
        &self,
        bytes: &'a mut [u8],
    ) -> Result<ViewMut<'a, L, T>, BytesError>
    where
        T: StoredAs<L::Element> + AnyBitPattern + NoUninit,
    {
        let length = check::<L, T>(self, bytes)?;
        self.view_mut(bytemuck::cast_slice_mut(&mut bytes[..length])).map_err(BytesError::TooShort)
    }
}
