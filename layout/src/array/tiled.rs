//! The order and the tiles of a layout, for bounds.

use crate::compiled::AnyLayout;
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::list::{Dims, NumberList};
use crate::types::property::Properties;
use crate::types::tiles::{TileSpec, Tiles};

/// A layout of `R` dimensions whose order and tiles a bound can fix.
///
/// A kernel that is written for one arrangement of memory asks for it here. The sizes can be anything:
/// a dimension can be static, bounded (`<=N`) or known at run time only (`?`). Every [`Layout<R>`](crate::Layout) is
/// one, so `L: Layout<2, Order = .., Tiles = ..>` fixes the same for static sizes.
///
/// [`order!`](crate::order!) writes the order and [`tiles!`](crate::tiles!) the tiles; without tiles they are
/// [`Untiled`](crate::types::Untiled).
///
/// # Examples
/// ```
/// use layout::{Tiled, View, layout, order, tiles};
///
/// /// Adds up the first row of each tile.
/// fn first_rows<L: Tiled<2, Order = order!(1, 0), Tiles = tiles!((8,128))>>(view: View<L, f32>) -> f32
/// where
///     f32: layout::StoredAs<L::Element>,
/// {
///     view.as_slice().chunks_exact(8 * 128).map(|tile| tile[..128].iter().sum::<f32>()).sum()
/// }
///
/// type Rows = layout!(F32[?,1024]{1,0:T(8,128)});
/// let rows = Rows::with_dims([8, 1024])?;
/// assert_eq!(first_rows(rows.view(&vec![1.0; rows.padded_elements()])?), 1024.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Another order is a compile error where the kernel is called:
/// ```compile_fail,E0271
/// # use layout::{Tiled, layout, order, tiles};
/// fn kernel<L: Tiled<2, Order = order!(1, 0), Tiles = tiles!((8,128))>>() {}
///
/// kernel::<layout!(F32[?,1024]{0,1:T(8,128)})>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array of {R} dimensions",
    label = "expected a layout of {R} dimensions",
    note = "`layout!` makes layouts, as in `layout!(F32[3,5]{{1,0:T(2,2)}})`"
)]
pub trait Tiled<const R: usize>: AnyLayout<Index = [usize; R]> {
    /// The order of the dimensions, the most minor first, as [`order!`](crate::order!) writes it.
    type Order: NumberList<Array = [usize; R]>;

    /// The tiles, as [`tiles!`](crate::tiles!) writes them.
    type Tiles: TileSpec;
}

#[diagnostic::do_not_recommend]
impl<E, D, M, T, P, const R: usize> Tiled<R> for Array<E, D, M, Tiles<T>, P>
where
    E: Element,
    D: Dims<R>,
    M: NumberList<Array = [usize; R]>,
    Tiles<T>: TileSpec,
    P: Properties,
{
    type Order = M;
    type Tiles = Tiles<T>;
}
