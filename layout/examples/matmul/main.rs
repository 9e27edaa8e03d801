//! A matrix product whose operands are tiled as its kernel wants them.
//!
//! `cargo run --release -p tiled-layout --example matmul`

mod kernel;

use std::time::Instant;

use kernel::{Left, Result, Right, SIZE};
use layout::Buffer;

fn main() {
    let number = |i: usize| ((i * 7 + i / 31) % 13) as f32 - 6.0;
    let a = (0..SIZE * SIZE).map(number).collect::<Vec<_>>();
    let b = (0..SIZE * SIZE).map(|i| number(i + 5)).collect::<Vec<_>>();

    let start = Instant::now();
    let (mut left, mut right) = (Buffer::<Left, f32>::zeroed(), Buffer::<Right, f32>::zeroed());
    kernel::pack(&a, &mut left);
    kernel::pack(&b, &mut right);
    let packed = start.elapsed();
    let mut result = Buffer::<Result, f32>::zeroed();
    let start = Instant::now();
    kernel::multiply(left.as_view(), right.as_view(), &mut result.as_view_mut());
    let multiplied = start.elapsed();

    let operations = 2.0 * (SIZE * SIZE * SIZE) as f64;
    println!("{SIZE}³ in f32, one thread");
    println!("  packed     in {:6.2} ms", packed.as_secs_f64() * 1e3);
    println!(
        "  multiplied in {:6.2} ms: {:.1} GFLOP/s",
        multiplied.as_secs_f64() * 1e3,
        operations / multiplied.as_secs_f64() / 1e9
    );
}
