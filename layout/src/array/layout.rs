//! The trait of layouts, for generic code.

use layout_core::__private::{NATIVE, native};
use layout_core::limits::{MAX_DIMS, MAX_SIZE};
use layout_core::{ArrayShape, ElementType};

use crate::array::constants::{self, constant, each_constant, each_list};
use crate::array::offset::{self, BITS_32, each_function, words};
use crate::array::table::{Table, each_table, element_table, offset_table};
use crate::compiled::eval::{self, NO_COUNTS};
use crate::compiled::{self, AnyLayout, Compiled, KNOWN_AT_RUN_TIME, StaticLayout, stop};
use crate::order::grid;
use crate::order::indices::{Indices, IndicesRowMajor, Paddings};
use crate::order::run::Runs;
use crate::order::tiles::LayoutTiles;
use crate::spec::{
    DimList, Dims, Element, LayoutTypes, NumberList, Properties, StaticDims, TileSpec,
    array::Array, index::narrow, index::widen, text::text,
};

macro_rules! constants_of_trait {
    ($($(#[$doc:meta])* $sizes:ident $name:ident: $type:ty = $value:expr;)*) => {$(
        $(#[$doc])*
        const $name: $type = constant!($sizes $value);
    )*};
    ($($(#[$doc:meta])* $sizes:ident $name:ident = $value:expr;)*) => {$(
        $(#[$doc])*
        const $name: [usize; R] = constant!($sizes $value);
    )*};
}

macro_rules! functions_of_trait {
    ($(
        $(#[$doc:meta])*
        fn $name:ident [$($r:ident)?] ($($argument:ident: $type:ty)?) -> $result:ty $body:block
    )*) => {$(
        $(#[$doc])*
        fn $name($($argument: $type)?) -> $result $body
    )*};
}

macro_rules! tables_of_trait {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        fn $name<A: Table<Self>>() -> A {
            const { $name::<Self, A>() }
        }
    )*};
}

/// The walks, which `$how!` declares.
macro_rules! each_walk {
    ($how:ident) => {
        $how! {
        /// The runs of the layout, in the order of memory: the longest stretches of elements that are consecutive both in
        /// memory and along the dimension [`RUN_DIM`](crate::Array::RUN_DIM). With sizes that are known only at run time, two
        /// runs may be adjacent; they are not joined.
        ///
        /// Code that works run by run is as fast as a nest of loops by hand, since a run is a plain range of
        /// memory. Where a `*` combines dimensions, or a tile cuts another at places that do not meet, runs are
        /// found slot by slot, which is exact but slow.
        ///
        /// # Examples
        /// ```
        /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
        /// let runs = A::runs().map(|run| (run.index, run.offset, run.length)).collect::<Vec<_>>();
        /// assert_eq!(runs[..3], [([0, 0], 0, 2), ([1, 0], 2, 2), ([0, 2], 4, 2)]);
        /// assert_eq!(runs.last(), Some(&([2, 4], 20, 1)));
        /// ```
        #[inline(always)]
            fn runs -> Runs;
        /// Every index with its offset, in the order of memory.
        ///
        /// # Examples
        /// ```
        /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
        /// let first = A::indices().take(3).collect::<Vec<_>>();
        /// assert_eq!(first, [([0, 0], 0), ([0, 1], 1), ([1, 0], 2)]);
        /// ```
        #[inline(always)]
            fn indices -> Indices;
        /// Every index with its offset, in row-major order: for any layout, the last dimension varies
        /// fastest.
        ///
        /// # Examples
        /// ```
        /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
        /// let first = A::indices_row_major().take(3).collect::<Vec<_>>();
        /// assert_eq!(first, [([0, 0], 0), ([0, 1], 1), ([0, 2], 4)]);
        /// ```
        #[inline(always)]
            fn indices_row_major -> IndicesRowMajor;
        /// The ranges of slots that hold no element, in the order of memory, `L` counted.
        ///
        /// # Examples
        /// ```
        /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
        /// let paddings = A::paddings().collect::<Vec<_>>();
        /// assert_eq!(paddings, [9..10, 11..12, 14..16, 18..20, 21..24]);
        /// ```
            fn paddings -> Paddings;
        /// The tiles of the outermost tiling in the order of memory, each with its place in the array and in memory; without
        /// tiles the whole array is one. An array without elements has none.
        ///
        /// Compile error if tiles are not contiguous.
        ///
        /// # Examples
        /// ```
        /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
        /// let last = A::tiles().last().unwrap();
        /// assert_eq!((last.origin(), last.extent(), last.range()), ([2, 4], [1, 1], 20..24));
        /// assert_eq!(A::tiles().filter(|tile| tile.is_full()).count(), 2);
        /// ```
        #[inline(always)]
            fn tiles -> LayoutTiles;
        }
    };
}

pub(super) use each_walk;

macro_rules! walks_of_trait {
    ($($(#[$doc:meta])* fn $name:ident -> $walk:ident;)*) => {$(
        $(#[$doc])*
        fn $name() -> $walk<Self> {
            $walk::new(const { compiled::known::<Self>() })
        }
    )*};
}

macro_rules! walks_of_array {
    ($($(#[$doc:meta])* fn $name:ident -> $walk:ident;)*) => {$(
        $(#[$doc])*
        pub fn $name() -> $walk<Self>
        where
            D: StaticDims,
        {
            $walk::new(const { compiled::known::<Self>() })
        }
    )*};
}

/// The layout of an array of `R` dimensions, for code that is generic over layouts.
///
/// The constants and functions are those of [`Array`], where they are described; an array's
/// type has them without this trait too, and there they can be used in a `const`.
///
/// All sizes are part of the type. A bound for layouts with `?` too is `AnyLayout<Index = [usize; R]>`, and
/// [`TiledBy`](crate::TiledBy) fixes the order and the tiles.
///
/// # Examples
/// ```
/// use layout::{Layout, layout};
///
/// fn sum<L: Layout<2>>(data: &[f32]) -> f32 {
///     let mut sum = 0.0;
///     for i in 0..L::DIMS[0] {
///         for j in 0..L::DIMS[1] {
///             sum += data[L::offset([i, j])];
///         }
///     }
///     sum
/// }
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// assert_eq!(sum::<A>(&[1.0; A::PADDED_ELEMENTS]), 15.0);
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the layout of an array of {R} dimensions",
    label = "expected a layout of {R} dimensions",
    note = "`layout!` makes layouts, as in `layout!(F32[3,5]{{1,0:T(2,2)}})`",
    note = "with dimensions that are known at run time only (`?`), take a `WithDims<L>` or a `View<'_, L, T>` where `L: AnyLayout<Index = [usize; {R}]>`"
)]
pub trait Layout<const R: usize>: StaticLayout + AnyLayout<Index = [usize; R]> + Sized {
    each_list! { constants_of_trait }

    each_constant! { constants_of_trait }

    each_function! { functions_of_trait }

    each_walk! { walks_of_trait }

    each_table! { tables_of_trait }
}

#[diagnostic::do_not_recommend]
impl<E: Element, D: Dims<R> + StaticDims, M, T: TileSpec, P: Properties, const R: usize> Layout<R>
    for Array<E, D, M, T, P>
where
    M: NumberList<AsArray = [usize; R]>,
{
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    each_walk! { walks_of_array }
}
