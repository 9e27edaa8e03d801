//! The size of a dimension.

use crate::base::Size;

/// Size of a dimension, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// `3`: a static size.
    Static(Size),
    /// `<=3`: known only at run time; laid out as if it had its bound.
    Bounded(Size),
    /// `?`: known only at run time, without a bound. Sizes and offsets that depend on it are unknown.
    Unbounded,
}

impl Dim {
    /// The size that the layout uses: the size itself or its bound, `None` for `?`.
    pub const fn size(self) -> Option<Size> {
        match self {
            Dim::Static(size) | Dim::Bounded(size) => Some(size),
            Dim::Unbounded => None,
        }
    }

    /// Whether two dimensions have the same size, known or unknown. Where bounds count, `<=3` is not 3.
    pub const fn is_same(self, other: Dim, bounds_count: bool) -> bool {
        match (self.size(), other.size()) {
            (Some(a), Some(b)) => {
                a == b && !(bounds_count && self.is_dynamic() != other.is_dynamic())
            }
            (None, None) => true,
            _ => false,
        }
    }

    /// Whether the size is known only at run time (`<=3` and `?`).
    pub const fn is_dynamic(self) -> bool {
        !matches!(self, Dim::Static(_))
    }
}

/// A static dimension equals its size; other dimensions equal no number.
impl PartialEq<Size> for Dim {
    fn eq(&self, size: &Size) -> bool {
        *self == Dim::Static(*size)
    }
}

impl From<Size> for Dim {
    fn from(size: Size) -> Dim {
        Dim::Static(size)
    }
}
