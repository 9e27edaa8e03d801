//! A product of bytes with sums in 32 bits, with few rows on the left, over weights in the tiles of TPUs.
//!
//! `cargo run --release -p tiled-layout --example int8`

mod kernel;

use std::hint::black_box;
use std::time::Instant;

use kernel::Left;
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

    println!("s8[M,{DEPTH}] · s8[{DEPTH},{WIDTH}] to s32, one thread:");
    for rows in [1, 4, 16, 64] {
        let bytes = (0..rows * DEPTH).map(|_| byte()).collect::<Vec<_>>();
        let left = Left::new(&bytes, rows);
        let mut result = vec![0; rows * WIDTH];
        for (order, tiles) in [("in the order of memory", left.slab()), ("column by column", 1)] {
            // The shortest time of a few.
            let seconds = (0..7).map(|_| {
                let start = Instant::now();
                let result = black_box(&mut result);
                kernel::multiply(&left, weights, result, tiles);
                start.elapsed().as_secs_f64()
            });
            let seconds = seconds.fold(f64::INFINITY, f64::min);
            let speed = (2 * rows * DEPTH * WIDTH) as f64 / seconds / 1e9;
            println!("M = {rows:2}, {order}: {speed:.1} Gop/s");
        }
    }
}
