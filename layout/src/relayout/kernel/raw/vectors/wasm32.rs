//! WebAssembly: the vectors of 16 bytes of `simd128`.

use core::arch::wasm32::*;

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

/// Whether stores can go around the cache: WebAssembly has no word for it.
pub(super) const STREAMS: bool = false;

/// The vector of the smallest set.
pub(super) type Smallest = v128;

/// Nothing goes around the cache.
///
/// # Safety
/// None.
#[inline(always)]
pub(super) unsafe fn fence() {}

/// Asks for nothing: WebAssembly has no word for it.
///
/// # Safety
/// None.
#[inline(always)]
pub(super) unsafe fn prefetch(_: *const u8) {}

impl Vector for v128 {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller vouches for the bytes at `from`; the load needs no alignment.
        unsafe { v128_load(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the bytes at `to`; the store needs no alignment.
        unsafe { v128_store(to.cast(), self) }
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        let (a, b) = (self, other);
        match W {
            1 => (
                i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
                i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
            ),
            2 => (
                i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
                i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
            ),
            4 => (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)),
            8 => (i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b)),
            _ => unreachable!(),
        }
    }

    #[inline(always)]
    unsafe fn unzip<const W: usize>(self, other: Self) -> (Self, Self) {
        let (a, b) = (self, other);
        match W {
            1 => (
                i8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(a, b),
                i8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(a, b),
            ),
            2 => (
                i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(a, b),
                i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a, b),
            ),
            4 => (i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<1, 3, 5, 7>(a, b)),
            8 => (i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b)),
            _ => unreachable!(),
        }
    }
}

impl Square for v128 {}

/// The instruction sets that have kernels.
pub(super) const SETS: [InstructionSet; 1] = [InstructionSet::Simd128];

/// The kernel of an instruction set for a plan, elements of `w` bytes moved as one.
#[inline]
pub(super) const fn kernel(
    set: InstructionSet,
    block: &KernelBlock,
    w: usize,
    streams: bool,
) -> Option<Function> {
    match set {
        InstructionSet::Simd128 => simd128(block, w, streams),
        _ => None,
    }
}

kernels! { simd128 "simd128" v128;
    v128 1 16, v128 2 8, v128 4 4, v128 8 2, v128 16 1,
}
