//! Indices of elements.

/// An index: `[usize; R]`, or a list where the rank is known at run time only.
pub trait AnyIndex: Copy + AsRef<[usize]> + AsMut<[usize]> + core::fmt::Debug + PartialEq {
    /// The number of coordinates, where a type says it.
    const KNOWN_RANK: Option<usize>;
}

impl<const R: usize> AnyIndex for [usize; R] {
    const KNOWN_RANK: Option<usize> = Some(R);
}

impl AnyIndex for DynIndex {
    const KNOWN_RANK: Option<usize> = None;
}

/// An index: one coordinate for each dimension, dimension 0 first. Every `[usize; R]` is one.
pub trait IndexArray: AnyIndex + Send + Sync + 'static {
    /// The index whose coordinates are all 0.
    const ORIGIN: Self;

    /// The index with coordinates of 32 bits: `[u32; R]`.
    type U32: Copy
        + core::fmt::Debug
        + PartialEq
        + AsRef<[u32]>
        + AsMut<[u32]>
        + Send
        + Sync
        + 'static;

    #[doc(hidden)]
    fn widen(index: Self::U32) -> Self;

    /// The lowest 32 bits of each coordinate.
    #[doc(hidden)]
    fn narrow(self) -> Self::U32;

    /// Calls the visitor with the index as the array that it is.
    #[doc(hidden)]
    fn visit<V: Visitor>(&mut self, visitor: V) -> V::Output;
}

/// A function that is generic over the number of coordinates.
#[allow(unnameable_types, reason = "only this crate visits an index")]
pub trait Visitor {
    type Output;

    fn visit<const R: usize>(self, index: &mut [usize; R]) -> Self::Output;
}

#[diagnostic::do_not_recommend]
impl<const R: usize> IndexArray for [usize; R] {
    const ORIGIN: Self = [0; R];

    type U32 = [u32; R];

    #[inline(always)]
    fn widen(index: [u32; R]) -> Self {
        widen(index)
    }

    #[inline(always)]
    fn narrow(self) -> [u32; R] {
        narrow(self)
    }

    #[inline(always)]
    fn visit<V: Visitor>(&mut self, visitor: V) -> V::Output {
        visitor.visit(self)
    }
}

/// An index of an array whose rank is known at run time only: one coordinate for each dimension, dimension 0 first. It
/// dereferences to a slice.
pub type DynIndex = layout_core::List<16, usize>;

/// An index of an array whose rank is known at run time only: an array, a slice or a vector of coordinates, or a
/// [`DynIndex`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index of an array whose rank is known at run time",
    label = "expected coordinates of type `usize`",
    note = "an index has one coordinate for each dimension, as in `view[[1, 2]]`"
)]
pub trait Coordinates: AsRef<[usize]> {}

#[diagnostic::do_not_recommend]
impl<I: AsRef<[usize]>> Coordinates for I {}

/// Does something for the number of each coordinate. A number that is not below the rank leaves no code.
macro_rules! each_coordinate {
    ($rank:expr, $k:ident => $do:expr) => { each_coordinate! {
        $rank, $k => $do, 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
    } };
    ($rank:expr, $k:ident => $do:expr, $($number:literal)*) => {$(
        if const { $number < $rank } {
            let $k = $number;
            $do
        }
    )*};
}

pub(crate) use each_coordinate;

/// An index of coordinates that have the width of the target.
#[inline(always)]
pub(crate) const fn widen<const R: usize>(index: [u32; R]) -> [usize; R] {
    let mut wide = [0; R];
    each_coordinate! { R, k => wide[k] = index[k] as usize }
    wide
}

/// The lowest 32 bits of each coordinate.
#[inline(always)]
pub(crate) const fn narrow<const R: usize>(index: [usize; R]) -> [u32; R] {
    let mut narrow = [0; R];
    each_coordinate! { R, k => narrow[k] = index[k] as u32 }
    narrow
}
