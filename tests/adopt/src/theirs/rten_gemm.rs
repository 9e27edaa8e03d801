//! The crate `rten-gemm`: the second operand of a product, packed for the kernel of this machine.

use std::rc::Rc;

use rten_gemm::GemmExecutor;
use rten_tensor::{Matrix, NdTensorView};

use crate::{Function, making, numbers, ours};

const OURS: &str = include_str!("../ours/rten_gemm.rs");

const CASES: [[usize; 2]; 6] =
    [[4, 32], [32, 64], [256, 1024], [250, 1000], [1024, 1024], [4096, 4096]];

pub fn functions() -> Vec<Function> {
    let order = |name, layout, strides: fn([usize; 2]) -> [usize; 2]| {
        let mut function = Function::new(name, layout, 64, OURS);
        for dims in CASES {
            case(&mut function, dims, strides(dims));
        }
        function
    };
    vec![
        order("`rten-gemm` `prepack_b`", "`F32[K,N]{1,0}` → `{0,1:T(NR,1)}`", |[_, n]| [n, 1]),
        order("`rten-gemm` `prepack_b`", "rows of `N + 100` → `{0,1:T(NR,1)}`", |[_, n]| {
            [n + 100, 1]
        }),
        order("`rten-gemm` `prepack_b`", "`F32[K,N]{0,1}` → `{0,1:T(NR,1)}`", |[k, _]| [1, k]),
    ]
}

fn case(function: &mut Function, dims: [usize; 2], strides: [usize; 2]) {
    let [k, n] = dims;
    function.case(format!("{k}×{n}"), 4 * k * n, move || {
        let executor = GemmExecutor::<f32, f32, f32>::default();
        let is_avx512 = executor.kernel_name().contains("512");
        let from = Rc::new(numbers::<f32>((k - 1) * strides[0] + (n - 1) * strides[1] + 1));
        let again = from.clone();
        let theirs = move || {
            let matrix: Matrix = NdTensorView::from_slice_with_strides(dims, &from[..], strides)
                .expect("strides of a matrix");
            executor.prepack_b(matrix)
        };
        let ours = move || {
            if is_avx512 {
                ours::rten_gemm::prepack_b::<32>(&again, dims, strides).expect("a matrix")
            } else {
                ours::rten_gemm::prepack_b::<16>(&again, dims, strides).expect("a matrix")
            }
        };
        [
            making(theirs, |packed| bytemuck::cast_slice(&packed.into_vec()).to_vec()),
            making(ours, |packed| bytemuck::cast_slice(&packed).to_vec()),
        ]
    });
}
