//! What the architecture has: its vectors, and the table of the instruction sets that they are of. Each architecture is one
//! file.

/// For an architecture whose stores cannot go around the cache, and where nothing is gained by asking for memory, or that was
/// not measured.
#[allow(unused_macros, reason = "not every architecture needs it")]
macro_rules! without_streams {
    () => {
        pub(in super::super) const STREAMS: bool = false;

        #[inline(always)]
        pub(in super::super) fn fence() {}

        #[inline(always)]
        pub(in super::super) fn prefetch(_: *const u8) {}
    };
}

#[cfg_attr(
    // Without SSE2 there is nothing to compile vectors for, unless they are chosen at run time.
    all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2")),
    path = "machine/x86_64.rs"
)]
#[cfg_attr(all(target_arch = "aarch64", target_feature = "neon"), path = "machine/aarch64.rs")]
#[cfg_attr(all(target_arch = "wasm32", target_feature = "simd128"), path = "machine/wasm32.rs")]
mod vectors;

pub(in crate::kernel) use vectors::*;
