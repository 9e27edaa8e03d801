//! One copy by the library's functions: by types, by values, in parts, with sizes known at run time; and
//! copies of slices.

use std::ops::Range;

use layout::copies::Settings;
use layout::{
    AnyLayout, Fault, Layout, Padding, Relayout, SameArray, StoredIn, View, ViewMut, WithDims,
    layout,
};
use tiled_layout_peers::reference::{memcpy, streaming};
use tiled_layout_peers::report::{Column, Report, Role};
use tiled_layout_peers::timing::{Aligned, Way};

use crate::copies::by_types;
use crate::lines::{LARGE, Memory, Sample, indices};

/// Bytes of a part.
const PART: usize = 1 << 20;

pub fn run(report: &mut Report) {
    let note = "One copy by `relayout`, by `Relayout::run`, in parts of 1 MiB by `Relayout::run_part` one \
                after another, and by `View::relayout_to` with all sizes `?`; `Slice::relayout_to` for \
                slices.";
    let columns = vec![
        Column::new("streaming", Role::Ceiling),
        Column::under("by types", Role::Here, 0),
        Column::under("by values", Role::Variant, 0),
        Column::under("in parts", Role::Variant, 0),
        Column::under("sizes `?`", Role::Variant, 0),
    ];
    report.section("Functions", note, columns);

    type Rows = layout!(F32[4096,4096]);
    type Tiled = layout!(F32[4096,4096]{1,0:T(8,128)});
    type BfRows = layout!(BF16[8192,4096]);
    type BfTiled = layout!(BF16[8192,4096]{1,0:T(8,128)(2,1)});
    type SmallTiled = layout!(F32[256,256]{1,0:T(8,128)});

    let rows = <layout!(F32[?,?])>::with_dims;
    let tiled = <layout!(F32[?,?]{1,0:T(8,128)})>::with_dims;
    let bf_rows = <layout!(BF16[?,?])>::with_dims;
    let bf_tiled = <layout!(BF16[?,?]{1,0:T(8,128)(2,1)})>::with_dims;
    by_functions::<Rows, Tiled, f32, _, _>(report, "f32 to T(8,128)", rows, tiled);
    by_functions::<Tiled, Rows, f32, _, _>(report, "f32 from T(8,128)", tiled, rows);
    by_functions::<BfRows, BfTiled, u16, _, _>(report, "bf16 to T(8,128)(2,1)", bf_rows, bf_tiled);
    by_functions::<layout!(F32[256,256]), SmallTiled, f32, _, _>(
        report,
        "256² f32 to T(8,128)",
        rows,
        tiled,
    );

    type WideRows = layout!(F32[4104,4224]);
    type WideTiled = layout!(F32[4104,4224]{1,0:T(8,128)});
    type SmallRows = layout!(F32[264,384]);
    of_slice::<WideRows, Tiled, f32>(report, "slice of rows to T(8,128)", [3..4099, 5..4101]);
    of_slice::<WideTiled, Rows, f32>(report, "slice of whole tiles to rows", [8..4104, 128..4224]);
    of_slice::<WideTiled, Rows, f32>(report, "slice across tiles to rows", [3..4099, 5..4101]);
    of_slice::<SmallRows, SmallTiled, f32>(
        report,
        "256² slice of rows to T(8,128)",
        [3..259, 5..261],
    );
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
    D: AnyLayout<Index = [usize; 2]>,
    T: Sample + StoredIn<A> + StoredIn<B> + StoredIn<C> + StoredIn<D>,
{
    if !report.wants(name) {
        return;
    }
    let bytes = A::ELEMENTS * size_of::<T>();
    let relayout = Relayout::new(A::SHAPE, B::SHAPE).expect("layouts of one array");
    let in_parts = relayout.clone();
    let by_values: Way<T> = Box::new(move |src, dst| {
        let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut(dst));
        relayout.run(src, dst, Padding::Zero).expect("long enough");
    });
    let in_parts: Way<T> = Box::new(move |src, dst| {
        let (src, dst) = (bytemuck::cast_slice(src), bytemuck::cast_slice_mut(dst));
        for part in in_parts.parts(PART) {
            let dst = &mut dst[part.clone()];
            in_parts.run_part(part, src, dst, Padding::Zero).expect("long enough");
        }
    });
    let from = from(A::DIMS).expect("the sizes fit");
    let to = to(B::DIMS).expect("the sizes fit");
    let unknown: Way<T> = Box::new(move |src, dst| {
        let mut dst = to.view_mut(dst).expect("long enough");
        from.view(src).expect("long enough").relayout_to(&mut dst, Padding::Zero);
    });
    let ways = [
        Some(memcpy(A::ELEMENTS)),
        if bytes >= LARGE { streaming(A::ELEMENTS) } else { None },
        Some(by_types::<A, B, T>(Settings { threads: Some(false), ..Settings::default() })),
        Some(by_values),
        Some(in_parts),
        Some(unknown),
    ];
    Memory::new::<A, B, 2>().run(report, name, bytes, 2, &ways);
}

/// The part of an array in the layout `A` becomes an array in the layout `B`.
fn of_slice<A, B, T>(report: &mut Report, name: &str, [rows, columns]: [Range<usize>; 2])
where
    A: Layout<2> + AnyLayout<Index = [usize; 2]>,
    B: Layout<2>
        + AnyLayout<Index = [usize; 2], Element = <A as layout::types::LayoutTypes>::Element>,
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
        slice.relayout_to(&mut dst, Padding::Zero);
    });
    let bytes = B::ELEMENTS * size_of::<T>();
    let stream = if bytes >= LARGE { streaming(B::ELEMENTS) } else { None };
    let ways = [Some(memcpy(B::ELEMENTS)), stream, Some(sliced), None, None, None];
    Memory { src, expected }.run(report, name, bytes, 2, &ways);
}
