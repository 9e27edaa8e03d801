//! The swizzle modes of shared memory, with their codes.

use crate::base::limits::Size;
use crate::shape::Swizzle;

/// A swizzle of shared memory that TMA and tensor cores have.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    /// On bytes.
    pub swizzle: Swizzle,
    /// Lines after which the pattern repeats.
    pub lines: Size,
    /// Codes of `wgmma`, of `tcgen05`, of `cuTensorMapEncodeTiled`, and of `tensormap.replace.swizzle_mode`.
    pub codes: [u32; 4],
}

const MODES: [Mode; 5] = [
    Mode { swizzle: Swizzle::NONE, lines: 8, codes: [0, 0, 0, 0] },
    Mode { swizzle: Swizzle::MODE_32B, lines: 8, codes: [3, 6, 1, 1] },
    Mode { swizzle: Swizzle::MODE_64B, lines: 8, codes: [2, 4, 2, 2] },
    Mode { swizzle: Swizzle::MODE_128B, lines: 8, codes: [1, 2, 3, 3] },
    // `wgmma` does not have it.
    Mode { swizzle: Swizzle::MODE_128B_ATOM_32B, lines: 4, codes: [0, 1, 4, 3] },
];

impl Mode {
    /// The mode of a swizzle, for elements of some bits.
    pub(super) const fn of(swizzle: Swizzle, element_bits: Size) -> Option<Mode> {
        let swizzle = some!(swizzle.in_bytes(element_bits)).xor_bits();
        each!(for mode in &MODES {
            if swizzle.is_same(mode.swizzle.xor_bits()) {
                return Some(*mode);
            }
        });
        None
    }

    /// Bytes of a line; 16 without a swizzle.
    pub(super) const fn span(&self) -> Size {
        if self.swizzle.is_none() { 16 } else { self.swizzle.block() }
    }

    /// Bytes after which the pattern repeats; 16 without a swizzle.
    pub(super) const fn period(&self) -> Size {
        if self.swizzle.is_none() { 16 } else { self.swizzle.period() }
    }
}
