//! x86-64: vectors of 16, 32 and 64 bytes.

use core::arch::x86_64::*;

use super::lanes::Lanes;
use super::{Pass, Vectors};
use crate::relayout::kernel::settings::InstructionSet;

/// The largest vectors of an instruction set that the processor has. Those of 64 bytes need AVX-512 VBMI too, which permutes
/// bytes anywhere in a vector; all but the first processors with AVX-512 have it.
pub(super) fn vectors(set: InstructionSet) -> Vectors {
    #[cfg(feature = "std")]
    let permutes = std::arch::is_x86_feature_detected!("avx512vbmi");
    #[cfg(not(feature = "std"))]
    let permutes = cfg!(target_feature = "avx512vbmi");
    match set {
        InstructionSet::Avx512 if permutes => Vectors::SixtyFour,
        InstructionSet::Avx512 | InstructionSet::Avx2 => Vectors::ThirtyTwo,
        InstructionSet::Sse2 => Vectors::Sixteen,
        _ => Vectors::Eight,
    }
}

/// Passes, compiled for an instruction set. Generic, so that they are compiled once for a program that names them, and not for
/// the library.
macro_rules! compiled {
    ($($name:ident $features:literal $vector:ident $registers:literal)*) => {
        $(
            /// # Safety
            /// Those of `blocks`.
            #[target_feature(enable = $features)]
            pub(super) unsafe fn $name<const ONCE: bool>(
                pass: &Pass<'_>,
                src: *const u8,
                dst: *mut u8,
                shifts: bool,
                streams: bool,
            ) {
                // SAFETY: the caller vouches for the vectors, and this is compiled for the instructions.
                unsafe { pass.blocks::<$vector, $registers>(src, dst, shifts, streams) }
            }
        )*
    };
}
compiled! {
    sse2 "sse2" __m128i 8
    avx2 "avx2" __m256i 8
    avx512 "avx512f,avx512bw,avx512vl,avx512vbmi" __m512i 8
    avx512_many "avx512f,avx512bw,avx512vl,avx512vbmi" __m512i 16
}

/// The operations that are named alike.
macro_rules! lanes {
    ($vector:ident $bytes:literal $load:ident $store:ident $stream:ident $minus:ident;
        |$v:ident, $shift:ident| $up:expr, $down:expr;
        |$mask:ident, $a:ident, $b:ident| $select:expr;
        $($words:literal => $cross:expr,)+
        zip $($zip:literal $low:ident $high:ident)+
        $(, unzip $($unzip:literal => $unzipped:expr,)+)?
        $(; |$table:ident| $shuffle_bytes:expr, $fours:expr)?
        $(;; |$all:ident| $permute:expr)?) => {
        impl Lanes for $vector {
            // SAFETY: a vector is its bytes.
            const ZERO: Self = unsafe { core::mem::transmute([0u8; $bytes]) };

            #[inline(always)]
            unsafe fn load(from: *const u8) -> Self {
                // SAFETY: the caller vouches for the bytes and the instructions; the load needs no alignment.
                unsafe { $load(from.cast()) }
            }

            #[inline(always)]
            unsafe fn store(self, to: *mut u8) {
                // SAFETY: the caller vouches for the bytes and the instructions; the store needs no alignment.
                unsafe { $store(to.cast(), self) }
            }

            #[inline(always)]
            unsafe fn stream(self, to: *mut u8) {
                // SAFETY: the caller vouches for the bytes, their alignment and the instructions.
                unsafe { $stream(to.cast(), self) }
            }

            #[inline(always)]
            unsafe fn prefetch(from: *const u8) {
                // SAFETY: the caller vouches for the instructions; a prefetch of any address is harmless.
                unsafe { _mm_prefetch::<_MM_HINT_T1>(from.cast()) }
            }

            #[inline(always)]
            unsafe fn up(self, shift: u32) -> Self {
                let ($v, $shift) = (self, i64::from(shift));
                // SAFETY: the caller vouches for the instructions, which touch registers only.
                unsafe { $up }
            }

            #[inline(always)]
            unsafe fn down(self, shift: u32) -> Self {
                let ($v, $shift) = (self, i64::from(shift));
                // SAFETY: as above.
                unsafe { $down }
            }

            #[inline(always)]
            unsafe fn minus(self, other: Self) -> Self {
                // SAFETY: as above.
                unsafe { $minus(self, other) }
            }

            #[inline(always)]
            unsafe fn select(self, mask: u64, other: Self) -> Self {
                let ($mask, $a, $b) = (mask as i64, self, other);
                // SAFETY: as above.
                unsafe { $select }
            }

            #[inline(always)]
            unsafe fn cross<const WORDS: usize>(self, other: Self) -> (Self, Self) {
                let ($a, $b) = (self, other);
                // SAFETY: as above.
                unsafe {
                    match WORDS {
                        $($words => $cross,)+
                        _ => (self, other),
                    }
                }
            }

            #[inline(always)]
            unsafe fn zip<const BYTES: usize>(self, other: Self) -> (Self, Self) {
                // SAFETY: as above.
                unsafe {
                    match BYTES {
                        $($zip => ($low(self, other), $high(self, other)),)+
                        _ => (self, other),
                    }
                }
            }

            $(
                #[inline(always)]
                unsafe fn unzip<const BYTES: usize>(self, other: Self) -> (Self, Self) {
                    let ($a, $b) = (self, other);
                    // SAFETY: as above.
                    unsafe {
                        match BYTES {
                            $($unzip => $unzipped,)+
                            _ => (self, other),
                        }
                    }
                }
            )?

            $(
                #[inline(always)]
                unsafe fn bytes(self, $table: &[u8; 16]) -> Self {
                    let $a = self;
                    // SAFETY: as above; the table has the bytes of a vector.
                    unsafe {
                        let $table = _mm_loadu_si128($table.as_ptr().cast());
                        $shuffle_bytes
                    }
                }

                #[inline(always)]
                unsafe fn fours(self, $table: &[u8; 16]) -> Self {
                    let $a = self;
                    // SAFETY: as above.
                    unsafe {
                        let $table = _mm_loadu_si128($table.as_ptr().cast());
                        $fours
                    }
                }
            )?

            $(
                #[inline(always)]
                unsafe fn permute(self, $all: &[u8; 64]) -> Self {
                    let $a = self;
                    // SAFETY: as above; the table has the bytes of a vector.
                    unsafe { $permute }
                }
            )?
        }
    };
}

lanes! { __m128i 16 _mm_loadu_si128 _mm_storeu_si128 _mm_stream_si128 _mm_sub_epi64;
    |v, shift| _mm_sll_epi64(v, _mm_cvtsi64_si128(shift)), _mm_srl_epi64(v, _mm_cvtsi64_si128(shift));
    |mask, a, b| {
        let mask = _mm_set1_epi64x(mask);
        _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b))
    };
    1 => (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b)),
    zip 1 _mm_unpacklo_epi8 _mm_unpackhi_epi8
        2 _mm_unpacklo_epi16 _mm_unpackhi_epi16
        4 _mm_unpacklo_epi32 _mm_unpackhi_epi32,
    unzip
    1 => {
        let low = _mm_set1_epi16(0xff);
        (
            _mm_packus_epi16(_mm_and_si128(a, low), _mm_and_si128(b, low)),
            _mm_packus_epi16(_mm_srli_epi16::<8>(a), _mm_srli_epi16::<8>(b)),
        )
    },
    // The pack of SSE2 is a signed one, which is exact for what is extended with a sign.
    2 => {
        let (c, d) = (_mm_slli_epi32::<16>(a), _mm_slli_epi32::<16>(b));
        (
            _mm_packs_epi32(_mm_srai_epi32::<16>(c), _mm_srai_epi32::<16>(d)),
            _mm_packs_epi32(_mm_srai_epi32::<16>(a), _mm_srai_epi32::<16>(b)),
        )
    },
    4 => {
        let (a, b) = (_mm_castsi128_ps(a), _mm_castsi128_ps(b));
        (
            _mm_castps_si128(_mm_shuffle_ps::<0b10_00_10_00>(a, b)),
            _mm_castps_si128(_mm_shuffle_ps::<0b11_01_11_01>(a, b)),
        )
    },
}
// A shift by a count of its own for each word takes one operation, one by the same count takes two.
lanes! { __m256i 32 _mm256_loadu_si256 _mm256_storeu_si256 _mm256_stream_si256 _mm256_sub_epi64;
    |v, shift| _mm256_sllv_epi64(v, _mm256_set1_epi64x(shift)), _mm256_srlv_epi64(v, _mm256_set1_epi64x(shift));
    |mask, a, b| {
        let mask = _mm256_set1_epi64x(mask);
        _mm256_or_si256(_mm256_and_si256(mask, a), _mm256_andnot_si256(mask, b))
    };
    1 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
    2 => (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)),
    zip 1 _mm256_unpacklo_epi8 _mm256_unpackhi_epi8
        2 _mm256_unpacklo_epi16 _mm256_unpackhi_epi16
        4 _mm256_unpacklo_epi32 _mm256_unpackhi_epi32
    ; |table| _mm256_shuffle_epi8(a, _mm256_broadcastsi128_si256(table)),
        _mm256_permutevar8x32_epi32(a, _mm256_cvtepu8_epi32(table))
}
lanes! { __m512i 64 _mm512_loadu_si512 _mm512_storeu_si512 _mm512_stream_si512 _mm512_sub_epi64;
    |v, shift| _mm512_sllv_epi64(v, _mm512_set1_epi64(shift)), _mm512_srlv_epi64(v, _mm512_set1_epi64(shift));
    |mask, a, b| _mm512_ternarylogic_epi64::<0xca>(_mm512_set1_epi64(mask), a, b);
    1 => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
    2 => (
        _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b),
        _mm512_permutex2var_epi64(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b),
    ),
    4 => (
        _mm512_shuffle_i64x2::<0b01_00_01_00>(a, b),
        _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b),
    ),
    zip 1 _mm512_unpacklo_epi8 _mm512_unpackhi_epi8
        2 _mm512_unpacklo_epi16 _mm512_unpackhi_epi16
        4 _mm512_unpacklo_epi32 _mm512_unpackhi_epi32
    ;; |table| _mm512_permutexvar_epi8(_mm512_loadu_si512(table.as_ptr().cast()), a)
}
