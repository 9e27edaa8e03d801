//! What the machine has, and how tests and benchmarks say something else.

/// Which vectors the kernels use. More than the machine has is never used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum InstructionSet {
    /// Safe code, for any processor.
    Portable,
    /// 16 bytes: every x86-64.
    Sse2,
    /// 32 bytes.
    Avx2,
    /// 64 bytes: AVX-512 F, BW and VL.
    Avx512,
}

impl InstructionSet {
    /// The best one that the machine has: found out at run time with the feature `std`, else what the
    /// program is compiled for.
    pub fn best() -> InstructionSet {
        macro_rules! has {
            ($($feature:tt)*) => {
                true $(&& {
                    #[cfg(feature = "std")]
                    let has = std::arch::is_x86_feature_detected!($feature);
                    #[cfg(not(feature = "std"))]
                    let has = cfg!(target_feature = $feature);
                    has
                })*
            };
        }
        if cfg!(miri) {
            return InstructionSet::Portable;
        }
        #[cfg(target_arch = "x86_64")]
        {
            if has!("avx512f" "avx512bw" "avx512vl") {
                InstructionSet::Avx512
            } else if has!("avx2") {
                InstructionSet::Avx2
            } else {
                InstructionSet::Sse2
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        InstructionSet::Portable
    }
}

/// How an array is copied: for tests and benchmarks, which force it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings {
    /// The best of the machine if not said.
    pub set: Option<InstructionSet>,
    /// Whether stores go around the cache; for large arrays if not said.
    pub streams: Option<bool>,
    /// Whether large arrays are spread over threads, where the feature `rayon` is on; they are if not
    /// said.
    pub threads: Option<bool>,
}
