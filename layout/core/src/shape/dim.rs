//! The size of one dimension.

/// Size of a dimension, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// `3`: known.
    Static(usize),
    /// `<=3`: known at run time; laid out as if it were the bound.
    Bounded(usize),
    /// `?`: known at run time, with no bound. Nothing that depends on it has a value.
    Unbounded,
}

impl Dim {
    /// Elements that the layout provides for: the size or its bound, `None` for `?`.
    pub const fn size(self) -> Option<usize> {
        match self {
            Dim::Static(size) | Dim::Bounded(size) => Some(size),
            Dim::Unbounded => None,
        }
    }

    /// Whether the size is known at run time only (`<=3` and `?`).
    pub const fn is_dynamic(self) -> bool {
        !matches!(self, Dim::Static(_))
    }
}

/// A static dimension of that size is equal to the number.
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
