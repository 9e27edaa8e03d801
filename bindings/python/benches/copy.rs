//! The copy of `tests/bench.py` without Python: bytes of the destination in a second, the best of several runs.

use std::hint::black_box;
use std::time::Instant;

use layout::{ArrayShape, Padding, Plan};

fn main() {
    let device: ArrayShape = "bf16[4096,8192]{1,0:T(8,128)(2,1)}".parse().expect("a layout");
    let host = device.without_layout().expect("it has a row-major layout");
    let copy = Plan::new(&device, &host).expect("a copy");
    let source = vec![1_u64; copy.source_bytes() / 8];
    let source = source.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<_>>();
    let mut out = vec![1; copy.destination_bytes()];
    let seconds = (0..15).map(|_| {
        let start = Instant::now();
        copy.run_bytes(black_box(&source), black_box(&mut out), Padding::Zero).expect("it fits");
        start.elapsed().as_secs_f64()
    });
    let best = seconds.fold(f64::INFINITY, f64::min);
    println!("{:34} {:7.2} GB/s", "Rust: Plan::run", out.len() as f64 / best / 1e9);
}
