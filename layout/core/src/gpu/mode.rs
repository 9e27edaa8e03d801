//! The swizzle modes of shared memory, with their codes.

use crate::base::limits::Size;
use crate::shape::{ArrayShape, Swizzle};

/// A swizzle of shared memory as TMA and tensor cores have it.
#[derive(Clone, Copy)]
pub(super) struct Mode {
    pub swizzle: Swizzle,
    /// Lines after which the pattern repeats.
    pub lines: Size,
    /// Codes of `wgmma`, of `tcgen05`, of `cuTensorMapEncodeTiled`, and of `tensormap.replace.swizzle_mode`.
    pub codes: [u32; 4],
}

/// No code: the instruction does not have the mode.
pub(super) const NO_CODE: u32 = u32::MAX;

const MODES: [Mode; 5] = [
    Mode { swizzle: Swizzle::NONE, lines: 8, codes: [0, 0, 0, 0] },
    Mode { swizzle: Swizzle::MODE_32B, lines: 8, codes: [3, 6, 1, 1] },
    Mode { swizzle: Swizzle::MODE_64B, lines: 8, codes: [2, 4, 2, 2] },
    Mode { swizzle: Swizzle::MODE_128B, lines: 8, codes: [1, 2, 3, 3] },
    Mode { swizzle: Swizzle::MODE_128B_ATOM_32B, lines: 4, codes: [NO_CODE, 1, 4, 3] },
];

impl Mode {
    /// The mode of a tile's swizzle.
    pub(super) const fn of(tile: &ArrayShape) -> Option<Mode> {
        if let Ok(swizzle) = tile.swizzle().on_bytes(tile.element_bits()) {
            each!(for mode in &MODES {
                if swizzle.xor_bits().is_same(mode.swizzle.xor_bits()) {
                    return Some(*mode);
                }
            });
        }
        None
    }

    /// Bytes of a line; 16 without a swizzle.
    pub(super) const fn span(&self) -> Size {
        span(self.swizzle)
    }

    /// Bytes after which the pattern repeats; 16 without a swizzle.
    pub(super) const fn period(&self) -> Size {
        if self.swizzle.is_none() { 16 } else { self.swizzle.period() }
    }

    /// The swizzle of lines of some bytes, 0 for none.
    pub(super) const fn of_span(span: Size) -> Option<Swizzle> {
        match span {
            0 => Some(Swizzle::NONE),
            32 => Some(Swizzle::MODE_32B),
            64 => Some(Swizzle::MODE_64B),
            128 => Some(Swizzle::MODE_128B),
            _ => None,
        }
    }
}

/// Bytes of a line of a swizzle; 16 without one.
pub(super) const fn span(swizzle: Swizzle) -> Size {
    if swizzle.is_none() { 16 } else { swizzle.block() }
}
