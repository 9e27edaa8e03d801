//! The swizzle modes of shared memory, with their codes.

use layout_core::Swizzle;
use layout_core::limits::Size;

/// A swizzle of shared memory that TMA and tensor cores have.
#[derive(Clone, Copy)]
pub(super) struct SwizzleCodes {
    /// On bytes.
    pub swizzle: Swizzle,
    /// Lines after which the pattern repeats.
    pub lines: Size,
    /// Code in descriptors of `wgmma`.
    pub wgmma: u64,
    /// Code in descriptors of `tcgen05`.
    pub tcgen05: u64,
    /// `CUtensorMapSwizzle`.
    pub tma: u32,
    /// `swizzle_mode` of `tensormap.replace`.
    pub ptx: u32,
}

const ALL: [SwizzleCodes; 5] = [
    SwizzleCodes { swizzle: Swizzle::NONE, lines: 8, wgmma: 0, tcgen05: 0, tma: 0, ptx: 0 },
    SwizzleCodes { swizzle: Swizzle::MODE_32B, lines: 8, wgmma: 3, tcgen05: 6, tma: 1, ptx: 1 },
    SwizzleCodes { swizzle: Swizzle::MODE_64B, lines: 8, wgmma: 2, tcgen05: 4, tma: 2, ptx: 2 },
    SwizzleCodes { swizzle: Swizzle::MODE_128B, lines: 8, wgmma: 1, tcgen05: 2, tma: 3, ptx: 3 },
    // `wgmma` does not have it.
    SwizzleCodes {
        swizzle: Swizzle::MODE_128B_ATOM_32B,
        lines: 4,
        wgmma: 0,
        tcgen05: 1,
        tma: 4,
        ptx: 3,
    },
];

impl SwizzleCodes {
    /// The mode of a swizzle, for elements of some bits.
    pub(super) const fn of(swizzle: Swizzle, element_bits: Size) -> Option<SwizzleCodes> {
        let Ok(swizzle) = swizzle.on_bytes(element_bits) else { return None };
        each!(for mode in &ALL {
            let is_none = swizzle.is_none() && mode.swizzle.is_none();
            if is_none || swizzle.is_same(mode.swizzle) {
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
