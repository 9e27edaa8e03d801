//! x86-64: vectors of 16, 32 and 64 bytes.

use core::arch::x86_64::*;
pub(in super::super) use core::arch::x86_64::{__m128i, __m256i, __m512i};
use core::mem::transmute;

use crate::kernel::raw::vector::Vector;

/// Whether stores can go around the cache.
pub(in super::super) const STREAMS: bool = true;

/// Stores around the cache are seen by others after this only.
#[inline(always)]
pub(in super::super) fn fence() {
    // SAFETY: a program is compiled for SSE2, or every processor that runs `std` has it. Miri has not, and no vectors.
    unsafe {
        if !cfg!(miri) {
            _mm_sfence()
        }
    }
}

/// Asks for the memory at an address, which may be any, into the second cache.
#[inline(always)]
pub(in super::super) fn prefetch(from: *const u8) {
    // SAFETY: as above; a prefetch of any address is harmless.
    unsafe { _mm_prefetch::<_MM_HINT_T1>(from.cast()) }
}

/// The smallest vector, for what is less than one of a kernel's.
pub(in super::super) use core::arch::x86_64::__m128i as Smallest;

/// The instruction sets, the smaller first, each with the instructions for which its kernels are compiled, its vector and the
/// family of its kernels: all of them, none, or those few that a smaller set has and this one makes faster. Then what exchanges
/// bits with it, for which all smaller vectors are needed: the size of that vector and the instructions for that, with a
/// condition where a processor can have the set without them: then that of the set before is used.
///
/// Most kernels are those of one set. AVX-512 gains nothing with most (0.98 of the time in the median of 128 copies on a
/// Zen 5), but makes exchanges of bits 1.3 to 1.9 times as fast, and transposes 1.1 to 1.5 times (Zen 4; in the caches of a Zen 5 1.0 to 1.8,
/// around them as fast).
#[cfg(any(feature = "std", target_feature = "avx2"))]
macro_rules! sets {
    ($then:ident) => {
        $then! {
            Sse2 "sse2" __m128i none, Sixteen "sse2";
            Avx2 "avx2" __m256i all, ThirtyTwo "avx2";
            Avx512 "avx512f,avx512bw,avx512vl" __m512i transposes,
                SixtyFour "avx512f,avx512bw,avx512vl,avx512vbmi" if machine::permutes();
        }
    };
}
/// Where nothing else is known of the processor.
#[cfg(not(any(feature = "std", target_feature = "avx2")))]
macro_rules! sets {
    ($then:ident) => {
        $then! { Sse2 "sse2" __m128i all, Sixteen "sse2"; }
    };
}
pub(in crate::kernel) use sets;

/// Whether bytes are permuted anywhere in a vector of 64 bytes: by all but the first processors with AVX-512.
#[cfg(any(feature = "std", target_feature = "avx2"))]
pub(in super::super) fn permutes() -> bool {
    #[cfg(feature = "std")]
    return std::arch::is_x86_feature_detected!("avx512vbmi");
    #[cfg(not(feature = "std"))]
    cfg!(target_feature = "avx512vbmi")
}

/// The even ones and the odd ones of four lanes, or of four elements in a lane, of two vectors.
const EVEN: i32 = 0b10_00_10_00;
const ODD: i32 = 0b11_01_11_01;

impl Vector for __m128i {
    const BYTES: usize = 16;
    // SAFETY: a vector is its bytes.
    const ZERO: Self = unsafe { transmute([0u8; 16]) };

    functions! {
        fn load(from: *const u8) -> Self { _mm_loadu_si128(from.cast()) }
        fn store(self, to: *mut u8) { _mm_storeu_si128(to.cast(), self) }
        fn stream(self, to: *mut u8) { _mm_stream_si128(to.cast(), self) }
        fn up(self, shift: u32) -> Self { _mm_sll_epi64(self, _mm_cvtsi64_si128(shift.into())) }
        fn down(self, shift: u32) -> Self { _mm_srl_epi64(self, _mm_cvtsi64_si128(shift.into())) }
        fn minus(self, other: Self) -> Self { _mm_sub_epi64(self, other) }
        fn select(self, mask: u64, other: Self) -> Self {
            let mask = _mm_set1_epi64x(mask as i64);
            _mm_or_si128(_mm_and_si128(mask, self), _mm_andnot_si128(mask, other))
        }

        fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            match W {
                1 => (_mm_unpacklo_epi8(self, other), _mm_unpackhi_epi8(self, other)),
                2 => (_mm_unpacklo_epi16(self, other), _mm_unpackhi_epi16(self, other)),
                4 => (_mm_unpacklo_epi32(self, other), _mm_unpackhi_epi32(self, other)),
                _ => (_mm_unpacklo_epi64(self, other), _mm_unpackhi_epi64(self, other)),
            }
        }

        fn unzip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            let (a, b) = (self, other);
            match W {
                1 => {
                    let low = _mm_set1_epi16(0xff);
                    let even = _mm_packus_epi16(_mm_and_si128(a, low), _mm_and_si128(b, low));
                    (even, _mm_packus_epi16(_mm_srli_epi16::<8>(a), _mm_srli_epi16::<8>(b)))
                }
                // The pack of SSE2 is a signed one, which is exact for what is extended with a sign.
                2 => {
                    let (c, d) = (_mm_slli_epi32::<16>(a), _mm_slli_epi32::<16>(b));
                    let even = _mm_packs_epi32(_mm_srai_epi32::<16>(c), _mm_srai_epi32::<16>(d));
                    (even, _mm_packs_epi32(_mm_srai_epi32::<16>(a), _mm_srai_epi32::<16>(b)))
                }
                4 => {
                    let (a, b) = (_mm_castsi128_ps(a), _mm_castsi128_ps(b));
                    let even = _mm_castps_si128(_mm_shuffle_ps::<EVEN>(a, b));
                    (even, _mm_castps_si128(_mm_shuffle_ps::<ODD>(a, b)))
                }
                _ => a.zip_lanes::<8>(b),
            }
        }
    }
}

impl Vector for __m256i {
    const BYTES: usize = 32;
    // SAFETY: a vector is its bytes.
    const ZERO: Self = unsafe { transmute([0u8; 32]) };
    const SHUFFLES: bool = true;

    functions! {
        fn load(from: *const u8) -> Self { _mm256_loadu_si256(from.cast()) }
        fn store(self, to: *mut u8) { _mm256_storeu_si256(to.cast(), self) }
        fn stream(self, to: *mut u8) { _mm256_stream_si256(to.cast(), self) }
        /// By a count of its own for each word, which takes one operation; by the same count it takes two.
        fn up(self, shift: u32) -> Self { _mm256_sllv_epi64(self, _mm256_set1_epi64x(shift.into())) }
        fn down(self, shift: u32) -> Self { _mm256_srlv_epi64(self, _mm256_set1_epi64x(shift.into())) }
        fn minus(self, other: Self) -> Self { _mm256_sub_epi64(self, other) }
        fn select(self, mask: u64, other: Self) -> Self {
            let mask = _mm256_set1_epi64x(mask as i64);
            _mm256_or_si256(_mm256_and_si256(mask, self), _mm256_andnot_si256(mask, other))
        }

        fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            match W {
                1 => (_mm256_unpacklo_epi8(self, other), _mm256_unpackhi_epi8(self, other)),
                2 => (_mm256_unpacklo_epi16(self, other), _mm256_unpackhi_epi16(self, other)),
                4 => (_mm256_unpacklo_epi32(self, other), _mm256_unpackhi_epi32(self, other)),
                _ => (_mm256_unpacklo_epi64(self, other), _mm256_unpackhi_epi64(self, other)),
            }
        }

        fn unzip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            let (a, b) = (self, other);
            match W {
                1 => {
                    let low = _mm256_set1_epi16(0xff);
                    let even = _mm256_packus_epi16(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
                    (even, _mm256_packus_epi16(_mm256_srli_epi16::<8>(a), _mm256_srli_epi16::<8>(b)))
                }
                2 => {
                    let low = _mm256_set1_epi32(0xffff);
                    let even = _mm256_packus_epi32(_mm256_and_si256(a, low), _mm256_and_si256(b, low));
                    (even, _mm256_packus_epi32(_mm256_srli_epi32::<16>(a), _mm256_srli_epi32::<16>(b)))
                }
                4 => {
                    let (a, b) = (_mm256_castsi256_ps(a), _mm256_castsi256_ps(b));
                    let even = _mm256_castps_si256(_mm256_shuffle_ps::<EVEN>(a, b));
                    (even, _mm256_castps_si256(_mm256_shuffle_ps::<ODD>(a, b)))
                }
                _ => a.zip_lanes::<8>(b),
            }
        }

        fn load_lanes(first: *const u8, last: *const u8) -> Self { _mm256_loadu2_m128i(last.cast(), first.cast()) }

        fn store_lane<const NUMBER: usize>(self, to: *mut u8) {
            match NUMBER {
                0 => _mm256_castsi256_si128(self).store(to),
                _ => _mm256_extracti128_si256::<1>(self).store(to),
            }
        }

        fn turn([a, b, c, d]: [Self; 4]) -> [Self; 4] {
            let (a, b) = a.cross::<2>(b);
            [a, b, c, d]
        }

        fn cross<const WORDS: usize>(self, other: Self) -> (Self, Self) {
            match WORDS {
                1 => self.zip_lanes::<8>(other),
                _ => (
                    _mm256_permute2x128_si256::<0x20>(self, other),
                    _mm256_permute2x128_si256::<0x31>(self, other),
                ),
            }
        }

        fn bytes(self, table: &[u8; 16]) -> Self {
            _mm256_shuffle_epi8(self, _mm256_broadcastsi128_si256(_mm_loadu_si128(table.as_ptr().cast())))
        }

        fn fours(self, table: &[u8; 16]) -> Self {
            _mm256_permutevar8x32_epi32(self, _mm256_cvtepu8_epi32(_mm_loadu_si128(table.as_ptr().cast())))
        }
    }
}

impl Vector for __m512i {
    const BYTES: usize = 64;
    // SAFETY: a vector is its bytes.
    const ZERO: Self = unsafe { transmute([0u8; 64]) };

    functions! {
        fn load(from: *const u8) -> Self { _mm512_loadu_si512(from.cast()) }
        fn store(self, to: *mut u8) { _mm512_storeu_si512(to.cast(), self) }
        fn up(self, shift: u32) -> Self { _mm512_sllv_epi64(self, _mm512_set1_epi64(shift.into())) }
        fn down(self, shift: u32) -> Self { _mm512_srlv_epi64(self, _mm512_set1_epi64(shift.into())) }
        fn minus(self, other: Self) -> Self { _mm512_sub_epi64(self, other) }
        fn select(self, mask: u64, other: Self) -> Self {
            _mm512_ternarylogic_epi64::<0xca>(_mm512_set1_epi64(mask as i64), self, other)
        }

        fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            match W {
                1 => (_mm512_unpacklo_epi8(self, other), _mm512_unpackhi_epi8(self, other)),
                2 => (_mm512_unpacklo_epi16(self, other), _mm512_unpackhi_epi16(self, other)),
                4 => (_mm512_unpacklo_epi32(self, other), _mm512_unpackhi_epi32(self, other)),
                _ => (_mm512_unpacklo_epi64(self, other), _mm512_unpackhi_epi64(self, other)),
            }
        }

        fn turn([a, b, c, d]: [Self; 4]) -> [Self; 4] {
            let (x, y) = (_mm512_shuffle_i32x4::<EVEN>(a, b), _mm512_shuffle_i32x4::<EVEN>(c, d));
            let (z, w) = (_mm512_shuffle_i32x4::<ODD>(a, b), _mm512_shuffle_i32x4::<ODD>(c, d));
            let [first, second] = [_mm512_shuffle_i32x4::<EVEN>(x, y), _mm512_shuffle_i32x4::<EVEN>(z, w)];
            [first, second, _mm512_shuffle_i32x4::<ODD>(x, y), _mm512_shuffle_i32x4::<ODD>(z, w)]
        }

        fn cross<const WORDS: usize>(self, other: Self) -> (Self, Self) {
            match WORDS {
                1 => self.zip_lanes::<8>(other),
                2 => (
                    _mm512_permutex2var_epi64(self, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), other),
                    _mm512_permutex2var_epi64(self, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), other),
                ),
                _ => (
                    _mm512_shuffle_i64x2::<0b01_00_01_00>(self, other),
                    _mm512_shuffle_i64x2::<0b11_10_11_10>(self, other),
                ),
            }
        }

        fn permute(self, table: &[u8; 64]) -> Self {
            _mm512_permutexvar_epi8(_mm512_loadu_si512(table.as_ptr().cast()), self)
        }
    }
}
