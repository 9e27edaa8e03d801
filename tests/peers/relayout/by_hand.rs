//! Copies of everyday sizes beside loops by hand: planes of pixels, rows with a pitch, panels, small arrays of strides, parts.

use layout::dynamic::DynLayout;
use layout::{ArrayShape, Copier, Padding, Plan, Strided, StridedMut, layout};
use tiled_layout_peers::reference::memcpy;
use tiled_layout_peers::report::{Column, Report, Role};
use tiled_layout_peers::timing::{Aligned, Way, race};

use crate::lines::Sample;

/// Beside a loop by hand: elements of both sides, and both ways.
fn row<T: Sample>(report: &mut Report, name: &str, slots: [usize; 2], ways: [Way<T>; 2]) {
    if !report.wants(name) {
        return;
    }
    let (mut src, mut dst) = (Aligned::new(slots[0]), Aligned::new(slots[1]));
    for (number, element) in src.get_mut().iter_mut().enumerate() {
        *element = T::sample(number);
    }
    let [by_hand, ours] = ways.each_ref().map(|way| {
        let mut dst = vec![T::default(); slots[1]];
        way(src.get(), &mut dst);
        dst
    });
    assert!(by_hand == ours, "{name}");
    let elements = slots[0].min(slots[1]);
    let [by_hand, ours] = ways;
    let ways = [memcpy(elements), ours, by_hand].map(Some);
    report.row(name, &race(src.get(), dst.get_mut(), elements * size_of::<T>(), &ways));
}

/// The slots of both layouts, and a loop over offsets that were made before.
fn by_offsets<T: Sample>(texts: [&str; 2]) -> ([usize; 2], Way<T>) {
    let [from, to] = texts.map(|text| {
        let shape: ArrayShape = text.parse().expect("a layout");
        DynLayout::new(&shape).expect("not too large")
    });
    let offsets: Vec<_> = to.indices().map(|(index, slot)| (from.offset(&index), slot)).collect();
    let slots = [from.padded_elements(), to.padded_elements()];
    (slots, Box::new(move |src, dst| offsets.iter().for_each(|&(at, slot)| dst[slot] = src[at])))
}

/// Rows of some elements, each by `copy_from_slice`.
fn by_rows<T: Sample>(length: usize, pitches: [usize; 2]) -> Way<T> {
    Box::new(move |src, dst| {
        for (from, to) in src.chunks(pitches[0]).zip(dst.chunks_mut(pitches[1])) {
            to[..length].copy_from_slice(&from[..length]);
        }
    })
}

/// By strides on both sides.
fn by_strides<T: Sample, const R: usize>(dims: [usize; R], strides: [[isize; R]; 2]) -> Way<T> {
    Box::new(move |src, dst| {
        let from = Strided::new(src, dims, strides[0]).expect("long enough");
        let mut to = StridedMut::new(dst, dims, strides[1]).expect("long enough");
        from.copy_to(&mut to, Padding::Leave).expect("the same sizes");
    })
}

/// By a plan that is kept.
fn kept<T: Sample>(texts: [&str; 2]) -> Way<T> {
    let [from, to] = texts.map(|text| text.parse::<ArrayShape>().expect("a layout"));
    let plan = Plan::new(&from, &to).expect("layouts of one array");
    Box::new(move |src, dst| {
        plan.run(src, dst, Padding::Leave).expect("long enough");
    })
}

pub fn run(report: &mut Report) {
    let note = "Beside loops over offsets that were made before, rows beside `copy_from_slice`, and parts beside the whole: by a \
                `Copier` with sizes of the call, by a `Plan` that is kept, by strides.";
    report.section(
        "By hand",
        note,
        vec![Column::new("this library", Role::Here), Column::new("by hand", Role::Peer)],
    );

    /// A `Copier` whose sizes are known at the call.
    macro_rules! copier {
        ($stored:ty, $dims:expr, ($($a:tt)*) ($($b:tt)*)) => {{
            let dims = $dims;
            let copier = Copier::<layout!($($a)*), layout!($($b)*)>::new();
            let way: Way<$stored> = Box::new(move |src, dst| {
                copier.run(std::hint::black_box(dims), src, dst, Padding::Leave).map(drop).expect("long enough");
            });
            way
        }};
    }
    for dims in [
        [2, 64],
        [2, 1024],
        [3, 1024],
        [6, 1024],
        [7, 128],
        [8, 1024],
        [2, 50_176],
        [16, 16],
        [30, 40],
        [100, 100],
    ] {
        let text = format!("f32[{},{}]", dims[0], dims[1]);
        let (slots, by_hand) = by_offsets([&text, &format!("{text}{{0,1}}")]);
        row(
            report,
            &format!("{text} to columns"),
            slots,
            [by_hand, copier!(f32, dims, (F32[?,?]) (F32[?,?]{0,1}))],
        );
    }
    let (slots, by_hand) = by_offsets(["s8[2,512]", "s8[2,512]{0,1}"]);
    row(
        report,
        "s8[2,512] to columns",
        slots,
        [by_hand, copier!(i8, [2, 512], (S8[?,?]) (S8[?,?]{0,1}))],
    );
    for (count, length, pitch) in
        [(80, 400, 512), (82, 400, 512), (100, 256, 300), (1500, 256, 768)]
    {
        let ours = by_strides([count, length], [[pitch as isize, 1], [length as isize, 1]]);
        row::<i8>(
            report,
            &format!("{count} rows of {length} bytes"),
            [count * pitch, count * length],
            [by_rows(length, [pitch, length]), ours],
        );
    }
    let ours = copier!(f32, [100, 100], (F32[?,?]) (F32[?,?]{1,0:T(1,128)}));
    row(report, "100×100 f32 to T(1,128)", [10_000, 12_800], [by_rows(100, [100, 128]), ours]);
    for dims in [[24, 16], [48, 64]] {
        let text = format!("f32[{},{}]", dims[0], dims[1]);
        let (slots, by_hand) = by_offsets([&text, &format!("{text}{{0,1:T(8,1)}}")]);
        row(
            report,
            &format!("{text} to panels of 8 rows"),
            slots,
            [by_hand, copier!(f32, dims, (F32[?,?]) (F32[?,?]{0,1:T(8,1)}))],
        );
    }
    let ours = by_strides([4; 3], [[1, 4, 16], [16, 4, 1]]);
    row::<f32>(
        report,
        "4×4×4 f32 by strides",
        [64; 2],
        [by_offsets(["f32[4,4,4]{0,1,2}", "f32[4,4,4]"]).1, ours],
    );
    for texts in [
        ["f32[5,3,9]{2,1,0:T(16,16)(2,2)}", "f32[5,3,9]{1,2,0}"],
        ["f32[300,500]{1,0:T(7,5)}", "f32[300,500]{0,1:T(6,4)}"],
        ["f32[60,70]{1,0:T(3,5)(2,2)}", "f32[60,70]{0,1:T(4,4)}"],
    ] {
        let (slots, by_hand) = by_offsets(texts);
        row::<f32>(report, &format!("{} to {}", texts[0], texts[1]), slots, [by_hand, kept(texts)]);
    }
    let whole = copier!(i8, [8, 200, 200], (S8[?,?,?]) (S8[?,?,?]{1,2,0:T(8,4)}));
    let parts: Way<i8> = Box::new(|src, dst| {
        let from = <layout!(S8[?,?,?])>::with_dims([8, 200, 200]).expect("the sizes fit");
        let to =
            <layout!(S8[?,?,?]{1,2,0:T(8,4)})>::with_dims([8, 200, 200]).expect("the sizes fit");
        let (from, mut to) =
            (from.view(src).expect("long enough"), to.view_mut(dst).expect("long enough"));
        for (from, mut to) in
            from.iter_axis(0).expect("an axis").zip(to.iter_axis_mut(0).expect("an axis"))
        {
            from.copy_to(&mut to, Padding::Leave).expect("the same sizes");
        }
    });
    row(report, "8 images one by one beside the whole", [320_000; 2], [whole, parts]);
}
