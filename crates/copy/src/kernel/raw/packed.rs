//! What copies of packed elements need: code that is compiled for each instruction set, and elements as bytes.

use core::slice::{from_raw_parts, from_raw_parts_mut};

use crate::kernel::raw::machine::sets;
use crate::kernel::settings::InstructionSet;
use crate::one_byte::OneByte;

/// Vectorized in safe code that the compiler turns into vectors. `run` has to be inlined.
pub(crate) trait Vectorized {
    fn run(self);
}

/// Does the work by code that is compiled for an instruction set, or the best one that the processor has.
#[inline(always)]
pub(crate) fn compiled_for<W: Vectorized>(set: InstructionSet, work: W) {
    macro_rules! compiled {
        ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
            match set.min(InstructionSet::best()) {
                // What the program is compiled for needs no code of its own.
                $(InstructionSet::$set
                    if const { InstructionSet::$set as u8 > InstructionSet::COMPILED_FOR as u8 } =>
                {
                    #[target_feature(enable = $features)]
                    fn compiled<W: Vectorized>(work: W) {
                        work.run();
                    }
                    // SAFETY: no set is above what the processor has.
                    #[allow(unused_unsafe, reason = "safe on some architectures")]
                    unsafe {
                        compiled(work);
                    }
                })*
                _ => work.run(),
            }
        };
    }
    sets!(compiled);
}

/// Elements of a byte as bytes.
pub fn bytes<T: OneByte>(elements: &[T]) -> &[u8] {
    const { assert!(size_of::<T>() == 1) };
    // SAFETY: the trait is sealed: `T` is `u8`, `i8` or `bool`, all of whose bytes are initialised and which are one
    // byte each.
    unsafe { from_raw_parts(elements.as_ptr().cast(), elements.len()) }
}

/// [`bytes`] to write to: only values of `T` may be written, so of `bool` only 0 and 1.
pub fn bytes_mut<T: OneByte>(elements: &mut [T]) -> &mut [u8] {
    const { assert!(size_of::<T>() == 1) };
    // SAFETY: as in `bytes`. `layout` writes values of `T`: for `bool` the lowest bit of
    // each byte alone (`Extend::One`).
    unsafe { from_raw_parts_mut(elements.as_mut_ptr().cast(), elements.len()) }
}
