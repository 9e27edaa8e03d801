//! The example `matmul` against the naive product.

#[path = "../../layout/examples/matmul/kernel.rs"]
mod kernel;

use kernel::{Left, Result, Right, SIZE};
use layout::Buffer;
use layout_tests::random::Random;

#[test]
fn the_product_is_the_naive_one() {
    // Small integers, so that sums in any order are exact.
    let mut random = Random::new(3);
    let mut matrix = || (0..SIZE * SIZE).map(|_| random.below(13) as f32 - 6.0).collect::<Vec<_>>();
    let (a, b) = (matrix(), matrix());
    let (mut left, mut right) = (Buffer::<Left, f32>::zeroed(), Buffer::<Right, f32>::zeroed());
    kernel::pack(&a, &mut left);
    kernel::pack(&b, &mut right);
    let mut result = Buffer::<Result, f32>::zeroed();
    kernel::multiply(left.as_view(), right.as_view(), &mut result.as_view_mut());
    for i in [0, 1, 5, 6, 500, 1019, 1020, 1023] {
        for j in 0..SIZE {
            assert_eq!((left[[i, j]], right[[i, j]]), (a[i * SIZE + j], b[i * SIZE + j]));
            let expected: f32 = (0..SIZE).map(|k| a[i * SIZE + k] * b[k * SIZE + j]).sum();
            assert_eq!(result[[i, j]], expected, "element [{i}, {j}]");
        }
    }
}
