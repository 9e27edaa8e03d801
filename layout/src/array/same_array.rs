//! Layouts of one array.

use crate::compiled::AnyLayout;
use crate::types::array::Array;
use crate::types::{DimList, Element, NumberList, Properties, TileSpec};

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
// That the index and the element type are the same is left to the implementation: said here too, they
// could not be told apart from what `Layout<R>` says of them in generic code.
pub trait SameArray<B: AnyLayout>: SameDims<B> {}

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

#[diagnostic::do_not_recommend]
impl<E, E2, D, M, T, P, M2, T2, P2> SameDims<Array<E2, D, M2, T2, P2>> for Array<E, D, M, T, P>
where
    E: Element,
    E2: Element,
    D: DimList,
    M: NumberList,
    T: TileSpec,
    P: Properties,
    M2: NumberList,
    T2: TileSpec,
    P2: Properties,
{
    fn same_sizes(sizes: D::Sizes) -> D::Sizes {
        sizes
    }
}

#[diagnostic::do_not_recommend]
impl<E, D, M, T, P, M2, T2, P2> SameArray<Array<E, D, M2, T2, P2>> for Array<E, D, M, T, P>
where
    E: Element,
    D: DimList,
    M: NumberList,
    T: TileSpec,
    P: Properties,
    M2: NumberList,
    T2: TileSpec,
    P2: Properties,
{
}
