//! The search for blocks.

use layout_core::Size;
use layout_core::limits::MAX_DIMS;

/// The largest sizes of blocks that are accepted, at most those given: each is a size as given or a power of two below it.
/// `None` if none is accepted.
///
/// The largest product wins, since each step then does most; of equal ones that with the largest smallest size. `accepts` is
/// asked about candidates that could still win, at most 13 sizes of a dimension of 4,096. Make the kernel for them and compare
/// [`bound_bytes`](super::Kernel::bound_bytes) with [`limit_bytes`](super::Kernel::limit_bytes).
///
/// If the body computes, the block is one to try: a body can need more than the bound. The next smaller block is found by an
/// `accepts` that refuses products as large as this one.
///
/// # Examples
/// ```
/// use layout::ElementType::{BF16, F32};
/// use layout::tpu::Tpu;
/// use layout_hlo::pallas::{Kernel, Operand, axis, largest_block};
///
/// let found = largest_block(&[4096, 4096, 4096], |block| {
///     let [m, n, k] = *block else { return false };
///     let operands = [
///         Operand::input(BF16, &[4096, 4096]).block(&[axis(0).block(m), axis(2).block(k)]),
///         Operand::input(BF16, &[4096, 4096]).block(&[axis(2).block(k), axis(1).block(n)]),
///         Operand::output(BF16, &[4096, 4096]).block(&[axis(0).block(m), axis(1).block(n)]),
///         Operand::scratch(F32, &[m, n]),
///     ];
///     let grid = [4096 / m, 4096 / n, 4096 / k];
///     let kernel = Kernel::new(Tpu::V5e, &grid, &operands);
///     kernel.refusal().is_none() && kernel.bound_bytes() <= kernel.limit_bytes()
/// });
/// assert_eq!(found.unwrap()[..3], [1024, 512, 512]);
/// ```
pub fn largest_block(
    most: &[Size],
    mut accepts: impl FnMut(&[Size]) -> bool,
) -> Option<[Size; MAX_DIMS]> {
    let rank = most.len().min(MAX_DIMS);
    let mut block = [1; MAX_DIMS];
    block[..rank].copy_from_slice(&most[..rank]);
    // A product, and the smallest size.
    let mut best = ((0, 0), None);
    loop {
        let volume = block.iter().fold(1_u128, |volume, size| volume.saturating_mul(*size as u128));
        let rated = (volume, block[..rank].iter().copied().min().unwrap_or(1));
        if rated > best.0 && accepts(&block[..rank]) {
            best = (rated, Some(block));
        }
        // The next smaller size along the last dimension that has one; all later ones begin again.
        let Some(dim) = (0..rank).rev().find(|dim| block[*dim] > 1) else { return best.1 };
        block[dim] = 1 << (block[dim] - 1).ilog2();
        block[dim + 1..rank].copy_from_slice(&most[dim + 1..rank]);
    }
}
