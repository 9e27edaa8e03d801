//! Exchanging bits of the places of elements within a block of words, in vectors.

use crate::relayout::kernel::settings::InstructionSet;

/// An exchange of two bits of every place.
///
/// The lower bits of a place say where in its word an element is, the others in which word. What is counted in words
/// is 0 for a bit within words.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Swap {
    /// What the lower bit counts, in words.
    pub low: usize,
    /// What the higher bit counts, in words.
    pub high: usize,
    /// How far elements move within words.
    pub shift: u32,
    /// Where they are, or become, the lower ones.
    pub mask: u64,
}

/// Distances between words that a pass works on at most.
const DISTANCES: usize = 3;

/// Makes exchanges, one after another, in vectors of an instruction set or the best one that the processor has.
///
/// There are a power of two of words, and bits count fewer than these.
pub(in crate::relayout) fn exchange(set: InstructionSet, words: &mut [u64], swaps: &[Swap]) {
    let length = words.len();
    assert!(length.is_power_of_two());
    assert!(swaps.iter().all(|swap| {
        let is_distance = |distance: usize| distance.is_power_of_two() && distance < length;
        [swap.low, swap.high].into_iter().all(|distance| distance == 0 || is_distance(distance))
            && (swap.low < swap.high || swap.high == 0 && swap.low == 0)
            && swap.shift < 64
    }));
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2"), not(miri)))]
    // SAFETY: no set is above what the processor has, and the distances were looked at.
    unsafe {
        match set.min(InstructionSet::best()) {
            InstructionSet::Avx512 => return x86::avx512(words, swaps),
            InstructionSet::Avx2 => return x86::avx2(words, swaps),
            InstructionSet::Sse2 => return x86::sse2(words, swaps),
            _ => {}
        }
    }
    let _ = set;
    // SAFETY: numbers need no instructions, and the distances were looked at.
    unsafe { passes::<u64>(words, swaps) }
}

/// Words side by side.
trait Lanes: Copy {
    /// How many, a power of two.
    const WORDS: usize;

    /// # Safety
    /// `WORDS` words are readable at `from`, and the processor has the vector's instructions.
    unsafe fn load(from: *const u64) -> Self;

    /// # Safety
    /// `WORDS` words are writable at `to`, and the processor has the vector's instructions.
    unsafe fn store(self, to: *mut u64);

    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn up(self, shift: u32) -> Self;

    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn down(self, shift: u32) -> Self;

    /// The bits of this one at a mask, and the other's elsewhere.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn select(self, mask: u64, other: Self) -> Self;

    /// Exchanges which of two vectors a word is in for a bit of its lane, which counts `lane` words.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn cross(self, other: Self, lane: usize) -> (Self, Self);
}

impl Lanes for u64 {
    const WORDS: usize = 1;

    #[inline(always)]
    unsafe fn load(from: *const u64) -> u64 {
        // SAFETY: the caller vouches for the word.
        unsafe { from.read() }
    }

    #[inline(always)]
    unsafe fn store(self, to: *mut u64) {
        // SAFETY: the caller vouches for the word.
        unsafe { to.write(self) }
    }

    #[inline(always)]
    unsafe fn up(self, shift: u32) -> u64 {
        self << shift
    }

    #[inline(always)]
    unsafe fn down(self, shift: u32) -> u64 {
        self >> shift
    }

    #[inline(always)]
    unsafe fn select(self, mask: u64, other: u64) -> u64 {
        self & mask | other & !mask
    }

    #[inline(always)]
    unsafe fn cross(self, other: u64, _: usize) -> (u64, u64) {
        (self, other)
    }
}

/// Whether an exchange is one of whole vectors, of places within words, or of these and lanes with vectors.
#[inline(always)]
fn fits<V: Lanes>(swap: &Swap) -> bool {
    swap.high == 0 || swap.high >= V::WORDS
}

/// Makes all exchanges in passes, each with as many as few vectors allow.
///
/// # Safety
/// As `pass`.
#[inline(always)]
unsafe fn passes<V: Lanes>(words: &mut [u64], mut swaps: &[Swap]) {
    while let Some(first) = swaps.first() {
        let mut distances = [0; DISTANCES];
        let (mut known, mut count) = (0, 0);
        let is_short = !fits::<V>(first) || words.len() < V::WORDS;
        let lanes = if is_short { 1 } else { V::WORDS };
        for swap in swaps {
            let mut now = (distances, known);
            for distance in [swap.low, swap.high] {
                if distance >= lanes && !now.0[..now.1].contains(&distance) {
                    if now.1 == DISTANCES {
                        now.1 += 1;
                        break;
                    }
                    now.0[now.1] = distance;
                    now.1 += 1;
                }
            }
            if now.1 > DISTANCES || is_short && count > 0 || !(is_short || fits::<V>(swap)) {
                break;
            }
            (distances, known) = now;
            count += 1;
        }
        let (now, later) = swaps.split_at(count);
        swaps = later;
        // Eight vectors at a time, even where one is enough: they do not wait for one another.
        let mut distance = lanes;
        while known < DISTANCES && distance < words.len() {
            if !distances.contains(&distance) {
                distances[known] = distance;
                known += 1;
            }
            distance *= 2;
        }
        // SAFETY: the caller vouches for the vector and for the exchanges; these have no other distances, and none
        // below the vector's words.
        unsafe {
            if is_short {
                pass::<u64, 8>(words, &distances, now);
            } else {
                pass::<V, 8>(words, &distances, now);
            }
        }
    }
}

/// Makes exchanges in one pass, `N` vectors at a time.
///
/// # Safety
/// The processor has the vector's instructions. The words are a power of two, not fewer than a vector has. Of the
/// distances, powers of two below the number of words, the first are not below the vector's words, and the others 0;
/// `N` is no more than two to the power of three, nor less than that of those.
#[inline(always)]
unsafe fn pass<V: Lanes, const N: usize>(
    words: &mut [u64],
    distances: &[usize; DISTANCES],
    swaps: &[Swap],
) {
    let [a, b, c] = *distances;
    let all = a | b | c;
    let used = 1 << distances.iter().filter(|distance| **distance > 0).count();
    let length = words.len();
    let start = words.as_mut_ptr();
    let place = |i: usize| (i & 1) * a + (i >> 1 & 1) * b + (i >> 2 & 1) * c;
    let number = |distance: usize| distances.iter().position(|d| *d == distance).unwrap_or(0);
    let mut at = 0;
    while at < length {
        // SAFETY: the bits of `at`, of each of the distances and of a place in a vector are different ones, all of them
        // below the number of words, so that their sum is as well. Vectors from `used` on repeat others, and are not
        // stored.
        unsafe {
            let mut vectors = [V::load(start.add(at)); N];
            let mut i = 1;
            while i < N {
                vectors[i] = V::load(start.add(at + place(i)));
                i += 1;
            }
            for swap in swaps {
                vectors = match (swap.low, swap.high) {
                    (0, 0) => within(vectors, swap),
                    (0, high) => match number(high) {
                        0 => between::<V, N, 1>(vectors, swap),
                        1 => between::<V, N, 2>(vectors, swap),
                        _ => between::<V, N, 4>(vectors, swap),
                    },
                    (low, high) if low < V::WORDS => match number(high) {
                        0 => cross::<V, N, 1>(vectors, low),
                        1 => cross::<V, N, 2>(vectors, low),
                        _ => cross::<V, N, 4>(vectors, low),
                    },
                    (low, high) => match number(low) | number(high) << 2 {
                        0b01_00 | 0b00_01 => moved::<V, N, 1, 2>(vectors),
                        0b10_00 | 0b00_10 => moved::<V, N, 1, 4>(vectors),
                        _ => moved::<V, N, 2, 4>(vectors),
                    },
                };
            }
            let mut i = 0;
            while i < N {
                if i < used {
                    vectors[i].store(start.add(at + place(i)));
                }
                i += 1;
            }
        }
        // The next place that has no bit of the distances.
        at = ((at | all) + V::WORDS) & !all;
    }
}

/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn within<V: Lanes, const N: usize>(mut vectors: [V; N], swap: &Swap) -> [V; N] {
    let Swap { shift, mask, .. } = *swap;
    let mut i = 0;
    while i < N {
        // SAFETY: the caller vouches for the vector's instructions.
        unsafe {
            let vector = vectors[i];
            let moved = vector.down(shift).select(mask, vector);
            vectors[i] = vector.up(shift).select(mask << shift, moved);
        }
        i += 1;
    }
    vectors
}

/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn between<V: Lanes, const N: usize, const J: usize>(
    mut vectors: [V; N],
    swap: &Swap,
) -> [V; N] {
    let Swap { shift, mask, .. } = *swap;
    let mut i = 0;
    while i + J < N {
        if i & J == 0 {
            let (low, high) = (vectors[i], vectors[i + J]);
            // SAFETY: the caller vouches for the vector's instructions.
            unsafe {
                vectors[i] = low.select(mask, high.up(shift));
                vectors[i + J] = low.down(shift).select(mask, high);
            }
        }
        i += 1;
    }
    vectors
}

/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn cross<V: Lanes, const N: usize, const J: usize>(
    mut vectors: [V; N],
    lane: usize,
) -> [V; N] {
    let mut i = 0;
    while i + J < N {
        if i & J == 0 {
            // SAFETY: the caller vouches for the vector's instructions.
            (vectors[i], vectors[i + J]) = unsafe { vectors[i].cross(vectors[i + J], lane) };
        }
        i += 1;
    }
    vectors
}

/// Exchanges whole vectors.
#[inline(always)]
fn moved<V: Lanes, const N: usize, const J: usize, const L: usize>(mut vectors: [V; N]) -> [V; N] {
    let mut i = 0;
    while i + L < N {
        if i & J != 0 && i & L == 0 {
            vectors.swap(i, i + L - J);
        }
        i += 1;
    }
    vectors
}

#[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2"), not(miri)))]
mod x86 {
    use core::arch::x86_64::*;

    use super::{Lanes, Swap, passes};

    /// The passes, compiled for an instruction set.
    macro_rules! compiled {
        ($($name:ident $features:literal $vector:ident)*) => {
            $(
                /// # Safety
                /// Those of `passes`.
                #[target_feature(enable = $features)]
                pub(super) unsafe fn $name(words: &mut [u64], swaps: &[Swap]) {
                    // SAFETY: the caller vouches for the exchanges, and this is compiled for the instructions.
                    unsafe { passes::<$vector>(words, swaps) }
                }
            )*
        };
    }
    compiled! {
        sse2 "sse2" __m128i
        avx2 "avx2" __m256i
        avx512 "avx512f,avx512bw,avx512vl" __m512i
    }

    /// The operations that are named alike.
    macro_rules! lanes {
        ($vector:ident $words:literal $load:ident $store:ident $up:ident $down:ident;
            |$mask:ident, $a:ident, $b:ident| $select:expr;
            |$lane:ident| $cross:expr) => {
            impl Lanes for $vector {
                const WORDS: usize = $words;

                #[inline(always)]
                unsafe fn load(from: *const u64) -> Self {
                    // SAFETY: the caller vouches for the words and the instructions; the load needs no alignment.
                    unsafe { $load(from.cast()) }
                }

                #[inline(always)]
                unsafe fn store(self, to: *mut u64) {
                    // SAFETY: the caller vouches for the words and the instructions; the store needs no alignment.
                    unsafe { $store(to.cast(), self) }
                }

                #[inline(always)]
                unsafe fn up(self, shift: u32) -> Self {
                    // SAFETY: the caller vouches for the instructions, which touch registers only.
                    unsafe { $up(self, _mm_cvtsi32_si128(shift as i32)) }
                }

                #[inline(always)]
                unsafe fn down(self, shift: u32) -> Self {
                    // SAFETY: as above.
                    unsafe { $down(self, _mm_cvtsi32_si128(shift as i32)) }
                }

                #[inline(always)]
                unsafe fn select(self, mask: u64, other: Self) -> Self {
                    let ($mask, $a, $b) = (mask as i64, self, other);
                    // SAFETY: as above. A closure would not be compiled for the instructions.
                    unsafe { $select }
                }

                #[inline(always)]
                unsafe fn cross(self, other: Self, $lane: usize) -> (Self, Self) {
                    let ($a, $b) = (self, other);
                    // SAFETY: as above.
                    unsafe { $cross }
                }
            }
        };
    }

    lanes! { __m128i 2 _mm_loadu_si128 _mm_storeu_si128 _mm_sll_epi64 _mm_srl_epi64;
        |mask, a, b| {
            let mask = _mm_set1_epi64x(mask);
            _mm_or_si128(_mm_and_si128(mask, a), _mm_andnot_si128(mask, b))
        };
        |_lane| (_mm_unpacklo_epi64(a, b), _mm_unpackhi_epi64(a, b))
    }
    lanes! { __m256i 4 _mm256_loadu_si256 _mm256_storeu_si256 _mm256_sll_epi64 _mm256_srl_epi64;
        |mask, a, b| {
            let mask = _mm256_set1_epi64x(mask);
            _mm256_or_si256(_mm256_and_si256(mask, a), _mm256_andnot_si256(mask, b))
        };
        |lane| match lane {
            1 => (_mm256_unpacklo_epi64(a, b), _mm256_unpackhi_epi64(a, b)),
            _ => (_mm256_permute2x128_si256::<0x20>(a, b), _mm256_permute2x128_si256::<0x31>(a, b)),
        }
    }
    lanes! { __m512i 8 _mm512_loadu_si512 _mm512_storeu_si512 _mm512_sll_epi64 _mm512_srl_epi64;
        |mask, a, b| _mm512_ternarylogic_epi64::<0xca>(_mm512_set1_epi64(mask), a, b);
        |lane| match lane {
            1 => (_mm512_unpacklo_epi64(a, b), _mm512_unpackhi_epi64(a, b)),
            2 => (
                _mm512_permutex2var_epi64(a, _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13), b),
                _mm512_permutex2var_epi64(a, _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15), b),
            ),
            _ => (
                _mm512_shuffle_i64x2::<0b01_00_01_00>(a, b),
                _mm512_shuffle_i64x2::<0b11_10_11_10>(a, b),
            ),
        }
    }
}
