//! What copies of packed elements need: code that is compiled for each instruction set, and stores around the cache.

use core::slice::{from_raw_parts, from_raw_parts_mut};

use crate::relayout::kernel::settings::InstructionSet;
use crate::relayout::packed::OneByte;

/// Work in safe code that the compiler turns into vectors. `run` has to be inlined.
pub(in crate::relayout) trait Work {
    fn run(self);
}

/// Does the work by code that is compiled for an instruction set, or the best one that the processor has.
#[inline(always)]
pub(in crate::relayout) fn compiled_for<W: Work>(set: InstructionSet, work: W) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    {
        #[target_feature(enable = "avx2")]
        fn avx2<W: Work>(work: W) {
            work.run();
        }
        #[target_feature(enable = "avx512f,avx512bw,avx512vl")]
        fn avx512<W: Work>(work: W) {
            work.run();
        }
        // SAFETY: no set is above what the processor has.
        unsafe {
            match set.min(InstructionSet::best()) {
                InstructionSet::Avx512 => return avx512(work),
                InstructionSet::Avx2 => return avx2(work),
                _ => {}
            }
        }
    }
    let _ = set;
    work.run();
}

/// Puts what was stored around the cache before all later stores.
pub(in crate::relayout) fn fence() {
    #[cfg(all(target_arch = "x86_64", any(feature = "std", target_feature = "sse2"), not(miri)))]
    // SAFETY: a program is compiled for the instruction, or every processor that runs `std` has it.
    unsafe {
        core::arch::x86_64::_mm_sfence();
    }
}

/// Elements of a byte as bytes.
pub(in crate::relayout) fn bytes<T: OneByte>(elements: &[T]) -> &[u8] {
    const { assert!(size_of::<T>() == 1) };
    // SAFETY: the trait is sealed: `T` is `u8`, `i8` or `bool`, all of whose bytes are initialised and which are one
    // byte each.
    unsafe { from_raw_parts(elements.as_ptr().cast(), elements.len()) }
}

/// The same, to write values of `T` and nothing else: of `bool`, 0 and 1.
pub(in crate::relayout) fn bytes_mut<T: OneByte>(elements: &mut [T]) -> &mut [u8] {
    const { assert!(size_of::<T>() == 1) };
    // SAFETY: as in `bytes`. Who writes is in this crate, and writes values of `T`: for `bool` the lowest bit of
    // each byte alone (`Extend::One`).
    unsafe { from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
}
