//! Walking over a view, as ratios to a nest of loops by hand in one run: above 1 is faster.
//! `cargo bench -p tiled-layout-tests --bench walk`.

use std::hint::black_box;
use std::time::Instant;

use layout::{Buffer, Layout, View, ViewMut, element, layout};

const ROUNDS: usize = 15;
/// Elements that a timing goes over, so that small arrays are walked many times.
const WORK: usize = 1 << 24;

fn main() {
    println!(
        "{:36} {:>8} {:>8} {:>8} {:>8} {:>8}",
        "ratio to the nest by hand", "[[i,j]]", "runs", "tiles", "slice", "by hand"
    );
    case::<layout!(F32[4096,4096]{1,0:T(8,128)})>(512, 32);
    case::<layout!(F32[256,256]{1,0:T(8,128)})>(32, 2);
}

/// A way to sum the elements, or to scale them; the numbers are those of tiles.
type Sum<L> = fn(View<'_, L, f32>, usize, usize) -> f32;
type Scale<L> = fn(&mut ViewMut<'_, L, f32>, usize, usize);

fn case<L: Layout<2, Element = element::F32>>(rows: usize, columns: usize) {
    let mut buffer = Buffer::<L, f32>::filled(1.0);
    let times = WORK.div_ceil(L::ELEMENTS);
    let sums: [Sum<L>; 5] = [
        |view, _, _| {
            let mut sum = [0.0; 32];
            for i in 0..L::DIMS[0] {
                for j in 0..L::DIMS[1] {
                    sum[j % 32] += view[[i, j]];
                }
            }
            sum.iter().sum()
        },
        |view, _, _| {
            let mut sum = [0.0; 32];
            for (_, run) in view.runs() {
                add(&mut sum, run);
            }
            sum.iter().sum()
        },
        |view, _, _| {
            let mut sum = [0.0; 32];
            for tile in view.tiles() {
                for row in tile.as_slice().chunks_exact(128) {
                    add(&mut sum, row);
                }
            }
            sum.iter().sum()
        },
        |view, _, _| {
            let mut sum = [0.0; 32];
            add(&mut sum, view.as_slice());
            sum.iter().sum()
        },
        |view, rows, columns| {
            let mut sum = [0.0; 32];
            let data = view.as_slice();
            for i in 0..rows {
                for j in 0..columns {
                    let tile = &data[(i * columns + j) * 1024..][..1024];
                    for row in tile.chunks_exact(128) {
                        add(&mut sum, row);
                    }
                }
            }
            sum.iter().sum()
        },
    ];
    let mut seconds = [const { Vec::new() }; 5];
    for _ in 0..ROUNDS {
        for (sum, seconds) in sums.iter().zip(&mut seconds) {
            let start = Instant::now();
            for _ in 0..times {
                black_box(sum(black_box(buffer.as_view()), rows, columns));
            }
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    print::<L>("sum", seconds);

    let scales: [Scale<L>; 5] = [
        |view, _, _| {
            for i in 0..L::DIMS[0] {
                for j in 0..L::DIMS[1] {
                    view[[i, j]] *= 1.000_001;
                }
            }
        },
        |view, _, _| view.runs_mut().for_each(|(_, run)| scale(run)),
        |view, _, _| {
            for mut tile in view.tiles_mut() {
                tile.as_mut_slice().chunks_exact_mut(128).for_each(scale);
            }
        },
        |view, _, _| scale(view.as_mut_slice()),
        |view, rows, columns| {
            let data = view.as_mut_slice();
            for i in 0..rows {
                for j in 0..columns {
                    let tile = &mut data[(i * columns + j) * 1024..][..1024];
                    tile.chunks_exact_mut(128).for_each(scale);
                }
            }
        },
    ];
    let mut seconds = [const { Vec::new() }; 5];
    for _ in 0..ROUNDS {
        for (scale, seconds) in scales.iter().zip(&mut seconds) {
            let start = Instant::now();
            for _ in 0..times {
                scale(black_box(&mut buffer.as_view_mut()), rows, columns);
            }
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    print::<L>("scale", seconds);
}

#[inline(always)]
fn add(sum: &mut [f32; 32], run: &[f32]) {
    let (chunks, rest) = run.as_chunks::<32>();
    for chunk in chunks {
        for (sum, x) in sum.iter_mut().zip(chunk) {
            *sum += x;
        }
    }
    for (sum, x) in sum.iter_mut().zip(rest) {
        *sum += x;
    }
}

#[inline(always)]
fn scale(run: &mut [f32]) {
    for x in run {
        *x *= 1.000_001;
    }
}

fn print<L: Layout<2>>(what: &str, mut seconds: [Vec<f64>; 5]) {
    let median = seconds.each_mut().map(|seconds| {
        seconds.sort_by(f64::total_cmp);
        seconds[seconds.len() / 2]
    });
    let [index, runs, tiles, slice, by_hand] = median;
    println!(
        "{:36} {:8.2} {:8.2} {:8.2} {:8.2} {:5.1} ms",
        format!("{what} {}", L::TEXT),
        by_hand / index,
        by_hand / runs,
        by_hand / tiles,
        by_hand / slice,
        by_hand * 1e3,
    );
}
