//! Indices of elements.

/// An index: one coordinate for each dimension, dimension 0 first. Every `[usize; R]` is one.
pub trait IndexArray:
    Copy + core::fmt::Debug + PartialEq + AsRef<[usize]> + AsMut<[usize]> + Send + Sync + 'static
{
    /// The index whose coordinates are all 0.
    const ORIGIN: Self;

    /// Calls the visitor with the index as the array that it is.
    #[doc(hidden)]
    fn visit<V: Visitor>(&mut self, visitor: V) -> V::Output;
}

/// A function that is generic over the number of coordinates.
#[doc(hidden)]
#[allow(unnameable_types, reason = "only this crate visits an index")]
pub trait Visitor {
    type Output;

    fn visit<const R: usize>(self, index: &mut [usize; R]) -> Self::Output;
}

#[diagnostic::do_not_recommend]
impl<const R: usize> IndexArray for [usize; R] {
    const ORIGIN: Self = [0; R];

    #[inline(always)]
    fn visit<V: Visitor>(&mut self, visitor: V) -> V::Output {
        visitor.visit(self)
    }
}
