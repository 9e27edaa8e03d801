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
        // Arrays that end within nearly every tile.
        ["f32[256,3]{1,0:T(3,5)}", "f32[256,3]{0,1:T(2,2)}"],
        ["f32[14,64,7,25]{2,1,3,0:T(4,4)}", "f32[14,64,7,25]{2,0,1,3}"],
        ["f32[50,125,56]{2,1,0:T(4,8)}", "f32[50,125,56]{2,1,0:T(4,8)}"],
    ] {
        let (slots, by_hand) = by_offsets(texts);
        row::<f32>(report, &format!("{} to {}", texts[0], texts[1]), slots, [by_hand, kept(texts)]);
    }
    images(report);
    walks(report);
}

/// Images one by one beside all of them.
fn images(report: &mut Report) {
    type Rows = layout!(S8[?,?,?]);
    type Tiled = layout!(S8[?,?,?]{1,2,0:T(8,4)});
    let dims = [8, 200, 200];
    macro_rules! images {
        ($name:literal, |$from:ident, $to:ident| $copy:expr) => {{
            let whole: Way<i8> = Box::new(move |src, dst| {
                let (from, to) = (Rows::with_dims(dims), Tiled::with_dims(dims));
                let $from = from.expect("the sizes fit").view(src).expect("long enough");
                let mut $to = to.expect("the sizes fit").view_mut(dst).expect("long enough");
                $copy.expect("the same sizes");
            });
            let parts: Way<i8> = Box::new(move |src, dst| {
                let (from, to) = (Rows::with_dims(dims), Tiled::with_dims(dims));
                let from = from.expect("the sizes fit").view(src).expect("long enough");
                let mut to = to.expect("the sizes fit").view_mut(dst).expect("long enough");
                let images = to.iter_axis_mut(0).expect("an axis");
                for ($from, mut $to) in from.iter_axis(0).expect("an axis").zip(images) {
                    $copy.expect("the same sizes");
                }
            });
            row(report, $name, [320_000; 2], [whole, parts]);
        }};
    }
    images!("8 images one by one beside the whole", |from, to| from
        .copy_to(&mut to, Padding::Leave));
    images!("8 images one by one, doubled, beside the whole", |from, to| from.map_to(
        &mut to,
        Padding::Leave,
        |_, value| value.wrapping_mul(2)
    ));
}

/// Tiles and runs as a program walks over them, and what is made of an array.
fn walks(report: &mut Report) {
    type Tiles = layout!(S8[?,?]{0,1:T(16,4)});
    type Panels = layout!(F32[?,?]{0,1:T(8,1)});
    let tiles = Tiles::with_dims([256, 256]).expect("the sizes fit");
    macro_rules! walk {
        ($name:literal, |$view:ident| $walk:expr) => {{
            let ours: Way<i8> = Box::new(move |src, dst| {
                let $view = tiles.view(src).expect("long enough");
                for (tile, to) in $walk.zip(dst.chunks_exact_mut(64)) {
                    to.copy_from_slice(tile.as_slice());
                }
            });
            row(report, $name, [65_536; 2], [by_rows(64, [64; 2]), ours]);
        }};
    }
    walk!("1024 tiles of 64 bytes", |view| view.tiles());
    walk!("1024 tiles of a part", |view| view
        .slice((.., 0..256))
        .expect("within it")
        .tiles()
        .expect("whole tiles"));
    walk!("1024 tiles by their places", |view| (0..1024)
        .map(|number| view.tile([number % 64, number / 64]).expect("within it")));

    let text = "f32[64,64]{1,0:T(8,16)}";
    let layout = DynLayout::new(&text.parse().expect("a layout")).expect("not too large");
    let runs: Way<f32> = Box::new(move |src, dst| {
        let view = layout.view(src).expect("long enough");
        for (at, run) in view.slice(&[0..64, 0..64][..]).expect("within it").runs() {
            dst[at.index[0] * 64 + at.index[1]..][..run.len()].copy_from_slice(run);
        }
    });
    let (slots, by_hand) = by_offsets([text, "f32[64,64]"]);
    row(report, "runs of a part of a DynLayout", slots, [by_hand, runs]);

    let panels = Panels::with_dims([8, 8]).expect("the sizes fit");
    let (slots, by_hand) = by_offsets(["f32[8,8]{0,1:T(8,1)}", "f32[8,8]"]);
    let ours: Way<f32> = Box::new(move |src, dst| {
        dst.copy_from_slice(&panels.view(src).expect("long enough").to_row_major());
    });
    row(report, "to_row_major of 8×8 f32", slots, [by_hand, ours]);
}
