//! Safe code that is compiled for each instruction set.

use crate::kernel::raw::machine::sets;
use crate::kernel::settings::InstructionSet;

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
