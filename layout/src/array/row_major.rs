//! The array without tiles in row-major order, as a type.

use crate::array::same_array::SameArray;
use crate::compiled::AnyLayout;
use crate::types::array::Array;
use crate::types::list::Descending;
use crate::types::{DimList, Element, LayoutTypes, NumberList, Properties, TileSpec, Untiled};

/// The array in row-major order without tiles: the last dimension varies fastest.
///
/// The element size (`E`) and the memory space (`S`) stay, so that what stores an element of one layout stores
/// an element of the other. `PAD`, `FILL`, `L`, `SC` and `M` are left out: memory holds the elements alone, one
/// after the other. [`UntiledOf`](crate::types::UntiledOf) keeps the order and these properties.
///
/// # Examples
/// ```
/// use layout::types::RowMajorOf;
/// use layout::layout;
///
/// type A = RowMajorOf<layout!(BF16[?,1024]{0,1:T(8,128)(2,1)L(4096)S(1)})>;
/// assert_eq!(A::TEXT, "bf16[?,1024]{1,0:S(1)}");
/// ```
// An alias: associated types of types themselves are not stable.
pub type RowMajorOf<A> = <A as RowMajor>::RowMajor;

/// A layout whose array has a row-major layout: see [`RowMajorOf`]. Every layout that
/// [`layout!`](macro@crate::layout) writes implements it.
///
/// # Examples
/// ```
/// use layout::types::{RowMajor, RowMajorOf};
/// use layout::{Buffer, StoredIn, View, layout};
///
/// /// The elements in row-major order.
/// fn row_major<L: RowMajor>(view: View<L, f32>) -> Buffer<RowMajorOf<L>, f32>
/// where
///     f32: StoredIn<L>,
/// {
///     view.to_layout::<RowMajorOf<L>>()
/// }
///
/// type A = layout!(F32[2,3]{0,1:T(2,2)});
/// let view = View::<A, f32>::new(&[0.0, 3.0, 1.0, 4.0, 2.0, 5.0, 9.0, 9.0])?;
/// assert_eq!(row_major(view).as_slice(), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]);
/// # Ok::<(), layout::TooShort>(())
/// ```
pub trait RowMajor: SameArray<<Self as RowMajor>::RowMajor> + Sized {
    /// The array in row-major order without tiles.
    type RowMajor: SameArray<Self>
        + AnyLayout<
            Index = <Self as LayoutTypes>::Index,
            Element = <Self as LayoutTypes>::Element,
            Width = <Self as LayoutTypes>::Width,
        >;
}

#[diagnostic::do_not_recommend]
impl<E, D, M, T, P> RowMajor for Array<E, D, M, T, P>
where
    E: Element,
    D: DimList + Descending,
    M: NumberList,
    T: TileSpec,
    P: Properties<Storage: Properties<ElementWidth<E::InMemory> = P::ElementWidth<E::InMemory>>>,
{
    type RowMajor = Array<E, D, D::Order, Untiled, P::Storage>;
}
