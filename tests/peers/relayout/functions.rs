//! One copy by the library's functions: by types, by values, in parts, with sizes known at run time; copies of slices; small
//! arrays.

use std::ops::Range;

use layout::copies::Settings;
use layout::shape::Fault;
use layout::types::LayoutTypes;
use layout::types::{SameArray, StoredIn};
use layout::{AnyLayout, Layout, Padding, Plan, View, ViewMut, WithDims, copy, layout};
use tiled_layout_peers::peers::{Direction, Major, Peers, tiles};
use tiled_layout_peers::reference::memcpy;
use tiled_layout_peers::report::{Column, Report, Role};
use tiled_layout_peers::timing::{Aligned, Way};

use crate::copies::by_types;
use crate::lines::{Memory, Sample, indices};

/// Bytes of a part.
const PART: usize = 1 << 20;

pub fn run(report: &mut Report) {
    let note = "One copy by `copy`, by `Plan::run`, in parts of 1 MiB by `Plan::part` one \
                after another, and by `copy_to` of views with all sizes `?`, and of slices.";
    let columns = vec![
        Column::new("streaming", Role::Ceiling),
        Column::under("by types", Role::Here, 0),
        Column::under("by values", Role::Variant, 0),
        Column::under("in parts", Role::Variant, 0),
        Column::under("sizes `?`", Role::Variant, 0),
    ];
    report.section("Functions", note, columns);

    /// Both layouts; the same with sizes `?`.
    macro_rules! lines {
        ($($name:literal, $stored:ty: ($($a:tt)*) ($($b:tt)*), ($($c:tt)*) ($($d:tt)*);)*) => {$(
            by_functions::<layout!($($a)*), layout!($($b)*), $stored, _, _>(
                report, $name, <layout!($($c)*)>::with_dims, <layout!($($d)*)>::with_dims,
            );
        )*};
    }
    lines! {
        "f32 to T(8,128)", f32: (F32[4096,4096]) (F32[4096,4096]{1,0:T(8,128)}),
            (F32[?,?]) (F32[?,?]{1,0:T(8,128)});
        "f32 from T(8,128)", f32: (F32[4096,4096]{1,0:T(8,128)}) (F32[4096,4096]),
            (F32[?,?]{1,0:T(8,128)}) (F32[?,?]);
        "bf16 to T(8,128)(2,1)", u16: (BF16[8192,4096]) (BF16[8192,4096]{1,0:T(8,128)(2,1)}),
            (BF16[?,?]) (BF16[?,?]{1,0:T(8,128)(2,1)});
        "256² f32 to T(8,128)", f32: (F32[256,256]) (F32[256,256]{1,0:T(8,128)}),
            (F32[?,?]) (F32[?,?]{1,0:T(8,128)});
    }

    macro_rules! slices {
        ($($name:literal: ($($a:tt)*) $ranges:expr, ($($b:tt)*);)*) => {
            $(of_slice::<layout!($($a)*), layout!($($b)*), f32>(report, $name, $ranges);)*
        };
    }
    slices! {
        "slice of rows to T(8,128)": (F32[4104,4224]) [3..4099, 5..4101],
            (F32[4096,4096]{1,0:T(8,128)});
        "slice of whole tiles to rows": (F32[4104,4224]{1,0:T(8,128)}) [8..4104, 128..4224],
            (F32[4096,4096]);
        "slice across tiles to rows": (F32[4104,4224]{1,0:T(8,128)}) [3..4099, 5..4101],
            (F32[4096,4096]);
        "256² slice of rows to T(8,128)": (F32[264,384]) [3..259, 5..261],
            (F32[256,256]{1,0:T(8,128)});
    }
}

/// Arrays that take less time than a plan.
pub fn small(report: &mut Report) {
    let note = "In the cache: by `copy`, by `copy_to` of views with all sizes `?`, by a `Plan` that is kept.";
    let columns = vec![
        Column::new("types", Role::Here),
        Column::new("sizes `?`", Role::Function),
        Column::new("`Plan`", Role::Function),
        Column::new("loops", Role::Peer),
    ];
    report.section("Small arrays", note, columns);

    /// Both layouts; the same with sizes `?`; rows and columns of tiles, and in which order of dimensions.
    macro_rules! lines {
        ($($name:literal, $stored:ty: ($($a:tt)*) ($($b:tt)*), ($($c:tt)*) ($($d:tt)*), [$r:literal, $k:literal, $p:literal] $major:ident;)*) => {$({
            type A = layout!($($a)*);
            let by_hand = tiles::<$stored, $r, $k, $p, $p>(A::DIMS, Major::$major, Direction::To);
            by_small::<A, layout!($($b)*), $stored, _, _>(
                report, $name, <layout!($($c)*)>::with_dims, <layout!($($d)*)>::with_dims, by_hand,
            );
        })*};
    }
    lines! {
        "4×4 f32 transpose", f32: (F32[4,4]) (F32[4,4]{0,1}), (F32[?,?]) (F32[?,?]{0,1}), [1, 1, 1] Columns;
        "16×16 f32 transpose", f32: (F32[16,16]) (F32[16,16]{0,1}), (F32[?,?]) (F32[?,?]{0,1}), [1, 1, 1] Columns;
        "64×64 f32 transpose", f32: (F32[64,64]) (F32[64,64]{0,1}), (F32[?,?]) (F32[?,?]{0,1}), [1, 1, 1] Columns;
        "32×32 u8 transpose", i8: (S8[32,32]) (S8[32,32]{0,1}), (S8[?,?]) (S8[?,?]{0,1}), [1, 1, 1] Columns;
        "64×3 f32 to planes", f32: (F32[64,3]) (F32[64,3]{0,1}), (F32[?,?]) (F32[?,?]{0,1}), [1, 1, 1] Columns;
        "16×16 f32 to T(4,4)", f32: (F32[16,16]) (F32[16,16]{1,0:T(4,4)}), (F32[?,?]) (F32[?,?]{1,0:T(4,4)}), [4, 4, 1] Rows;
        "16×32 f32 to {0,1:T(8,1)}", f32: (F32[16,32]) (F32[16,32]{0,1:T(8,1)}), (F32[?,?]) (F32[?,?]{0,1:T(8,1)}), [8, 1, 1] Columns;
        "16×128 f32 to T(8,128)", f32: (F32[16,128]) (F32[16,128]{1,0:T(8,128)}), (F32[?,?]) (F32[?,?]{1,0:T(8,128)}), [8, 128, 1] Rows;
    }
}

fn by_small<A, B, T, C, D>(
    report: &mut Report,
    name: &str,
    from: WithSizes<C>,
    to: WithSizes<D>,
    by_hand: Peers<T>,
) where
    A: SameArray<B> + Layout<2>,
    B: Layout<2>,
    C: SameArray<D, Index = [usize; 2]>,
    D: AnyLayout<Index = [usize; 2], Element = <C as LayoutTypes>::Element>,
    T: Sample + StoredIn<A> + StoredIn<B> + StoredIn<C> + StoredIn<D>,
{
    if !report.wants(name) {
        return;
    }
    let by_types: Way<T> = Box::new(|src, dst| {
        copy::<A, B, T>(src, dst, Padding::Zero).expect("long enough");
    });
    let ways = [memcpy(A::ELEMENTS), by_types, by_sizes(from, to, A::DIMS), by_plan::<A, B, T>()];
    let ways = ways.map(Some).into_iter().chain(by_hand.ways().into_iter().take(1));
    let bytes = A::ELEMENTS * size_of::<T>();
    Memory::new::<A, B, 2>().run(report, name, bytes, 1, &ways.collect::<Vec<_>>());
}

/// A plan that is kept.
fn by_plan<A: Layout<2>, B: Layout<2>, T: Sample>() -> Way<T> {
    let plan = Plan::new(A::SHAPE, B::SHAPE).expect("layouts of one array");
    Box::new(move |src, dst| {
        let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut::<T, u8>(dst));
        plan.run_bytes(src, dst, Padding::Zero).expect("long enough");
    })
}

/// Views of layouts with sizes known at run time.
fn by_sizes<C, D, T>(from: WithSizes<C>, to: WithSizes<D>, dims: [usize; 2]) -> Way<T>
where
    C: SameArray<D, Index = [usize; 2]>,
    D: AnyLayout<Index = [usize; 2], Element = <C as LayoutTypes>::Element>,
    T: Sample + StoredIn<C> + StoredIn<D>,
{
    let (from, to) = (from(dims).expect("the sizes fit"), to(dims).expect("the sizes fit"));
    Box::new(move |src, dst| {
        let mut dst = to.view_mut(dst).expect("long enough");
        from.view(src)
            .expect("long enough")
            .copy_to(&mut dst, Padding::Zero)
            .expect("the same sizes");
    })
}

/// A layout whose sizes are given at run time.
type WithSizes<L> = fn([usize; 2]) -> Result<WithDims<L>, Fault>;

/// `C` and `D` are `A` and `B` with sizes known at run time only.
fn by_functions<A, B, T, C, D>(
    report: &mut Report,
    name: &str,
    from: WithSizes<C>,
    to: WithSizes<D>,
) where
    A: SameArray<B> + Layout<2>,
    B: Layout<2>,
    C: SameArray<D, Index = [usize; 2]>,
    D: AnyLayout<Index = [usize; 2], Element = <C as LayoutTypes>::Element>,
    T: Sample + StoredIn<A> + StoredIn<B> + StoredIn<C> + StoredIn<D>,
{
    if !report.wants(name) {
        return;
    }
    let in_parts = Plan::new(A::SHAPE, B::SHAPE).expect("layouts of one array");
    let in_parts: Way<T> = Box::new(move |src, dst| {
        let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut::<T, u8>(dst));
        for part in in_parts.parts(PART) {
            let dst = &mut dst[part.clone()];
            let part = in_parts.part(part).expect("a part");
            part.run_bytes(src, dst, Padding::Zero).expect("long enough");
        }
    });
    let by_types = by_types::<A, B, T>(Settings { threads: Some(false), ..Settings::default() });
    let sizes = by_sizes(from, to, A::DIMS);
    let ways = [by_types, by_plan::<A, B, T>(), in_parts, sizes].map(Some);
    Memory::new::<A, B, 2>().race(report, name, A::ELEMENTS, ways);
}

/// The part of an array in the layout `A` becomes an array in the layout `B`.
fn of_slice<A, B, T>(report: &mut Report, name: &str, [rows, columns]: [Range<usize>; 2])
where
    A: Layout<2> + AnyLayout<Index = [usize; 2]>,
    B: Layout<2> + AnyLayout<Index = [usize; 2], Element = <A as LayoutTypes>::Element>,
    T: Sample + StoredIn<A> + StoredIn<B>,
{
    if !report.wants(name) {
        return;
    }
    let mut src = Aligned::new(A::PADDED_ELEMENTS);
    for (number, index) in indices(A::DIMS).enumerate() {
        src.get_mut()[A::offset_unchecked(index)] = T::sample(number);
    }
    let mut expected = vec![T::default(); B::PADDED_ELEMENTS];
    for [i, j] in indices(B::DIMS) {
        let at = A::offset_unchecked([i + rows.start, j + columns.start]);
        expected[B::offset_unchecked([i, j])] = src.get()[at];
    }
    let sliced: Way<T> = Box::new(move |src, dst| {
        let view = View::<A, T>::new(src).expect("long enough");
        let slice = view.slice((rows.clone(), columns.clone())).expect("within the array");
        let mut dst = ViewMut::<B, T>::new(dst).expect("long enough");
        slice.copy_to(&mut dst, Padding::Zero).expect("the same sizes");
    });
    let ways = [Some(sliced), None, None, None];
    Memory { src, expected }.race(report, name, B::ELEMENTS, ways);
}
