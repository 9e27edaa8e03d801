//! The size of a dimension.

/// Size of a dimension, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// `3`: a static size.
    Static(usize),
    /// `<=3`: known only at run time; laid out as if it had its bound.
    Bounded(usize),
    /// `?`: known only at run time, without a bound. Sizes and offsets that depend on it are unknown.
    Unbounded,
}

impl Dim {
    /// The size that the layout uses: the size itself or its bound, `None` for `?`.
    pub const fn size(self) -> Option<usize> {
        match self {
            Dim::Static(size) | Dim::Bounded(size) => Some(size),
            Dim::Unbounded => None,
        }
    }

    /// Whether the size is known only at run time (`<=3` and `?`).
    pub const fn is_dynamic(self) -> bool {
        !matches!(self, Dim::Static(_))
    }
}

/// A static dimension equals its size; other dimensions equal no number.
impl PartialEq<usize> for Dim {
    fn eq(&self, size: &usize) -> bool {
        *self == Dim::Static(*size)
    }
}

impl From<usize> for Dim {
    fn from(size: usize) -> Dim {
        Dim::Static(size)
    }
}
