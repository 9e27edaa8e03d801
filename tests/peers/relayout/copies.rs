//! Copies between two layouts by every instruction set, and by others.

use layout::__private::copy_with;
use layout::copies::{InstructionSet, Settings};
use layout::types::{SameArray, StoredIn};
use layout::{Layout, Padding, StaticLayout, layout};
use tiled_layout_peers::peers::Direction::{From, To};
use tiled_layout_peers::peers::Major::{Columns, Rows};
use tiled_layout_peers::peers::{NAMES, Peers, none, permuted, tiles};
use tiled_layout_peers::reference::{memcpy, streaming};
use tiled_layout_peers::report::{Column, Report, Role};
use tiled_layout_peers::timing::{Way, on_huge_pages};

use crate::lines::{LARGE, Memory, Sample};

/// A copy of matrices from one layout to another one.
macro_rules! copy {
    ($report:ident, $name:expr, $stored:ty, ($($from:tt)*) ($($to:tt)*), $peers:expr) => {
        line::<layout!($($from)*), layout!($($to)*), $stored, 2>($report, $name, $peers)
    };
}

/// From row-major to column-major.
macro_rules! transpose {
    ($report:ident, $array:expr, $element:ident $dims:tt) => {
        let name = format!("{}f32 transpose", $array);
        let peers = tiles::<_, 1, 1, 1, 1>($dims, Columns, To);
        copy!($report, &name, f32, ($element $dims) ($element $dims {0,1}), peers);
    };
}

/// From row-major to tiles `T(r,c)(p,q)`.
macro_rules! to {
    (
        $report:ident, $array:expr, $stored:ty,
        $element:ident $dims:tt $tiled:tt, [$r:literal, $c:literal, $p:literal, $q:literal] $major:ident
    ) => {
        let text = <layout!($element $dims $tiled)>::TEXT;
        let name = format!("{} to {}", $array, tiling(text));
        let peers = tiles::<_, $r, $c, $p, $q>($dims, $major, To);
        copy!($report, &name, $stored, ($element $dims) ($element $dims $tiled), peers);
    };
}

/// There and back.
macro_rules! both {
    (
        $report:ident, $array:expr, $stored:ty,
        $element:ident $dims:tt $tiled:tt, [$r:literal, $c:literal, $p:literal, $q:literal] $major:ident
    ) => {
        to!($report, $array, $stored, $element $dims $tiled, [$r, $c, $p, $q] $major);
        let text = <layout!($element $dims $tiled)>::TEXT;
        let name = format!("{} from {}", $array, tiling(text));
        let peers = tiles::<_, $r, $c, $p, $q>($dims, $major, From);
        copy!($report, &name, $stored, ($element $dims $tiled) ($element $dims), peers);
    };
}

/// What a layout's text says of its tiles, with the order of dimensions where it is not row-major.
fn tiling(text: &'static str) -> &'static str {
    let layout = text.find('{').map_or(text, |at| &text[at..]);
    layout.strip_prefix("{1,0:").map_or(layout, |tiles| tiles.trim_end_matches('}'))
}

pub fn run(report: &mut Report) {
    large(report);
    ragged(report);
    packed_columns(report);
    operands(report);
    images(report);
    sizes(report);
}

fn large(report: &mut Report) {
    section(report, "Large arrays", "Arrays of 64 MiB.");
    both!(report, "f32", f32, F32[4096,4096]{1,0:T(8,128)}, [8, 128, 1, 128] Rows);
    both!(report, "bf16", u16, BF16[8192,4096]{1,0:T(8,128)(2,1)}, [8, 128, 2, 1] Rows);
    both!(report, "i8", i8, S8[8192,8192]{1,0:T(32,128)(4,1)}, [32, 128, 4, 1] Rows);
    transpose!(report, "", F32[4096,4096]);
    // [i/128][i/8%16][j/128][i%8][j/8%16][j%8] to [j/128][j/8%16][i/128][j%8][i/8%16][i%8].
    let peers = permuted(&[32, 16, 32, 8, 16, 8], &[2, 4, 0, 5, 1, 3]);
    copy!(
        report, "f32 T(8,128) to its transpose", f32,
        (F32[4096,4096]{1,0:T(8,128)}) (F32[4096,4096]{0,1:T(8,128)}), peers
    );
    let peers = permuted(&[512, 2, 32, 1024], &[0, 2, 1, 3]);
    copy!(
        report, "bf16 T(8,128)(2,1) to T(16,128)(2,1)", u16,
        (BF16[8192,4096]{1,0:T(8,128)(2,1)}) (BF16[8192,4096]{1,0:T(16,128)(2,1)}), peers
    );
    copy!(
        report, "f32 T(8,128) to T(6,100)", f32,
        (F32[4096,4096]{1,0:T(8,128)}) (F32[4096,4096]{1,0:T(6,100)}), none()
    );
}

fn ragged(report: &mut Report) {
    section(report, "Ragged arrays", "Sizes that no tile divides; the padding is written too.");
    both!(report, "4093×4099 f32", f32, F32[4093,4099]{1,0:T(8,128)}, [8, 128, 1, 128] Rows);
    both!(report, "8189×4099 bf16", u16, BF16[8189,4099]{1,0:T(8,128)(2,1)}, [8, 128, 2, 1] Rows);
    both!(report, "8189×8195 i8", i8, S8[8189,8195]{1,0:T(32,128)(4,1)}, [32, 128, 4, 1] Rows);
    transpose!(report, "4093×4099 ", F32[4093,4099]);
    both!(report, "4093×4099 f32", f32, F32[4093,4099]{0,1:T(8,128)}, [8, 128, 1, 128] Columns);
    both!(report, "8189×4099 bf16", u16, BF16[8189,4099]{0,1:T(8,128)(2,1)}, [8, 128, 2, 1] Columns);
    both!(report, "8189×8195 i8", i8, S8[8189,8195]{0,1:T(32,128)(4,1)}, [32, 128, 4, 1] Columns);
    to!(report, "4093×4099 i8", i8, S8[4093,4099]{0,1:T(32,128)(4,1)}, [32, 128, 4, 1] Columns);
}

fn packed_columns(report: &mut Report) {
    section(
        report,
        "Tiles of columns",
        "Row-major to `{0,1}` with tiles, as TPU programs have parameters, and back.",
    );
    both!(report, "f32", f32, F32[4096,4096]{0,1:T(8,128)}, [8, 128, 1, 128] Columns);
    both!(report, "bf16", u16, BF16[8192,4096]{0,1:T(8,128)(2,1)}, [8, 128, 2, 1] Columns);
    both!(report, "i8", i8, S8[8192,8192]{0,1:T(32,128)(4,1)}, [32, 128, 4, 1] Columns);
    to!(report, "4096² i8", i8, S8[4096,4096]{0,1:T(32,128)(4,1)}, [32, 128, 4, 1] Columns);
}

fn operands(report: &mut Report) {
    section(
        report,
        "Operands of matrix instructions",
        "Row-major to the right-hand sides of Intel's AMX and VNNI, and back.",
    );
    both!(report, "AMX bf16", u16, BF16[8192,4096]{0,1:T(16,32)(16,2)}, [16, 32, 16, 2] Columns);
    both!(report, "AMX i8", i8, S8[8192,8192]{0,1:T(16,64)(16,4)}, [16, 64, 16, 4] Columns);
    both!(report, "VNNI bf16", u16, BF16[8192,4096]{1,0:T(2,1)}, [2, 1, 2, 1] Rows);
    both!(report, "VNNI i8", i8, S8[8192,8192]{1,0:T(4,1)}, [4, 1, 4, 1] Rows);
}

fn images(report: &mut Report) {
    type Nchw = layout!(F32[20,256,56,56]);
    type Nhwc = layout!(F32[20,256,56,56]{1,3,2,0});
    type Blocked = layout!(F32[20,256,56,56]{3,2,1,0:T(16,1,1)});

    section(report, "Activations", "20 images of 256 channels of 56×56 in f32.");
    line::<Nhwc, Nchw, f32, 4>(report, "NHWC to NCHW", permuted(&[20, 56, 56, 256], &[0, 3, 1, 2]));
    line::<Nchw, Nhwc, f32, 4>(report, "NCHW to NHWC", permuted(&[20, 256, 56, 56], &[0, 2, 3, 1]));
    let to = permuted(&[20, 16, 16, 56, 56], &[0, 1, 3, 4, 2]);
    line::<Nchw, Blocked, f32, 4>(report, "NCHW to nChw16c", to);
    let from = permuted(&[20, 16, 56, 56, 16], &[0, 1, 4, 2, 3]);
    line::<Blocked, Nchw, f32, 4>(report, "nChw16c to NCHW", from);
    let to = permuted(&[20, 56, 56, 16, 16], &[0, 3, 1, 2, 4]);
    line::<Nhwc, Blocked, f32, 4>(report, "NHWC to nChw16c", to);
}

/// The four kinds of copies at one size.
macro_rules! size {
    ($report:ident, $name:literal, $dims:tt) => {
        to!($report, concat!($name, " f32"), f32, F32 $dims {1,0:T(8,128)}, [8, 128, 1, 128] Rows);
        to!($report, concat!($name, " bf16"), u16, BF16 $dims {1,0:T(8,128)(2,1)}, [8, 128, 2, 1] Rows);
        to!($report, concat!($name, " i8"), i8, S8 $dims {1,0:T(32,128)(4,1)}, [32, 128, 4, 1] Rows);
        transpose!($report, concat!($name, " "), F32 $dims);
    };
}

fn sizes(report: &mut Report) {
    section(
        report,
        "Sizes",
        "One array is copied again and again, so that small ones are in the cache. \
         Tiles of 128 columns pad 64² to twice its bytes.",
    );
    size!(report, "64²", [64, 64]);
    size!(report, "256²", [256, 256]);
    size!(report, "1024²", [1024, 1024]);
    size!(report, "8192²", [8192, 8192]);
}

/// The instruction sets of this machine, with the names of their columns.
fn sets() -> Vec<(InstructionSet, &'static str)> {
    use InstructionSet::{Avx2, Avx512, Portable, Sse2};
    let best = InstructionSet::best();
    let of_x86 = [(Avx512, "AVX-512"), (Avx2, "AVX2"), (Sse2, "SSE2")];
    let mut sets = match of_x86.iter().position(|(set, _)| *set == best) {
        Some(first) => of_x86[first..].to_vec(),
        None if best == Portable => Vec::new(),
        None => vec![(best, "vectors")],
    };
    sets.push((Portable, "safe code"));
    sets
}

/// A section whose lines [`line`] makes.
fn section(report: &mut Report, title: &'static str, note: &'static str) {
    let mut columns = vec![
        Column::new("streaming", Role::Ceiling),
        Column::new("streaming, huge pages", Role::Variant),
    ];
    for (number, (set, name)) in sets().into_iter().enumerate() {
        let (name, role) = match (number, set) {
            (_, InstructionSet::Portable) => (name, Role::Safe),
            (0, _) => ("this library", Role::Here),
            _ => (name, Role::Variant),
        };
        columns.push(Column::under(name, role, 0));
    }
    columns.push(Column::under("huge pages", Role::Variant, 1));
    columns.extend(NAMES.iter().map(|name| Column::new(name, Role::Peer)));
    report.section(title, note, columns);
}

fn line<A, B, T, const R: usize>(report: &mut Report, name: &str, peers: Peers<T>)
where
    A: SameArray<B> + Layout<R>,
    B: Layout<R>,
    T: Sample + StoredIn<A> + StoredIn<B>,
{
    if !report.wants(name) {
        return;
    }
    let by_set = |set| {
        let settings = Settings { set: Some(set), threads: Some(false) };
        by_types::<A, B, T>(settings)
    };
    let memory = Memory::new::<A, B, R>();
    let on_huge = |way| on_huge_pages(way, memory.src.get(), B::PADDED_ELEMENTS);
    let bytes = A::ELEMENTS * size_of::<T>();
    let large = |way: Option<Way<T>>| way.filter(|_| bytes >= LARGE);
    let references = [
        Some(memcpy(A::ELEMENTS)),
        large(streaming(A::ELEMENTS)),
        large(streaming(A::ELEMENTS)).map(on_huge),
    ];
    let ours = sets().into_iter().map(|(set, _)| Some(by_set(set)));
    let best = large(Some(by_set(InstructionSet::best()))).map(on_huge);
    let ways = references.into_iter().chain(ours).chain([best]).chain(peers.ways());
    memory.run(report, name, bytes, 3, &ways.collect::<Vec<_>>());
}

/// `layout::copy` under settings.
pub fn by_types<A, B, T>(settings: Settings) -> Way<T>
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: Sample + StoredIn<A> + StoredIn<B>,
{
    Box::new(move |src, dst| {
        copy_with::<A, B, T>(src, dst, Padding::Zero, &settings).expect("long enough");
    })
}
