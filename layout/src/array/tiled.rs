//! Bounds that fix the order and the tiles of a layout.

// The order, the tiles, the dimensions and each property have a small trait of their own, so that an error
// names the part that differs. `Index`, `Element` and `Width` belong to `LayoutTypes`, below the private trait,
// so that `Layout<2>` and `TiledBy<order!(1, 0), ..>` can both fix the index of one layout.
#![allow(unnameable_types, reason = "steps of the bounds, which errors of the compiler name")]

use crate::compiled::AnyLayout;
use crate::spec::array::Array;
use crate::spec::list::LaidOutBySizes;
use crate::spec::property::AddNoMemory;
use crate::spec::{DimList, Element, NumberList, Properties, TileList, Tiles, Untiled};

/// A layout with the order `O` and the tiles `T`, and nothing else that moves an element or adds memory.
///
/// This is the bound of a kernel that is written for one arrangement of memory: from sizes, order and tiles it knows where
/// every element is and how many slots there are. So a layout with `PAD`, with `L`, or with an `E(n)` that is
/// not the size of its elements anyway does not satisfy it, nor one with a bounded dimension, `<=N`, which is laid out with
/// its bound and not with its size. `S`, `SC`, `M` and `FILL` move no element.
///
/// [`order!`](crate::order!) writes the order and [`tiles!`](crate::tiles!) the tiles; `TiledBy<order!(1, 0)>` asks for a layout
/// without tiles. A size can be static or known at run time only (`?`); `L: Layout<R> + TiledBy<..>` asks for static ones. The order
/// then lists `R` dimensions; of another number the compiler says "cannot satisfy `<L as LayoutTypes>::Index == [usize; R]`".
///
/// # Examples
/// ```
/// use layout::{TiledBy, View, layout, order, tiles};
///
/// /// Adds up the first row of each tile.
/// fn first_rows<L: TiledBy<order!(1, 0), tiles!((8,128))>>(view: View<L, f32>) -> f32 {
///     view.as_slice().chunks_exact(8 * 128).map(|tile| tile[..128].iter().sum::<f32>()).sum()
/// }
///
/// type Rows = layout!(F32[?,1024]{1,0:T(8,128)});
/// let rows = Rows::with_dims([8, 1024])?;
/// assert_eq!(first_rows(rows.view(&vec![1.0; rows.padded_elements()])?), 1024.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Another order, other tiles and explicit padding are compile errors where the kernel is called:
/// ```compile_fail,E0277
/// # use layout::{TiledBy, layout, order, tiles};
/// fn kernel<L: TiledBy<order!(1, 0), tiles!((8,128))>>() {}
///
/// kernel::<layout!(F32[12,1000]{1,0:PAD(12,1024)T(8,128)})>();
/// ```
pub trait TiledBy<O: NumberList, T = Untiled>: LooselyTiledBy<O, T> {}

/// A layout with the order `O` and the tiles `T`, which may also have `PAD`, `L`, `E` and bounded dimensions.
///
/// The order and the tiles alone do not say where an element is: `PAD` and the bound of `<=N` move elements apart, `L` adds
/// slots to the end, and `E` gives elements another size. So this is the bound of kernels that find elements by
/// [`WithDims::offset`](crate::WithDims::offset) or by walks, and need the order and the tiles for speed only.
/// [`TiledBy`] fixes all of the memory.
///
/// # Examples
/// ```
/// use layout::{View, layout, order, tiles, types::LooselyTiledBy};
///
/// /// Adds up the elements, which lie in runs of 128.
/// fn sum<L: LooselyTiledBy<order!(1, 0), tiles!((8,128))>>(view: View<L, f32>) -> f32 {
///     view.runs().flat_map(|(_, run)| run).sum()
/// }
///
/// type Wide = layout!(F32[2,100]{1,0:PAD(2,200)T(8,128)});
/// assert_eq!(sum(View::<Wide, f32>::new(&[1.0; Wide::PADDED_ELEMENTS])?), 200.0);
/// # Ok::<(), layout::MemoryError>(())
/// ```
pub trait LooselyTiledBy<O: NumberList, T = Untiled>: AnyLayout<Index = O::AsArray> {}

/// Dimensions that `M` orders, where `O` is the order that is asked for.
#[diagnostic::on_unimplemented(
    message = "expected a layout with the order of dimensions `{O}`, found one with `{M}`",
    label = "another order of dimensions",
    note = "`(C<1>, C<0>)` is `{{1,0}}` in the notation, and `order!(1, 0)`: the numbers of the dimensions, the most minor one first"
)]
pub trait OrderedBy<M, O: NumberList>: DimList<Index = O::AsArray> {}

#[diagnostic::do_not_recommend]
impl<D, O: NumberList> OrderedBy<O, O> for D where D: DimList<Index = O::AsArray> {}

/// The tiles `T`, which are asked for.
#[diagnostic::on_unimplemented(
    message = "expected a layout with the tiles `{T}`, found one with `{Self}`",
    label = "other tiles",
    note = "`((C<8>, C<128>), (C<2>, C<1>))` is `T(8,128)(2,1)` in the notation, and `tiles!((8,128)(2,1))`; `Star` is `*`, and `()` stands for no tiles"
)]
pub trait TheTiles<T>: TileList {}

#[diagnostic::do_not_recommend]
impl<T: TileList> TheTiles<T> for T {}

/// What [`TiledBy`] asks. Of an implementation of that for `Array` the compiler would show all lines where a layout is refused.
pub trait ArrangedBy<O: NumberList, T>: LooselyArrangedBy<O, T> {}

/// What [`LooselyTiledBy`] asks.
pub trait LooselyArrangedBy<O: NumberList, T>: AnyLayout<Index = O::AsArray> {}

impl<L: ArrangedBy<O, T>, O: NumberList, T> TiledBy<O, T> for L {}

impl<L: LooselyArrangedBy<O, T>, O: NumberList, T> LooselyTiledBy<O, T> for L {}

impl<E: Element, D: OrderedBy<M, O>, M: NumberList, T: TheTiles<S>, P: Properties, O: NumberList, S>
    LooselyArrangedBy<O, Tiles<S>> for Array<E, D, M, Tiles<T>, P>
{
}

impl<E, D, M, T, P, O, S> ArrangedBy<O, Tiles<S>> for Array<E, D, M, Tiles<T>, P>
where
    E: Element,
    D: OrderedBy<M, O> + LaidOutBySizes,
    M: NumberList,
    O: NumberList,
    T: TheTiles<S>,
    P: Properties + AddNoMemory<E>,
{
}
