//! Bounds of generic code: each kind of bound that a user can need is written here once.

use layout::types::{
    DimList, Dims, Element, LooselyTiledBy, NumberList, Properties, SameArray, StaticDims,
    StoredAs, StoredIn, TileList, TileSpec, Tiles,
};
use layout::{
    AnyLayout, Array, CopyError, Layout, Padding, TiledBy, View, ViewMut, element, layout, order,
    tiles,
};
use static_assertions::{assert_impl_all, assert_not_impl_any};

/// Generic over the tiles.
fn slots<T: TileSpec, L: Layout<2> + TiledBy<order!(1, 0), T>>() -> usize {
    L::PADDED_ELEMENTS
}

/// Generic over lists of tiles.
fn slots_of_list<T, L>() -> (usize, &'static str)
where
    T: TileList,
    L: Layout<2> + TiledBy<order!(1, 0), Tiles<T>>,
{
    (L::PADDED_ELEMENTS, Tiles::<T>::TEXT)
}

/// Generic over the element type, and what stores it.
fn first<E: Element, L: Layout<2, Element = E>, S: StoredAs<E> + Copy>(view: View<L, S>) -> S {
    view[[0, 0]]
}

/// Generic over every part of a layout's type.
fn elements<E, D, M, T, P>() -> usize
where
    E: Element,
    D: Dims<2> + StaticDims,
    M: NumberList<AsArray = [usize; 2]>,
    T: TileSpec,
    P: Properties,
{
    Array::<E, D, M, T, P>::ELEMENTS
}

/// Generic over everything, `?` included: what the type has of any layout.
fn with_dims_of<D: DimList, E: Element, M: NumberList, T: TileSpec>() -> &'static str {
    Array::<E, D, M, T>::TEXT
}

#[test]
fn parts_of_types_are_bounds() {
    type A = layout!(F32[3,5]{1,0:T(2,2)});
    type Packed = tiles!((2, 2));
    assert_eq!(slots::<Packed, A>(), 24);
    assert_eq!(slots_of_list::<_, A>(), (24, "(2,2)"));
    let data = [7.0; 24];
    assert_eq!(first(View::<A, f32>::new(&data).unwrap()), 7.0);
    type D = (layout::types::C<3>, layout::types::C<5>);
    type M = (layout::types::C<1>, layout::types::C<0>);
    assert_eq!(elements::<element::F32, D, M, Packed, ()>(), 15);
    assert_eq!(with_dims_of::<D, element::F32, M, Packed>(), A::TEXT);
}

/// One order and one tiling, sizes of any kind: the offsets of a kernel that knows its tiles.
fn rows_of_tiles<L, E>(view: View<L, u32>) -> Vec<u32>
where
    L: TiledBy<order!(1, 0), tiles!((2, 2))> + AnyLayout<Element = E>,
    E: Element,
{
    let [rows, columns] = view.dims();
    let across = columns.div_ceil(2);
    let at = |i: usize, j: usize| (i / 2 * across + j / 2) * 4 + i % 2 * 2 + j % 2;
    let slots = view.as_slice();
    (0..rows).flat_map(|i| (0..columns).map(move |j| slots[at(i, j)])).collect()
}

/// The bound goes with that of static layouts.
fn dims_of<L: Layout<2> + TiledBy<order!(1, 0), tiles!((2, 2))>>() -> [usize; 2] {
    L::DIMS
}

/// A bound that fixes the rank alone.
fn rank_of<L: AnyLayout<Index = [usize; R]>, const R: usize>(_: View<L, u32>) -> usize {
    R
}

/// The bound in a struct.
struct Kernel<'a, L: TiledBy<order!(1, 0), tiles!((2, 2))>> {
    view: View<'a, L, u32>,
}

impl<L: TiledBy<order!(1, 0), tiles!((2, 2))>> Kernel<'_, L> {
    fn rows(&self) -> Vec<u32> {
        rows_of_tiles(self.view)
    }
}

/// The bound of an associated type.
trait Model {
    type Weights: TiledBy<order!(1, 0), tiles!((2, 2))>;
}

fn rows_of_weights<M: Model>(view: View<M::Weights, u32>) -> Vec<u32> {
    Kernel { view }.rows()
}

struct Small;

impl Model for Small {
    type Weights = layout!(U32[3,5]{1,0:T(2,2)E(32)M(8)});
}

/// What a kernel that says so takes: any `PAD`, `L` and `E`.
fn sum<L: LooselyTiledBy<order!(1, 0), tiles!((2, 2))>>(view: View<L, u32>) -> u32 {
    view.runs().flat_map(|(_, run)| run).sum()
}

#[test]
fn order_and_tiles_are_bounds() {
    type Static = layout!(U32[3,5]{1,0:T(2,2)});
    type Rows = layout!(U32[?,5]{1,0:T(2,2)});
    type Bounded = layout!(U32[<=3,?]{1,0:T(2,2)S(1)});
    let memory = (0..24).collect::<Vec<u32>>();
    let expected = Static::indices_row_major().map(|(_, at)| at as u32).collect::<Vec<_>>();
    assert_eq!(rows_of_tiles(View::<Static, u32>::new(&memory).unwrap()), expected);
    let rows = Rows::with_dims([3, 5]).unwrap();
    assert_eq!(rows_of_tiles(rows.view(&memory).unwrap()), expected);
    let bounded = Bounded::with_dims([2, 5]).unwrap();
    assert_eq!(sum(bounded.view(&memory).unwrap()), expected[..10].iter().sum::<u32>());
    assert_eq!(rank_of(bounded.view(&memory).unwrap()), 2);
    assert_eq!(dims_of::<Static>(), [3, 5]);
    assert_eq!(rows_of_weights::<Small>(View::new(&memory).unwrap()), expected);
    type Padded = layout!(U32[3,5]{1,0:PAD(3,8)T(2,2)L(40)});
    assert_eq!(sum(View::<Padded, u32>::new(&[1; Padded::PADDED_ELEMENTS]).unwrap()), 15);
    assert_not_impl_any!(Rows: Layout<2>, layout::StaticLayout);
}

/// A bound that fixes the order and the tiles fixes the memory: whoever satisfies it has the slots that sizes, order and
/// tiles alone say.
#[test]
fn the_bound_of_a_kernel_fixes_the_memory() {
    type By4 = tiles!((4, 1));
    macro_rules! satisfies {
        ($($layout:tt)*) => {
            assert_impl_all!(layout!($($layout)*): TiledBy<order!(1, 0), By4>, LooselyTiledBy<order!(1, 0), By4>);
        };
    }
    macro_rules! satisfies_loosely {
        ($($layout:tt)*) => {
            assert_impl_all!(layout!($($layout)*): LooselyTiledBy<order!(1, 0), By4>);
            assert_not_impl_any!(layout!($($layout)*): TiledBy<order!(1, 0), By4>);
        };
    }
    macro_rules! fails {
        ($($layout:tt)*) => {
            assert_not_impl_any!(layout!($($layout)*): TiledBy<order!(1, 0), By4>, LooselyTiledBy<order!(1, 0), By4>);
        };
    }
    satisfies!(S8[12,20]{1,0:T(4,1)});
    satisfies!(S8[?,20]{1,0:T(4,1)});
    satisfies!(S8[12,20]{1,0:T(4,1)E(8)S(3)SC(0:1)M(64)});
    satisfies!(S4[12,20]{1,0:T(4,1)E(8)});
    satisfies_loosely!(S8[12,<=20]{1,0:T(4,1)});
    satisfies_loosely!(S8[<=12,?]{1,0:T(4,1)});
    satisfies_loosely!(S8[12,20]{1,0:PAD(12,32)T(4,1)});
    satisfies_loosely!(S8[12,20]{1,0:PAD(12,32)FILL(one)T(4,1)S(1)});
    satisfies_loosely!(S8[12,20]{1,0:T(4,1)L(1024)});
    satisfies_loosely!(S8[12,20]{1,0:T(4,1)E(16)});
    satisfies_loosely!(S4[12,20]{1,0:T(4,1)E(4)});
    satisfies_loosely!(PRED[12,20]{1,0:T(4,1)E(32)});
    fails!(S8[12,20]{0,1:T(4,1)});
    fails!(S8[12,20]{1,0});
    fails!(S8[12,20]{1,0:T(4,1)(2)});
    fails!(S8[12,20]{1,0:T(4,2)});
    fails!(S8[12,20]{1,0:T(*,1)});
    fails!(S8[2,12,20]{2,1,0:T(4,1)});
    fails!(S8[20]{0:T(4,1)});
    assert_impl_all!(layout!(F32[?]): TiledBy<order!(0), layout::types::Untiled>);
    assert_impl_all!(layout!(F32[]): TiledBy<order!(), layout::types::Untiled>);
}

/// A layout has the array of itself, without a bound.
fn copied<L: AnyLayout, T: StoredIn<L>>(
    from: View<L, T>,
    to: &mut ViewMut<L, T>,
) -> Result<(), CopyError> {
    from.copy_to(to, Padding::Leave)
}

/// Parts of both layouts of one array, whatever else is known of either.
fn columns_copied<A, B, T>(from: View<A, T>, to: &mut ViewMut<B, T>) -> Result<(), CopyError>
where
    A: Layout<2, Element = element::U16> + SameArray<B>,
    B: Layout<2> + SameArray<A>,
    T: StoredIn<A> + StoredIn<B>,
{
    let part = from.slice((.., 1..)).expect("there are columns");
    part.copy_to(&mut to.slice_mut((.., 1..)).expect("there are columns"), Padding::Leave)
}

#[test]
fn layouts_of_one_array_in_generic_code() {
    type A = layout!(U16[2,3]);
    type B = layout!(U16[2,3]{0,1});
    let rows = [0, 1, 2, 3, 4, 5];
    let from = View::<A>::new(&rows).unwrap();
    let (mut same, mut turned) = ([9; 6], [9; 6]);
    copied(from, &mut ViewMut::<A>::new(&mut same).unwrap()).unwrap();
    columns_copied(from, &mut ViewMut::<B>::new(&mut turned).unwrap()).unwrap();
    assert_eq!((same, turned), (rows, [9, 9, 1, 4, 2, 5]));
}
