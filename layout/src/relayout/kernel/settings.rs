//! What the machine has, and how users say something else.

/// Which vectors the kernels use. More than the machine has is never used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum InstructionSet {
    /// Safe code, for any processor.
    Portable,
    /// 16 bytes: SSE2, which nearly every program for x86-64 is compiled for.
    Sse2,
    /// 32 bytes.
    Avx2,
    /// 64 bytes: AVX-512 F, BW and VL.
    Avx512,
}

/// The best set among those of which `$has!("feature")` says that they are there.
macro_rules! best_of {
    ($has:ident) => {
        if cfg!(any(miri, not(target_arch = "x86_64"))) {
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

impl InstructionSet {
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
        use std::arch::is_x86_feature_detected;
        best_of!(is_x86_feature_detected)
    }

    /// The best one that the processor is known to have: without `std` it cannot be asked.
    #[cfg(not(all(feature = "std", target_arch = "x86_64")))]
    pub fn best() -> InstructionSet {
        InstructionSet::COMPILED_FOR
    }
}

/// How [`relayout_with`](crate::relayout_with) copies. `None` leaves a choice to the library; the result is the
/// same in any case.
///
/// Fields may be added: end a value with `..Settings::default()`.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The vectors; by default the best that the machine has.
    pub set: Option<InstructionSet>,
    /// Whether stores go around the caches, which spares a read of the destination's memory. By default they
    /// do if the destination has at least 8 MiB. `Some(false)` leaves the copy in the caches as far as they
    /// hold it, for a program that reads it at once on a machine with large caches.
    pub streams: Option<bool>,
    /// Whether the array is spread over the threads of `rayon`, if the feature of that name is on. By default
    /// it is if the destination has at least 1 MiB.
    pub threads: Option<bool>,
}

#[cfg(test)]
mod tests {
    use super::InstructionSet;

    #[test]
    fn without_std_the_set_is_what_the_program_is_compiled_for() {
        use InstructionSet::{Avx2, Avx512, Portable, Sse2};
        let compiled_for = if cfg!(any(miri, not(target_arch = "x86_64"))) {
            Portable
        } else {
            let has_avx512 = cfg!(all(
                target_feature = "avx512f",
                target_feature = "avx512bw",
                target_feature = "avx512vl"
            ));
            let has_avx2 = cfg!(target_feature = "avx2");
            match (has_avx512, has_avx2, cfg!(target_feature = "sse2")) {
                (true, ..) => Avx512,
                (_, true, _) => Avx2,
                (.., true) => Sse2,
                (.., false) => Portable,
            }
        };
        assert_eq!(InstructionSet::COMPILED_FOR, compiled_for);
        if cfg!(feature = "std") {
            assert!(InstructionSet::best() >= compiled_for);
        } else {
            assert_eq!(InstructionSet::best(), compiled_for);
        }
    }
}
