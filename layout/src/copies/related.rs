//! What is copied to what: which places have an array of the same sizes and of the same elements, and which formats have the same values.

use layout_copy::__private::packed::{Extend, Widths};

use crate::array::same_array::{SameArray, SameDims, SameElement};
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::copies::{error::CopyError, slots::CopiedSlots};
use crate::memory::{Format, Part, Place, Strides};

/// Places from which an array is copied to a place `Q`.
#[diagnostic::on_unimplemented(
    message = "an array at `{Self}` is not copied to `{Q}`",
    label = "another number of dimensions, other sizes, or another element type",
    note = "`Memory<WithDims<L>, …>` is a `View`, `ViewMut` or `Buffer`, `Memory<Part<L>, …>` a `Slice`, and `Memory<Strides<R>, …>` a `Strided`"
)]
pub trait CopyTo<Q: Place>: MapTo<Q> {}

/// Places from which elements are mapped to a place `Q`, as other elements.
#[diagnostic::on_unimplemented(
    message = "an array at `{Self}` is not mapped to `{Q}`",
    label = "another number of dimensions, or other sizes"
)]
pub trait MapTo<Q: Place>: Place {}

impl<A: SameArray<B>, B: AnyLayout> CopyTo<WithDims<B>> for WithDims<A> {}
impl<A: SameDims<B>, B: AnyLayout> MapTo<WithDims<B>> for WithDims<A> {}

/// Pairs of which one says the sizes at run time alone.
macro_rules! related {
    ($([$($parameter:tt)*] $(where [$($copied:tt)*])? $from:ty => $to:ty;)*) => {$(
        impl<$($parameter)*> $crate::copies::CopyTo<$to> for $from $(where $($copied)*)? {}
        impl<$($parameter)*> $crate::copies::MapTo<$to> for $from {}
    )*};
}

#[cfg(feature = "alloc")]
pub(crate) use related;

related! {
    [B: AnyLayout<Index = [usize; R]>, const R: usize] Strides<R> => WithDims<B>;
    [A: AnyLayout<Index = [usize; R]>, const R: usize] WithDims<A> => Strides<R>;
    [const R: usize] Strides<R> => Strides<R>;
    [A: AnyLayout<Index = [usize; R]>, const R: usize] Part<A> => Strides<R>;
    [B: AnyLayout<Index = [usize; R]>, const R: usize] Strides<R> => Part<B>;
    [A: AnyLayout, B: AnyLayout<Index = A::Index>] where [A: SameElement<B>] Part<A> => WithDims<B>;
    [A: AnyLayout, B: AnyLayout<Index = A::Index>] where [A: SameElement<B>] WithDims<A> => Part<B>;
    [A: AnyLayout, B: AnyLayout<Index = A::Index>] where [A: SameElement<B>] Part<A> => Part<B>;
}

/// Elements that are copied to memory in the format `G`.
#[diagnostic::on_unimplemented(
    message = "elements in `{Self}` are not copied to `{G}`",
    label = "elements of another type",
    note = "a copy goes to elements of the source's type, packed elements to packed ones of as many bits, or one a byte to `u8`, `i8` or `bool`",
    note = "`map_to` makes elements of another type; `write_to` writes to a slice or a `Vec`"
)]
pub trait CopiedAs<G: Format>: Format {
    /// Bits of elements on both sides, where one is narrower than a byte.
    const WIDTHS: Widths =
        Widths { src: 8, dst: 8, fixed: 0, extend: Extend::Zeros, mirrors: [false; 2] };

    /// Copies between memories that nobody else uses.
    ///
    /// # Errors
    /// If no plan copies elements of these sizes.
    fn copied<'d, P: Place, Q: Place>(
        places: (&P, &Q),
        src: &[Self::Unit],
        slots: CopiedSlots<'_, 'd, G::Unit>,
        padding: Option<G::Value>,
    ) -> Result<&'d mut [G::Unit], CopyError>;

    /// An element as the destination has it.
    fn converted(element: Self::Value) -> G::Value;
}
