//! A product of bytes with sums in 32 bits, with few rows on the left, over weights in the tiles of TPUs.
//!
//! `cargo run --release -p tiled-layout --example int8`

mod kernel;
mod vnni;

use std::hint::black_box;
use std::time::Instant;

use kernel::{Kernel, Left};
use layout::{Buffer, Padding, copy, layout};

layout! {
    /// The weights: 64 MiB, more than caches hold.
    type Weights = S8[8192,8192]{1,0:T(32,128)(4,1)};
    /// As they are given.
    type RowMajor = S8[8192,8192];
}

const DEPTH: usize = Weights::DIMS[0];
const WIDTH: usize = Weights::DIMS[1];

fn main() {
    let mut state = 1_u32;
    let mut byte = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as i8
    };
    let row_major = (0..DEPTH * WIDTH).map(|_| byte()).collect::<Vec<_>>();
    let mut weights = Buffer::<Weights, i8>::zeroed();
    copy::<RowMajor, Weights, _>(&row_major, weights.as_mut_slice(), Padding::Zero)
        .expect("both slices hold the array");
    let weights = weights.as_view();
    let corrections = kernel::corrections(weights);

    let kernel = Kernel::best();
    println!("s8[M,{DEPTH}] · s8[{DEPTH},{WIDTH}] to s32, one thread, {}:", kernel.name);
    println!("    M   in the order of memory   column by column");
    for rows in [1, 4, 16, 64] {
        let bytes = (0..rows * DEPTH).map(|_| byte()).collect::<Vec<_>>();
        let left = Left::new(&bytes, rows);
        let mut results = [const { Vec::new() }; 2];
        results.fill(vec![0; rows * WIDTH]);
        let [tiles, columns] = &mut results;
        let multiply = |slab, result: &mut [i32]| {
            kernel::multiply(kernel, &left, weights, &corrections, result, slab);
        };
        let mut in_order = || multiply(left.slab(), black_box(tiles));
        let mut by_columns = || multiply(1, black_box(columns));
        let seconds = best([&mut in_order, &mut by_columns]);

        // Against the naive product, in some columns.
        for column in (0..WIDTH).step_by(131) {
            for row in 0..rows {
                let left = &bytes[row * DEPTH..][..DEPTH];
                let products = left.iter().zip(row_major[column..].iter().step_by(WIDTH));
                let expected: i32 = products.map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
                for result in &results {
                    assert_eq!(result[row * WIDTH + column], expected, "element [{row}, {column}]");
                }
            }
        }
        let speed = seconds.map(|seconds| (2 * rows * DEPTH * WIDTH) as f64 / seconds / 1e9);
        let [tiles, columns] = speed;
        println!("{rows:5} {tiles:15.1} Gop/s {columns:18.1} Gop/s");
    }
}

/// The shortest time of each of some functions, which take turns, in seconds.
fn best<const N: usize>(mut functions: [&mut dyn FnMut(); N]) -> [f64; N] {
    let mut least = [f64::INFINITY; N];
    let begin = Instant::now();
    let mut rounds = 0;
    while rounds < 2 || (rounds < 15 && begin.elapsed().as_secs_f64() < 0.5) {
        for (function, least) in functions.iter_mut().zip(&mut least) {
            let start = Instant::now();
            function();
            *least = least.min(start.elapsed().as_secs_f64());
        }
        rounds += 1;
    }
    least
}
