//! The kernel in AVX-512 VNNI.
#![allow(unsafe_code, reason = "vectors are loaded and stored through pointers")]

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::kernel;

/// None: this machine is another one.
#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn kernel() -> Option<crate::kernel::Kernel> {
    None
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::{
        __m512i, _mm512_dpbusd_epi32, _mm512_loadu_si512, _mm512_set1_epi32, _mm512_setzero_si512,
        _mm512_storeu_si512,
    };

    use crate::kernel::{Kernel, Tile, WIDTH, WORDS};

    /// The kernel, if this machine has the instructions.
    pub(crate) fn kernel() -> Option<Kernel> {
        let is_here = is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni");
        is_here.then_some(Kernel {
            name: "AVX-512 VNNI",
            // SAFETY: this machine has the features, as was just asked.
            one: |left, tile, sums| unsafe { add::<1, 8>(left, tile, sums) },
            // SAFETY: as above.
            four: |left, tile, sums| unsafe { add::<4, 4>(left, tile, sums) },
        })
    }

    /// Sums of `ROWS` rows and `VECTORS` times 16 columns are in registers at a time.
    #[target_feature(enable = "avx512f,avx512vnni")]
    fn add<const ROWS: usize, const VECTORS: usize>(
        left: &[[u32; WORDS]; ROWS],
        tile: &Tile,
        sums: &mut [[i32; WIDTH]; ROWS],
    ) {
        let lines = tile.as_chunks::<64>().0.as_chunks::<{ WIDTH / 16 }>().0;
        for first in (0..WIDTH / 16).step_by(VECTORS) {
            let mut totals = [[_mm512_setzero_si512(); VECTORS]; ROWS];
            for (totals, row) in totals.iter_mut().zip(&*sums) {
                let row = &row.as_chunks().0[first..][..VECTORS];
                for (total, sums) in totals.iter_mut().zip(row) {
                    *total = load_sums(sums);
                }
            }
            for (word, line) in lines.iter().enumerate() {
                for (vector, right) in line[first..][..VECTORS].iter().enumerate() {
                    let right = load(right);
                    for (totals, left) in totals.iter_mut().zip(left) {
                        let left = _mm512_set1_epi32(left[word].cast_signed());
                        totals[vector] = _mm512_dpbusd_epi32(totals[vector], left, right);
                    }
                }
            }
            for (totals, row) in totals.iter().zip(&mut *sums) {
                let row = &mut row.as_chunks_mut().0[first..][..VECTORS];
                for (total, sums) in totals.iter().zip(row) {
                    store(*total, sums);
                }
            }
        }
    }

    #[target_feature(enable = "avx512f")]
    fn load(from: &[i8; 64]) -> __m512i {
        // SAFETY: it has 64 bytes.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f")]
    fn load_sums(from: &[i32; 16]) -> __m512i {
        // SAFETY: it has 64 bytes.
        unsafe { _mm512_loadu_si512(from.as_ptr().cast()) }
    }

    #[target_feature(enable = "avx512f")]
    fn store(from: __m512i, to: &mut [i32; 16]) {
        // SAFETY: it has 64 bytes.
        unsafe { _mm512_storeu_si512(to.as_mut_ptr().cast(), from) }
    }
}
