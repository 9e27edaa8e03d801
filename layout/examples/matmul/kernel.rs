//! A matrix product over tiled operands. The layouts are the panels that a micro-kernel wants: it
//! reads both operands and writes the result front to back.

use layout::{Buffer, Layout, View, ViewMut, layout};

/// Rows, columns, and the length of the sums.
pub(crate) const SIZE: usize = 1024;

layout! {
    /// The left operand: for each step of the sums, six rows side by side.
    pub(crate) type Left = F32[1024,1024]{0,1:T(256,6)};
    /// The right operand: for each step of the sums, sixteen columns side by side.
    pub(crate) type Right = F32[1024,1024]{1,0:T(256,16)};
    /// The result: six rows of sixteen columns, which stay in registers.
    pub(crate) type Result = F32[1024,1024]{1,0:T(6,16)};
}

/// Brings a row-major array into a layout, run by run.
pub(crate) fn pack<L: Layout<2, Element = layout::element::F32>>(
    from: &[f32],
    to: &mut Buffer<L, f32>,
) {
    let columns = L::DIMS[1];
    for (run, elements) in to.as_view_mut().runs_mut() {
        let from = &from[run.index[0] * columns + run.index[1]..];
        if L::RUN_DIM == 1 {
            elements.copy_from_slice(&from[..run.length]);
        } else {
            for (to, from) in elements.iter_mut().zip(from.iter().step_by(columns)) {
                *to = *from;
            }
        }
    }
}

/// `result += left · right`.
pub(crate) fn multiply(
    left: View<'_, Left, f32>,
    right: View<'_, Right, f32>,
    result: &mut ViewMut<'_, Result, f32>,
) {
    let micro = micro();
    let [rows, columns] = Result::TILE_COUNTS;
    // A panel of the right operand stays in the first-level cache, all of the left ones in the
    // second.
    for step in 0..Left::TILE_COUNTS[1] {
        for column in 0..columns {
            let right = right.tile([step, column]).expect("the grids fit");
            for row in 0..rows {
                let left = left.tile([row, step]).expect("the grids fit");
                let mut sums = result.tile_mut([row, column]).expect("the grids fit");
                micro(left.as_array(), right.as_array(), sums.as_mut_array());
            }
        }
    }
}

type Micro = fn(
    &[f32; Left::TILE_ELEMENTS],
    &[f32; Right::TILE_ELEMENTS],
    &mut [f32; Result::TILE_ELEMENTS],
);

/// The micro-kernel for this machine.
fn micro() -> Micro {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
        return |left, right, sums| {
            #[allow(unsafe_code, reason = "a function for some machines only is unsafe to call")]
            // SAFETY: this machine has the features, as was just asked.
            unsafe {
                with_fma(left, right, sums);
            }
        };
    }
    |left, right, sums| tile(left, right, sums, |a, b, sum| a * b + sum)
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn with_fma(
    left: &[f32; Left::TILE_ELEMENTS],
    right: &[f32; Right::TILE_ELEMENTS],
    sums: &mut [f32; Result::TILE_ELEMENTS],
) {
    tile(left, right, sums, |a: f32, b, sum| a.mul_add(b, sum));
}

/// One tile of the result, over the steps that the operands' tiles hold.
#[inline(always)]
fn tile(
    left: &[f32; Left::TILE_ELEMENTS],
    right: &[f32; Right::TILE_ELEMENTS],
    sums: &mut [f32; Result::TILE_ELEMENTS],
    add: impl Fn(f32, f32, f32) -> f32,
) {
    let mut tile = [[0.0; 16]; 6];
    for (left, right) in left.as_chunks::<6>().0.iter().zip(right.as_chunks::<16>().0) {
        for (row, a) in tile.iter_mut().zip(left) {
            for (sum, b) in row.iter_mut().zip(right) {
                *sum = add(*a, *b, *sum);
            }
        }
    }
    for (sum, partial) in sums.iter_mut().zip(tile.as_flattened()) {
        *sum += partial;
    }
}
