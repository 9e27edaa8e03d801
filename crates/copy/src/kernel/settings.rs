//! What the machine has, and how users say something else.

use core::iter::once;

use crate::kernel::raw::machine::sets;

/// The SIMD instructions that a copy may use, at most. Those that the machine lacks are never used.
///
/// Sets of one architecture are ordered, the smaller first. A set of another architecture is as `Portable`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum InstructionSet {
    /// No vectors: elements one by one, on any processor.
    Portable,
    /// wasm32, 16 bytes, where the program is compiled for `simd128`.
    Simd128,
    /// AArch64, 16 bytes, which nearly every program for it is compiled for.
    Neon,
    /// x86-64, 16 bytes: SSE2, which nearly every program for it is compiled for. With the feature `std` only packed elements
    /// and short stretches are copied in them, and the rest one by one.
    Sse2,
    /// x86-64, 32 bytes.
    Avx2,
    /// x86-64, 64 bytes: AVX-512 F, BW and VL. Packed elements and short stretches are copied in them where the processor has
    /// VBMI, and transposes of elements of up to 8 bytes; the rest is copied as with `Avx2`, which is as fast.
    Avx512,
}

/// The best set among those of which `$has!("feature")` says that they are there.
macro_rules! best_of {
    ($has:ident) => {
        if cfg!(miri) {
            InstructionSet::Portable
        } else if cfg!(all(target_arch = "wasm32", target_feature = "simd128")) {
            InstructionSet::Simd128
        } else if cfg!(all(
            target_arch = "aarch64",
            target_feature = "neon",
            target_endian = "little"
        )) {
            InstructionSet::Neon
        } else if cfg!(not(target_arch = "x86_64")) {
            InstructionSet::Portable
        } else if $has!("avx512f") && $has!("avx512bw") && $has!("avx512vl") {
            InstructionSet::Avx512
        } else if $has!("avx2") {
            InstructionSet::Avx2
        } else if $has!("sse2") {
            InstructionSet::Sse2
        } else {
            InstructionSet::Portable
        }
    };
}

macro_rules! names {
    ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        &[$(InstructionSet::$set),*]
    };
}

impl InstructionSet {
    /// Those of the architecture that have vectors, each with less than the next one.
    pub(super) const WITH_VECTORS: &[InstructionSet] = sets!(names);

    /// Those that the machine has, the best last.
    pub fn all() -> impl Iterator<Item = InstructionSet> {
        let best = InstructionSet::best();
        let sets = InstructionSet::WITH_VECTORS.iter().copied().filter(move |set| *set <= best);
        once(InstructionSet::Portable).chain(sets)
    }

    /// The best one that the program is compiled for. Every processor that may run it has this.
    pub const COMPILED_FOR: InstructionSet = {
        macro_rules! is_compiled_for {
            ($feature:literal) => {
                cfg!(target_feature = $feature)
            };
        }
        best_of!(is_compiled_for)
    };

    /// The best one that the processor has, as it says itself.
    #[cfg(all(feature = "std", target_arch = "x86_64"))]
    pub fn best() -> InstructionSet {
        use core::sync::atomic::{AtomicU8, Ordering};
        use std::arch::is_x86_feature_detected;
        // It is asked once: the questions take as long as a small copy.
        static BEST: AtomicU8 = AtomicU8::new(u8::MAX);
        let sets = InstructionSet::WITH_VECTORS;
        if let Some(set) = sets.get(usize::from(BEST.load(Ordering::Relaxed))) {
            return *set;
        }
        let best = best_of!(is_x86_feature_detected);
        let number = sets.iter().position(|set| *set == best);
        BEST.store(number.map_or(u8::MAX, |number| number as u8), Ordering::Relaxed);
        best
    }

    /// The best one that the processor is known to have: without `std` it cannot be asked.
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    pub fn best() -> InstructionSet {
        InstructionSet::COMPILED_FOR
    }
}

/// How `copies::copy_with` and `Plan::with_settings` of the crate `layout` copy.
/// `None` leaves a choice to the library; the result is the same in any case.
///
/// Fields may be added: end a value with `..Settings::default()`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The vectors; by default the best that the machine has.
    pub set: Option<InstructionSet>,
    /// Whether the array is spread over the threads of `rayon`, if the feature of that name is on. By default
    /// it is if the destination has at least 1 MiB.
    pub threads: Option<bool>,
}
