//! 1024³ in f32 on one thread: the example `matmul` against the crates `gemm` and `matrixmultiply`,
//! as ratios of the time of `gemm` in one run (above 1 is faster).

#[path = "../../layout/examples/matmul/kernel.rs"]
mod kernel;

use std::hint::black_box;
use std::time::Instant;

use kernel::{Left, Result, Right, SIZE};
use layout::Buffer;
use tiled_layout_peers::timing::Seconds;

const ROUNDS: usize = 21;

fn main() {
    let number = |i: usize| ((i * 7 + i / 31) % 13) as f32 - 6.0;
    let a = (0..SIZE * SIZE).map(number).collect::<Vec<_>>();
    let b = (0..SIZE * SIZE).map(|i| number(i + 5)).collect::<Vec<_>>();
    let (mut left, mut right) = (Buffer::<Left, f32>::zeroed(), Buffer::<Right, f32>::zeroed());
    let mut result = Buffer::<Result, f32>::zeroed();
    let [mut by_gemm, mut by_matrixmultiply] = [(); 2].map(|()| vec![0.0f32; SIZE * SIZE]);

    let mut seconds: [Seconds; 4] = Default::default();
    for _ in 0..ROUNDS {
        let start = Instant::now();
        kernel::pack(black_box(&a), &mut left);
        kernel::pack(black_box(&b), &mut right);
        seconds[0].push(start.elapsed().as_secs_f64());

        result.as_mut_slice().fill(0.0);
        let start = Instant::now();
        kernel::multiply(left.as_view(), right.as_view(), &mut result.as_view_mut());
        seconds[1].push(start.elapsed().as_secs_f64());

        let start = Instant::now();
        let (rows, one) = (SIZE as isize, 1);
        // SAFETY: the slices are square matrices of that size, row-major.
        unsafe {
            gemm::gemm(
                SIZE,
                SIZE,
                SIZE,
                by_gemm.as_mut_ptr(),
                one,
                rows,
                false,
                a.as_ptr(),
                one,
                rows,
                b.as_ptr(),
                one,
                rows,
                0.0,
                1.0,
                false,
                false,
                false,
                gemm::Parallelism::None,
            );
        }
        seconds[2].push(start.elapsed().as_secs_f64());

        let start = Instant::now();
        // SAFETY: as above.
        unsafe {
            matrixmultiply::sgemm(
                SIZE,
                SIZE,
                SIZE,
                1.0,
                a.as_ptr(),
                rows,
                one,
                b.as_ptr(),
                rows,
                one,
                0.0,
                by_matrixmultiply.as_mut_ptr(),
                rows,
                one,
            );
        }
        seconds[3].push(start.elapsed().as_secs_f64());
    }
    for i in 0..SIZE {
        for j in 0..SIZE {
            let mine = result[[i, j]];
            assert_eq!((mine, mine), (by_gemm[i * SIZE + j], by_matrixmultiply[i * SIZE + j]));
        }
    }
    let median = seconds.map(|seconds| seconds.median().expect("rounds"));
    let [packing, multiplying, gemm, matrixmultiply] = median;
    println!("{SIZE}³, equal in every element, median of {ROUNDS} rounds");
    for (name, seconds) in [
        ("operands already tiled", multiplying),
        ("with packing", multiplying + packing),
        ("matrixmultiply", matrixmultiply),
        ("gemm", gemm),
    ] {
        println!("{name:23} {:.2} of gemm ({:.1} ms)", gemm / seconds, seconds * 1e3);
    }
}
