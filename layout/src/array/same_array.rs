//! Layouts of one array.
#![allow(unnameable_types, reason = "steps of bounds")]

use crate::compiled::AnyLayout;
use crate::spec::list::SameSizes;

/// A layout of the same array as `B`: with the same dimensions and the same element type, however
/// either lies in memory.
///
/// # Examples
/// ```
/// use layout::{AnyLayout, layout, types::SameArray};
///
/// fn slots_apart<A: SameArray<B>, B: AnyLayout>() {}
///
/// slots_apart::<layout!(F32[3,5]), layout!(F32[3,5]{0,1:T(2,2)})>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` are not layouts of one array",
    label = "other dimensions or another element type",
    note = "write the same element type and the same `[…]` in both, with `?` at the same places: only the order and the tiles may differ",
    note = "a copy that makes elements of another type is `map_to`, between slices `Copier::map`"
)]
pub trait SameArray<B: AnyLayout>: SameDims<B> + SameElement<B> {}

/// A layout of elements of the same type as `B`'s.
// Not `AnyLayout<Element = B::Element>`: see "Limits that are Rust's" in docs/architecture.md.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` have elements of different types",
    label = "another element type",
    note = "write the same element type in both: a copy that makes elements of another type is `map_to`"
)]
pub trait SameElement<B: AnyLayout>: AnyLayout {}

/// A layout of an array with the same dimensions as `B`'s, whose elements may be of another type.
///
/// # Examples
/// ```
/// use layout::{AnyLayout, layout, types::SameDims};
///
/// fn counterparts<A: SameDims<B>, B: AnyLayout>() {}
///
/// counterparts::<layout!(U8[3,5]), layout!(F32[3,5]{1,0:T(2,2)})>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` are layouts of arrays with other dimensions",
    label = "other dimensions",
    note = "write the same `[…]` in both, with `?` at the same places: only the order and the tiles may differ"
)]
pub trait SameDims<B: AnyLayout>: AnyLayout {
    /// The sizes of the dimensions, which are the same for `B`.
    #[doc(hidden)]
    #[allow(private_bounds, private_interfaces, reason = "nobody else names sizes, or calls this")]
    fn same_sizes(sizes: Self::Sizes) -> B::Sizes;
}

// Of any two layouts, so that generic code need not say that a layout has the dimensions of itself.
#[diagnostic::do_not_recommend]
impl<A: AnyLayout, B: AnyLayout> SameDims<B> for A
where
    A::DimTypes: SameSizes<B::DimTypes>,
{
    fn same_sizes(sizes: A::Sizes) -> B::Sizes {
        A::DimTypes::same(sizes)
    }
}

#[diagnostic::do_not_recommend]
impl<A: AnyLayout, B: AnyLayout> SameElement<B> for A where A::Element: SameType<B::Element> {}

#[diagnostic::do_not_recommend]
impl<A: SameDims<B> + SameElement<B>, B: AnyLayout> SameArray<B> for A {}

/// The type `T` itself.
pub trait SameType<T> {}

impl<T> SameType<T> for T {}
