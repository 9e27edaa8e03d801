//! Walking over a view, as ratios to a nest of loops by hand in one run: above 1 is faster.
//! `cargo bench -p tiled-layout-tests --bench walk`.

use std::hint::black_box;
use std::time::Instant;

use layout::dynamic::DynLayout;
use layout::{AnyLayout, DynStored, StoredIn, View, ViewMut, WithDims, layout};

const ROUNDS: usize = 15;
/// Elements that a timing goes over, so that small arrays are walked many times.
const WORK: usize = 1 << 24;

fn main() {
    println!(
        "{:58} {:>8} {:>8} {:>8} {:>8} {:>9} {:>9} {:>17}",
        "ratio to the nest by hand",
        "[[i,j]]",
        "runs",
        "tiles",
        "slice",
        "rows",
        "by hand",
        "as values / types"
    );
    macro_rules! cases {
        ($($element:ty: $layout:ty, $dims:expr;)*) => {
            $(case::<$element, _>(<$layout>::with_dims($dims).expect("the sizes go with it"));)*
        };
    }
    cases! {
        f32: layout!(F32[4096,4096]{1,0:T(8,128)}), [4096, 4096];
        f32: layout!(F32[256,256]{1,0:T(8,128)}), [256, 256];
        f32: layout!(F32[?,4096]{1,0:T(8,128)}), [4096, 4096];
        f32: layout!(F32[?,256]{1,0:T(8,128)}), [256, 256];
        u16: layout!(U16[4096,4096]{1,0:T(8,128)(2,1)}), [4096, 4096];
        u16: layout!(U16[256,256]{1,0:T(8,128)(2,1)}), [256, 256];
    }
    println!(
        "\n{:58} {:>15} {:>15} {:>15} {:>15}",
        "4x4 elements in ns: first/last", "runs", "rows", "runs, values", "rows, values"
    );
    macro_rules! slices {
        ($($layout:ty, $dims:expr;)*) => {$(
            slice_at_both_ends(<$layout>::with_dims($dims).expect("the sizes go with it"));
        )*};
    }
    slices! {
        layout!(U16[16384,1024]{1,0:T(8,128)}), [16384, 1024];
        layout!(U16[16384,1024]{1,0:T(8,128)(2,1)}), [16384, 1024];
        layout!(U16[?,1024]{1,0:T(8,128)(2,1)}), [16384, 1024];
        layout!(U16[16384,1024]{0,1}), [16384, 1024];
    }
}

/// Sums slices of four by four elements at the first and the last index. A walk of a slice begins in the same time
/// wherever it is.
fn slice_at_both_ends<L>(layout: WithDims<L>)
where
    u16: StoredIn<L>,
    L: AnyLayout<Index = [usize; 2]>,
{
    let buffer = layout.filled(1_u16);
    let view = buffer.as_view();
    let value = view.to_dyn();
    let [rows, columns] = layout.dims();
    let ends = [[0, 0], [rows - 4, columns - 4]];
    let time = |sum: &dyn Fn([usize; 2]) -> u16| {
        ends.map(|at| {
            let mut fastest = f64::INFINITY;
            for _ in 0..ROUNDS {
                let start = Instant::now();
                for _ in 0..1000 {
                    assert_eq!(sum(black_box(at)), 16);
                }
                fastest = fastest.min(start.elapsed().as_secs_f64() * 1e6);
            }
            fastest
        })
    };
    let all = [
        time(&|[i, j]| {
            let slice = view.slice([i..i + 4, j..j + 4]).expect("it is inside");
            slice.runs().map(|(_, run)| run.iter().sum::<u16>()).sum()
        }),
        time(&|[i, j]| {
            let slice = view.slice([i..i + 4, j..j + 4]).expect("it is inside");
            slice.rows().map(|row| row.iter().sum::<u16>()).sum()
        }),
        time(&|[i, j]| {
            let slice = value.slice([i..i + 4, j..j + 4]).expect("it is inside");
            slice.runs().map(|(_, run)| run.iter().sum::<u16>()).sum()
        }),
        time(&|[i, j]| {
            let slice = value.slice([i..i + 4, j..j + 4]).expect("it is inside");
            slice.rows().expect("rows are even").map(|row| row.iter().sum::<u16>()).sum()
        }),
    ];
    let columns = all.map(|[first, last]| format!("{first:.0}/{last:.0}"));
    let [a, b, c, d] = columns;
    println!("{:58} {a:>15} {b:>15} {c:>15} {d:>15}", format!("{layout:?}"));
}

/// What is summed and scaled.
trait Number: Copy + Default {
    const ONE: Self;
    /// Rows that a tile of 8 rows has side by side in 32 bits.
    const PACKED: usize = 4 / size_of::<Self>();
    fn plus(self, other: Self) -> Self;
    fn scaled(self) -> Self;
}

impl Number for f32 {
    const ONE: f32 = 1.0;
    fn plus(self, other: f32) -> f32 {
        self + other
    }
    fn scaled(self) -> f32 {
        self * 1.000_001
    }
}

/// The bits of 16-bit floats, summed and scaled as integers.
impl Number for u16 {
    const ONE: u16 = 1;
    fn plus(self, other: u16) -> u16 {
        self.wrapping_add(other)
    }
    fn scaled(self) -> u16 {
        self.wrapping_mul(3)
    }
}

/// Ways to walk, and as many numbers for each: by index, runs, tiles and as a slice; runs, tiles and rows of a layout that is
/// a value; by rows and, by hand, by rows and by tiles.
const WAYS: usize = 10;

/// A way to sum the elements, or to scale them; the numbers are those of tiles.
type Sum<L, T> = fn(View<'_, L, T>, usize, usize, &DynLayout) -> T;
type Scale<L, T> = fn(&mut ViewMut<'_, L, T>, usize, usize, &DynLayout);

fn case<T, L>(layout: WithDims<L>)
where
    T: Number + DynStored + StoredIn<L>,
    L: AnyLayout<Index = [usize; 2]>,
{
    let mut buffer = layout.filled(T::ONE);
    let [rows, columns] = layout.tile_counts();
    let value = DynLayout::new(&layout.shape()).expect("its sizes are known");
    let sums: [Sum<L, T>; WAYS] = [
        |view, _, _, _| {
            let mut sum = [T::default(); 32];
            for i in 0..view.dims()[0] {
                for j in 0..view.dims()[1] {
                    sum[j % 32] = sum[j % 32].plus(view[[i, j]]);
                }
            }
            total(&sum)
        },
        |view, _, _, _| {
            let mut sum = [T::default(); 32];
            for (_, run) in view.runs() {
                add(&mut sum, run);
            }
            total(&sum)
        },
        |view, _, _, _| {
            let mut sum = [T::default(); 32];
            for tile in view.tiles() {
                for row in tile.as_slice().chunks_exact(128) {
                    add(&mut sum, row);
                }
            }
            total(&sum)
        },
        |view, _, _, _| {
            let mut sum = [T::default(); 32];
            add(&mut sum, view.as_slice());
            total(&sum)
        },
        |view, _, _, layout| {
            let mut sum = [T::default(); 32];
            for (_, run) in layout.view(view.as_slice()).expect("the same layout").runs() {
                add(&mut sum, run);
            }
            total(&sum)
        },
        |view, _, _, layout| {
            let mut sum = [T::default(); 32];
            let view = layout.view(view.as_slice()).expect("the same layout");
            for tile in view.tiles().expect("tiles are contiguous") {
                for row in tile.as_slice().chunks_exact(128) {
                    add(&mut sum, row);
                }
            }
            total(&sum)
        },
        |view, _, _, layout| {
            let mut sums = [T::default(); 128];
            let view = layout.view(view.as_slice()).expect("the same layout");
            for row in view.rows().expect("rows are even") {
                for (sum, x) in sums.iter_mut().zip(row.iter()) {
                    *sum = sum.plus(*x);
                }
            }
            total(&sums)
        },
        |view, _, _, _| {
            let mut sums = [T::default(); 128];
            for row in view.rows() {
                for (sum, x) in sums.iter_mut().zip(row.iter()) {
                    *sum = sum.plus(*x);
                }
            }
            total(&sums)
        },
        |view, rows, columns, _| {
            let mut sums = [T::default(); 128];
            let data = view.as_slice();
            for i in 0..rows {
                for j in 0..columns {
                    let tile = &data[(i * columns + j) * 1024..][..1024];
                    for row in 0..8 {
                        let start = row / T::PACKED * T::PACKED * 128 + row % T::PACKED;
                        for (column, sum) in sums.iter_mut().enumerate() {
                            *sum = sum.plus(tile[start + column * T::PACKED]);
                        }
                    }
                }
            }
            total(&sums)
        },
        |view, rows, columns, _| {
            let mut sum = [T::default(); 32];
            let data = view.as_slice();
            for i in 0..rows {
                for j in 0..columns {
                    let tile = &data[(i * columns + j) * 1024..][..1024];
                    for row in tile.chunks_exact(128) {
                        add(&mut sum, row);
                    }
                }
            }
            total(&sum)
        },
    ];
    time(layout, "sum", &sums, |sum| {
        black_box(sum(black_box(buffer.as_view()), rows, columns, &value));
    });

    let scales: [Scale<L, T>; WAYS] = [
        |view, _, _, _| {
            for i in 0..view.dims()[0] {
                for j in 0..view.dims()[1] {
                    view[[i, j]] = view[[i, j]].scaled();
                }
            }
        },
        |view, _, _, _| view.runs_mut().for_each(|(_, run)| scale(run)),
        |view, _, _, _| {
            for mut tile in view.tiles_mut() {
                tile.as_mut_slice().chunks_exact_mut(128).for_each(scale);
            }
        },
        |view, _, _, _| scale(view.as_mut_slice()),
        |view, _, _, layout| {
            let mut view = layout.view_mut(view.as_mut_slice()).expect("the same layout");
            view.runs_mut().for_each(|(_, run)| scale(run));
        },
        |view, _, _, layout| {
            let mut view = layout.view_mut(view.as_mut_slice()).expect("the same layout");
            for mut tile in view.tiles_mut().expect("tiles are contiguous") {
                tile.as_mut_slice().chunks_exact_mut(128).for_each(scale);
            }
        },
        |view, _, _, layout| {
            let mut view = layout.view_mut(view.as_mut_slice()).expect("the same layout");
            let each =
                view.for_each_row_mut(|mut row| row.iter_mut().for_each(|x| *x = x.scaled()));
            each.expect("rows are even");
        },
        |view, _, _, _| {
            for mut row in view.rows_mut() {
                row.iter_mut().for_each(|x| *x = x.scaled());
            }
        },
        |view, rows, columns, _| {
            let data = view.as_mut_slice();
            for i in 0..rows {
                for j in 0..columns {
                    let tile = &mut data[(i * columns + j) * 1024..][..1024];
                    for row in 0..8 {
                        let start = row / T::PACKED * T::PACKED * 128 + row % T::PACKED;
                        for column in 0..128 {
                            let x = &mut tile[start + column * T::PACKED];
                            *x = x.scaled();
                        }
                    }
                }
            }
        },
        |view, rows, columns, _| {
            let data = view.as_mut_slice();
            for i in 0..rows {
                for j in 0..columns {
                    let tile = &mut data[(i * columns + j) * 1024..][..1024];
                    tile.chunks_exact_mut(128).for_each(scale);
                }
            }
        },
    ];
    time(layout, "scale", &scales, |scale| {
        scale(black_box(&mut buffer.as_view_mut()), rows, columns, &value);
    });
}

#[inline(always)]
fn add<T: Number>(sum: &mut [T; 32], run: &[T]) {
    let (chunks, rest) = run.as_chunks::<32>();
    for chunk in chunks {
        for (sum, x) in sum.iter_mut().zip(chunk) {
            *sum = sum.plus(*x);
        }
    }
    for (sum, x) in sum.iter_mut().zip(rest) {
        *sum = sum.plus(*x);
    }
}

fn total<T: Number>(parts: &[T]) -> T {
    parts.iter().copied().fold(T::default(), T::plus)
}

#[inline(always)]
fn scale<T: Number>(run: &mut [T]) {
    for x in run {
        *x = x.scaled();
    }
}

fn time<L: AnyLayout, W>(
    layout: WithDims<L>,
    what: &str,
    ways: &[W; WAYS],
    mut run: impl FnMut(&W),
) {
    let times = WORK.div_ceil(layout.elements());
    let mut seconds = [const { Vec::new() }; WAYS];
    for _ in 0..ROUNDS {
        for (way, seconds) in ways.iter().zip(&mut seconds) {
            let start = Instant::now();
            for _ in 0..times {
                run(way);
            }
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    let median = seconds.each_mut().map(|seconds| {
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    });
    let [
        index,
        runs,
        tiles,
        slice,
        value_runs,
        value_tiles,
        value_rows,
        rows,
        rows_by_hand,
        by_hand,
    ] = median;
    // Those by rows have a second reference: by hand, by rows.
    println!(
        "{:58} {:8.2} {:8.2} {:8.2} {:8.2} {:4.2}/{:4.2} {:6.1} ms {:5.2} {:5.2} {:5.2}",
        format!("{what} {layout:?}"),
        by_hand / index,
        by_hand / runs,
        by_hand / tiles,
        by_hand / slice,
        rows_by_hand / rows,
        by_hand / rows,
        by_hand * 1e3,
        runs / value_runs,
        tiles / value_tiles,
        rows / value_rows,
    );
}
