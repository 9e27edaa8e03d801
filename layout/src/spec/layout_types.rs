//! The types that go with a layout's type.

use crate::spec::{
    array::Array, element::Element, index::IndexArray, list::DimList, list::NumberList,
    property::Properties, tiles::TileSpec,
};

/// The types that go with a layout of any rank: see [`AnyLayout`](crate::AnyLayout).
///
/// Generic code names them by the bound on the layout, as in `L: AnyLayout<Index = [usize; 2]>` and `L::Element`.
// A trait of its own, below the private one: a bound on `Index` is then one fact about one trait, so that `Layout<R>` and
// `TiledBy` can both say it of a layout.
pub trait LayoutTypes: 'static {
    /// An index: `[usize; RANK]`.
    type Index: IndexArray;

    /// Type of the elements: a type of [`element`](crate::types::element).
    type Element: Element;

    /// The size of an element in memory: [`Bits<N>`](crate::element::Bits), where `N` is that of `E(n)`, or else the width of
    /// the type rounded up to whole bytes.
    type Width;

    /// The dimensions.
    #[doc(hidden)]
    type DimTypes: DimList<Index = Self::Index, Sizes = Self::Sizes>;

    /// The data of a value of the layout: the sizes of dimensions that are not part of the type.
    #[doc(hidden)]
    type Sizes: Copy + Send + Sync + 'static;
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> LayoutTypes
    for Array<E, D, M, T, P>
{
    type Index = D::Index;
    type Element = E;
    type Width = P::ElementWidth<E::InMemory>;
    type DimTypes = D;
    type Sizes = D::Sizes;
}
