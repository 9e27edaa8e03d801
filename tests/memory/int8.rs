//! The example `int8` against the naive product.

#[path = "../../layout/examples/int8/kernel.rs"]
mod kernel;

use kernel::{ByTiles, Left};
use layout::{Buffer, layout};
use layout_tests::random::Random;

/// The product of some rows and weights of a layout, which is as the example's but for its size.
fn product<L: ByTiles>(rows: usize, random: &mut Random) {
    let [depth, width] = L::DIMS;
    // The extremes are frequent, for the largest sums.
    let mut matrix = |count| {
        let number = |_| *random.pick(&[i8::MIN, i8::MAX, -1, 0, 3, 77]);
        (0..count).map(number).collect::<Vec<i8>>()
    };
    let (left, right) = (matrix(rows * depth), matrix(depth * width));
    let buffer = Buffer::<L, i8>::from_row_major(&right).expect("it has as many");
    let mut expected = vec![0; rows * width];
    for (row, sums) in expected.chunks_exact_mut(width).enumerate() {
        for (column, sum) in sums.iter_mut().enumerate() {
            for k in 0..depth {
                *sum += i32::from(left[row * depth + k]) * i32::from(right[k * width + column]);
            }
        }
    }
    let words = Left::new(&left, rows);
    for tiles in [words.slab(), 1] {
        let mut result = vec![1; rows * width];
        kernel::multiply(&words, buffer.as_view(), &mut result, tiles);
        assert_eq!(result, expected, "{rows} rows, slabs of {tiles}");
    }
}

#[test]
fn the_product_is_the_naive_one() {
    let random = &mut Random::new(4);
    // One tile, and more columns than one slab has.
    for rows in [1, 2, 3, 4, 5, 9, 16, 70] {
        product::<layout!(S8[32,128]{1,0:T(32,128)(4,1)})>(rows, random);
        product::<layout!(S8[96,1152]{1,0:T(32,128)(4,1)})>(rows, random);
    }
}
