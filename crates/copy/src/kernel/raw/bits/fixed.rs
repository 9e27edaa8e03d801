//! Passes that are constants: their steps are code, where those of others are data.

// Steps as code made no difference in large arrays, which shuffles and memory bound. In arrays of some hundred
// bytes the steps are most of the time: passes that are code are four times as fast there, and smaller than
// passes as data.

use core::marker::PhantomData;

use crate::kernel::raw::bits::step::{Step, made};
use crate::kernel::raw::bits::{Pass, PassCode, are_certain, compiled, vectors_of};
use crate::kernel::raw::size::VectorSize;
use crate::kernel::raw::vector::Vector;
use crate::kernel::settings::InstructionSet;

/// Steps in code of a pass of its own, at most, and as many times as there are registers.
const MOST_STEPS: usize = 16;
const SHORT: usize = 64;

/// A pass that is a constant.
pub(crate) trait FixedPass {
    const PASS: &'static Pass<'static>;
}

/// The code of one.
struct Fixed<P>(PhantomData<P>);

impl<P: FixedPass> Fixed<P> {
    /// The step of a number; past the last one, a step that keeps everything.
    const fn step(number: usize) -> Step {
        let steps = P::PASS.steps;
        if number < steps.len() { steps[number] } else { Step::Keep(u64::MAX) }
    }
}

impl<P: FixedPass> PassCode for Fixed<P> {
    const VECTORS: VectorSize = P::PASS.vectors;
    const REGISTER_BITS: usize = P::PASS.register_bits();

    #[inline(always)]
    fn pass<'a>(_: &'a Pass<'a>) -> &'a Pass<'a> {
        P::PASS
    }

    #[inline(always)]
    unsafe fn steps<V: Vector, const N: usize>(mut vectors: [V; N], _: &Pass<'_>) -> [V; N] {
        // Constants of their own: a program has those that a step is compiled to, and not all of the pass.
        let tables = &const { *P::PASS.tables };
        macro_rules! made {
            ($($number:literal)*) => {$(
                if const { $number < P::PASS.steps.len() } {
                    // SAFETY: as of this function.
                    vectors = unsafe { made(vectors, &const { Self::step($number) }, tables) };
                }
            )*};
        }
        made! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 }
        vectors
    }
}

impl Pass<'_> {
    /// Whether it is worth code of its own: all steps on all registers are few, and it can be made.
    pub(crate) const fn is_short(&self) -> bool {
        let registers = 1 << self.register_bits();
        self.is_possible()
            && self.steps.len() <= MOST_STEPS
            && registers * self.steps.len() <= SHORT
    }
}

/// Makes a constant pass that `is_short`. False, and nothing is done, if the processor has not its vectors, or if the slices are too
/// short.
#[inline(always)]
pub(crate) fn run_fixed<P: FixedPass>(src: &[u8], dst: &mut [u8]) -> bool {
    let [Some(from), Some(to)] = (const { [P::PASS.needs(0), P::PASS.needs(1)] }) else {
        return false;
    };
    let has_vectors = const { are_certain(P::PASS.vectors) }
        || vectors_of(InstructionSet::best()) >= const { P::PASS.vectors };
    if !const { P::PASS.is_short() } || !has_vectors || src.len() < from || dst.len() < to {
        return false;
    }
    // SAFETY: the processor has these vectors, and as in `Pass::run` all of them lie in the slices. Those of a pass that
    // `is_possible` begin with bytes.
    unsafe { compiled::<Fixed<P>>(P::PASS, src.as_ptr(), dst.as_mut_ptr()) };
    true
}
