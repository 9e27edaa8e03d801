//! x86-64: vectors of 16, 32 and 64 bytes.

use core::arch::x86_64::*;

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

/// Whether stores can go around the cache.
pub(super) const STREAMS: bool = true;

/// The vector of the smallest set.
pub(super) type Smallest = __m128i;

/// Stores around the cache are seen by others after this only.
///
/// # Safety
/// The processor has SSE2.
#[inline(always)]
pub(super) unsafe fn fence() {
    // SAFETY: the caller vouches for the instruction.
    unsafe { _mm_sfence() }
}

/// Asks for the memory at an address, which may be any.
///
/// # Safety
/// The processor has SSE2.
#[inline(always)]
pub(super) unsafe fn prefetch(from: *const u8) {
    // SAFETY: the caller vouches for the instruction; a prefetch of any address is harmless.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(from.cast()) }
}

impl Vector for __m128i {
    const BYTES: usize = 16;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller vouches for the bytes at `from` and for the instructions; the load needs no alignment.
        unsafe { _mm_loadu_si128(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the bytes at `to` and for the instructions; the store needs no alignment.
        unsafe { _mm_storeu_si128(to.cast(), self) }
    }

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller vouches for the bytes at `to`, for their alignment and for the instructions.
        unsafe { _mm_stream_si128(to.cast(), self) }
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            match W {
                1 => (_mm_unpacklo_epi8(self, other), _mm_unpackhi_epi8(self, other)),
                2 => (_mm_unpacklo_epi16(self, other), _mm_unpackhi_epi16(self, other)),
                4 => (_mm_unpacklo_epi32(self, other), _mm_unpackhi_epi32(self, other)),
                8 => (_mm_unpacklo_epi64(self, other), _mm_unpackhi_epi64(self, other)),
                _ => unreachable!(),
            }
        }
    }

    #[inline(always)]
    unsafe fn unzip<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            match W {
                1 => {
                    let low = _mm_set1_epi16(0xff);
                    (
                        _mm_packus_epi16(_mm_and_si128(self, low), _mm_and_si128(other, low)),
                        _mm_packus_epi16(_mm_srli_epi16::<8>(self), _mm_srli_epi16::<8>(other)),
                    )
                }
                // The pack of SSE2 is a signed one, which is exact for what is extended with a sign.
                2 => {
                    let (a, b) = (_mm_slli_epi32::<16>(self), _mm_slli_epi32::<16>(other));
                    (
                        _mm_packs_epi32(_mm_srai_epi32::<16>(a), _mm_srai_epi32::<16>(b)),
                        _mm_packs_epi32(_mm_srai_epi32::<16>(self), _mm_srai_epi32::<16>(other)),
                    )
                }
                4 => {
                    let (a, b) = (_mm_castsi128_ps(self), _mm_castsi128_ps(other));
                    (
                        _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(a, b)),
                        _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b)),
                    )
                }
                8 => (_mm_unpacklo_epi64(self, other), _mm_unpackhi_epi64(self, other)),
                _ => unreachable!(),
            }
        }
    }
}

impl Vector for __m256i {
    const BYTES: usize = 32;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller vouches for the bytes at `from` and for the instructions; the load needs no alignment.
        unsafe { _mm256_loadu_si256(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the bytes at `to` and for the instructions; the store needs no alignment.
        unsafe { _mm256_storeu_si256(to.cast(), self) }
    }

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller vouches for the bytes at `to`, for their alignment and for the instructions.
        unsafe { _mm256_stream_si256(to.cast(), self) }
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            let (low, high) = self.zip_lanes::<W>(other);
            (
                _mm256_permute2x128_si256::<0x20>(low, high),
                _mm256_permute2x128_si256::<0x31>(low, high),
            )
        }
    }

    #[inline(always)]
    unsafe fn unzip<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            let (even, odd) = match W {
                1 => {
                    let low = _mm256_set1_epi16(0xff);
                    let (a, b) = (_mm256_and_si256(self, low), _mm256_and_si256(other, low));
                    let (c, d) = (_mm256_srli_epi16::<8>(self), _mm256_srli_epi16::<8>(other));
                    (_mm256_packus_epi16(a, b), _mm256_packus_epi16(c, d))
                }
                2 => {
                    let low = _mm256_set1_epi32(0xffff);
                    let (a, b) = (_mm256_and_si256(self, low), _mm256_and_si256(other, low));
                    let (c, d) = (_mm256_srli_epi32::<16>(self), _mm256_srli_epi32::<16>(other));
                    (_mm256_packus_epi32(a, b), _mm256_packus_epi32(c, d))
                }
                4 => {
                    let (a, b) = (_mm256_castsi256_ps(self), _mm256_castsi256_ps(other));
                    (
                        _mm256_castps_si256(_mm256_shuffle_ps::<0b10_00_10_00>(a, b)),
                        _mm256_castps_si256(_mm256_shuffle_ps::<0b11_01_11_01>(a, b)),
                    )
                }
                8 => (_mm256_unpacklo_epi64(self, other), _mm256_unpackhi_epi64(self, other)),
                _ => unreachable!(),
            };
            // The halves of the two vectors are in turns.
            (
                _mm256_permute4x64_epi64::<0b11_01_10_00>(even),
                _mm256_permute4x64_epi64::<0b11_01_10_00>(odd),
            )
        }
    }
}

impl Vector for __m512i {
    const BYTES: usize = 64;

    #[inline(always)]
    unsafe fn load(from: *const u8) -> Self {
        // SAFETY: the caller vouches for the bytes at `from` and for the instructions; the load needs no alignment.
        unsafe { _mm512_loadu_si512(from.cast()) }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u8) {
        // SAFETY: the caller vouches for the bytes at `to` and for the instructions; the store needs no alignment.
        unsafe { _mm512_storeu_si512(to.cast(), self) }
    }

    #[inline(always)]
    unsafe fn stream(self, to: *mut u8) {
        // SAFETY: the caller vouches for the bytes at `to`, for their alignment and for the instructions.
        unsafe { _mm512_stream_si512(to.cast(), self) }
    }

    const HAS_PARTS: bool = true;

    #[inline(always)]
    unsafe fn with_part(self, from: *const u8, first: usize, count: usize) -> Self {
        let mask = if count == 64 { !0 } else { ((1 << count) - 1) << first };
        // SAFETY: the caller vouches for the bytes that the mask has, and for the instructions. No others are read.
        unsafe { _mm512_mask_loadu_epi8(self, mask, from.cast()) }
    }

    #[inline(always)]
    unsafe fn zip<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            let (low, high) = self.zip_lanes::<W>(other);
            let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
            let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
            (
                _mm512_permutex2var_epi64(low, first, high),
                _mm512_permutex2var_epi64(low, second, high),
            )
        }
    }

    #[inline(always)]
    unsafe fn unzip<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            let (even, odd) = match W {
                1 => {
                    let low = _mm512_set1_epi16(0xff);
                    let (a, b) = (_mm512_and_si512(self, low), _mm512_and_si512(other, low));
                    let (c, d) = (_mm512_srli_epi16::<8>(self), _mm512_srli_epi16::<8>(other));
                    (_mm512_packus_epi16(a, b), _mm512_packus_epi16(c, d))
                }
                2 => {
                    let low = _mm512_set1_epi32(0xffff);
                    let (a, b) = (_mm512_and_si512(self, low), _mm512_and_si512(other, low));
                    let (c, d) = (_mm512_srli_epi32::<16>(self), _mm512_srli_epi32::<16>(other));
                    (_mm512_packus_epi32(a, b), _mm512_packus_epi32(c, d))
                }
                4 => {
                    let (a, b) = (_mm512_castsi512_ps(self), _mm512_castsi512_ps(other));
                    (
                        _mm512_castps_si512(_mm512_shuffle_ps::<0b10_00_10_00>(a, b)),
                        _mm512_castps_si512(_mm512_shuffle_ps::<0b11_01_11_01>(a, b)),
                    )
                }
                8 => (_mm512_unpacklo_epi64(self, other), _mm512_unpackhi_epi64(self, other)),
                _ => unreachable!(),
            };
            // The quarters of the two vectors are in turns.
            let order = _mm512_setr_epi64(0, 2, 4, 6, 1, 3, 5, 7);
            (_mm512_permutexvar_epi64(order, even), _mm512_permutexvar_epi64(order, odd))
        }
    }
}

impl Square for __m128i {}
impl Square for __m256i {
    #[inline(always)]
    unsafe fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            match W {
                1 => (_mm256_unpacklo_epi8(self, other), _mm256_unpackhi_epi8(self, other)),
                2 => (_mm256_unpacklo_epi16(self, other), _mm256_unpackhi_epi16(self, other)),
                4 => (_mm256_unpacklo_epi32(self, other), _mm256_unpackhi_epi32(self, other)),
                8 => (_mm256_unpacklo_epi64(self, other), _mm256_unpackhi_epi64(self, other)),
                _ => unreachable!(),
            }
        }
    }

    #[inline(always)]
    unsafe fn turn([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            [_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b), c, d]
        }
    }
}

impl Square for __m512i {
    #[inline(always)]
    unsafe fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            match W {
                1 => (_mm512_unpacklo_epi8(self, other), _mm512_unpackhi_epi8(self, other)),
                2 => (_mm512_unpacklo_epi16(self, other), _mm512_unpackhi_epi16(self, other)),
                4 => (_mm512_unpacklo_epi32(self, other), _mm512_unpackhi_epi32(self, other)),
                8 => (_mm512_unpacklo_epi64(self, other), _mm512_unpackhi_epi64(self, other)),
                _ => unreachable!(),
            }
        }
    }

    #[inline(always)]
    unsafe fn turn([a, b, c, d]: [Self; 4]) -> [Self; 4] {
        // The lanes of two vectors at even places, and those at odd places.
        const EVEN: i32 = 0b10_00_10_00;
        const ODD: i32 = 0b11_01_11_01;
        // SAFETY: the caller vouches for the instructions, which touch registers only.
        unsafe {
            let (x, y) = (_mm512_shuffle_i32x4::<EVEN>(a, b), _mm512_shuffle_i32x4::<EVEN>(c, d));
            let (z, w) = (_mm512_shuffle_i32x4::<ODD>(a, b), _mm512_shuffle_i32x4::<ODD>(c, d));
            [
                _mm512_shuffle_i32x4::<EVEN>(x, y),
                _mm512_shuffle_i32x4::<EVEN>(z, w),
                _mm512_shuffle_i32x4::<ODD>(x, y),
                _mm512_shuffle_i32x4::<ODD>(z, w),
            ]
        }
    }
}

/// The instruction sets that have kernels.
pub(super) const SETS: [InstructionSet; 3] =
    [InstructionSet::Sse2, InstructionSet::Avx2, InstructionSet::Avx512];

/// The kernel of an instruction set for a plan, elements of `w` bytes moved as one.
#[inline]
pub(super) const fn kernel(
    set: InstructionSet,
    block: &KernelBlock,
    w: usize,
    streams: bool,
) -> Option<Function> {
    match set {
        InstructionSet::Sse2 => sse2(block, w, streams),
        InstructionSet::Avx2 => avx2(block, w, streams),
        InstructionSet::Avx512 => avx512(block, w, streams),
        _ => None,
    }
}

kernels! { sse2 "sse2" __m128i;
    __m128i 1 16, __m128i 2 8, __m128i 4 4, __m128i 8 2, __m128i 16 1,
}
kernels! { avx2 "avx2" __m256i;
    __m256i 1 16, __m256i 2 8, __m256i 4 4, __m256i 8 2, __m256i 16 1,
}
kernels! { avx512 "avx512f,avx512bw,avx512vl" __m512i;
    __m512i 1 16, __m512i 2 8, __m512i 4 4, __m512i 8 2, __m512i 16 1,
}
