//! AArch64: NEON's vectors of 16 bytes.

use core::arch::aarch64::*;
use core::mem::transmute_copy;

use layout_core::__private::Kernel;

use crate::relayout::kernel::block::KernelBlock;
use crate::relayout::kernel::raw::vectors::pieces::stretches;
use crate::relayout::kernel::raw::vectors::short_rows::{
    deinterleave_short, interleave_line, is_line,
};
use crate::relayout::kernel::raw::vectors::transpose::transpose;
use crate::relayout::kernel::raw::vectors::vector::{Square, Vector};
use crate::relayout::kernel::raw::vectors::weave::{deinterleave, interleave, runs};
use crate::relayout::kernel::raw::vectors::{Function, Task};
use crate::relayout::kernel::settings::InstructionSet;

/// Whether stores can go around the cache: `stnp` asks for it, but Rust has no intrinsic for it.
pub(super) const STREAMS: bool = false;

/// The vector of the smallest set.
pub(super) type Smallest = uint8x16_t;

/// Nothing goes around the cache.
///
/// # Safety
/// None.
#[inline(always)]
pub(super) unsafe fn fence() {}

/// Asks for nothing: what it gains was not measured here.
///
/// # Safety
/// None.
#[inline(always)]
pub(super) unsafe fn prefetch(_: *const u8) {}

/// An operation on two vectors, by the bytes of an element.
macro_rules! by_width {
    ($w:expr, $a:expr, $b:expr; $bytes:ident $words:ident $singles:ident $doubles:ident) => {{
        let (a, b) = ($a, $b);
        match $w {
            1 => $bytes(a, b),
            2 => {
                let (a, b) = (vreinterpretq_u16_u8(a), vreinterpretq_u16_u8(b));
                vreinterpretq_u8_u16($words(a, b))
            }
            4 => {
                let (a, b) = (vreinterpretq_u32_u8(a), vreinterpretq_u32_u8(b));
                vreinterpretq_u8_u32($singles(a, b))
            }
            8 => {
                let (a, b) = (vreinterpretq_u64_u8(a), vreinterpretq_u64_u8(b));
                vreinterpretq_u8_u64($doubles(a, b))
            }
            _ => unreachable!(),
        }
    }};
}

impl Vector for uint8x16_t {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller vouches for the bytes at `from` and for the instructions; bytes need no alignment.
        unsafe { vld1q_u8(from) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the bytes at `to` and for the instructions; bytes need no alignment.
        unsafe { vst1q_u8(to, self) }
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            (
                by_width!(W, self, other; vzip1q_u8 vzip1q_u16 vzip1q_u32 vzip1q_u64),
                by_width!(W, self, other; vzip2q_u8 vzip2q_u16 vzip2q_u32 vzip2q_u64),
            )
        }
    }

    #[inline(always)]
    unsafe fn unzip<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            (
                by_width!(W, self, other; vuzp1q_u8 vuzp1q_u16 vuzp1q_u32 vuzp1q_u64),
                by_width!(W, self, other; vuzp2q_u8 vuzp2q_u16 vuzp2q_u32 vuzp2q_u64),
            )
        }
    }

    /// In one instruction for two rows and for four; eight rows are four of two rows zipped.
    #[inline(always)]
    unsafe fn store_zipped<const W: usize, const K: usize>(rows: [Self; K], to: *mut u8) {
        // SAFETY: the caller vouches for `K` vectors at `to` and for the instructions, which need no alignment.
        // An array of `K` vectors has the bytes of the structure of `K` that the arm for `K` takes.
        unsafe {
            match (W, K) {
                (1, 2) => vst2q_u8(to, transmute_copy(&rows)),
                (1, 4) => vst4q_u8(to, transmute_copy(&rows)),
                (2, 2) => vst2q_u16(to.cast(), transmute_copy(&rows)),
                (2, 4) => vst4q_u16(to.cast(), transmute_copy(&rows)),
                (4, 2) => vst2q_u32(to.cast(), transmute_copy(&rows)),
                (4, 4) => vst4q_u32(to.cast(), transmute_copy(&rows)),
                (8, 2) => vst2q_u64(to.cast(), transmute_copy(&rows)),
                (1, 8) => {
                    let mut near = [rows[0]; 4];
                    let mut far = near;
                    let mut i = 0;
                    while i < 4 {
                        (near[i], far[i]) = rows[i].zip::<1>(rows[i + 4]);
                        i += 1;
                    }
                    Self::store_zipped::<1, 4>(near, to);
                    Self::store_zipped::<1, 4>(far, to.add(4 * Self::BYTES));
                }
                _ => unreachable!(),
            }
        }
    }

    #[inline(always)]
    unsafe fn load_unzipped<const W: usize, const K: usize>(from: *const u8) -> [Self; K] {
        // SAFETY: the caller vouches for `K` vectors at `from` and for the instructions, which need no
        // alignment. An array of `K` vectors has the bytes of the structure of `K` that the arm for `K` gives.
        unsafe {
            match (W, K) {
                (1, 2) => transmute_copy(&vld2q_u8(from)),
                (1, 4) => transmute_copy(&vld4q_u8(from)),
                (2, 2) => transmute_copy(&vld2q_u16(from.cast())),
                (2, 4) => transmute_copy(&vld4q_u16(from.cast())),
                (4, 2) => transmute_copy(&vld2q_u32(from.cast())),
                (4, 4) => transmute_copy(&vld4q_u32(from.cast())),
                (8, 2) => transmute_copy(&vld2q_u64(from.cast())),
                (1, 8) => {
                    let near = Self::load_unzipped::<1, 4>(from);
                    let far = Self::load_unzipped::<1, 4>(from.add(4 * Self::BYTES));
                    let mut rows = [near[0]; K];
                    let mut i = 0;
                    while i < 4 {
                        (rows[i], rows[i + 4]) = near[i].unzip::<1>(far[i]);
                        i += 1;
                    }
                    rows
                }
                _ => unreachable!(),
            }
        }
    }
}

impl Square for uint8x16_t {}

/// The instruction sets that have kernels.
pub(super) const SETS: [InstructionSet; 1] = [InstructionSet::Neon];

/// The kernel of an instruction set for a plan, elements of `w` bytes moved as one.
#[inline]
pub(super) const fn kernel(
    set: InstructionSet,
    block: &KernelBlock,
    w: usize,
    streams: bool,
) -> Option<Function> {
    match set {
        InstructionSet::Neon => neon(block, w, streams),
        _ => None,
    }
}

kernels! { neon "neon" uint8x16_t;
    uint8x16_t 1 16, uint8x16_t 2 8, uint8x16_t 4 4, uint8x16_t 8 2, uint8x16_t 16 1,
}
