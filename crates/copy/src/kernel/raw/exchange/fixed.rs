//! Passes that are constants: their steps are code, where those of others are data.

// Steps as code made no difference in large arrays, which shuffles and memory bound. In arrays of some hundred
// bytes the steps are most of the time: passes that are code are four times as fast there, and smaller than
// passes as data.

use core::marker::PhantomData;

use crate::kernel::raw::exchange::end::End;
use crate::kernel::raw::exchange::step::{Step, made};
use crate::kernel::raw::exchange::{Ahead, Pass, SIZES, Steps, largest_vectors, vectors_of};
use crate::kernel::raw::machine::sets;
use crate::kernel::raw::size::{FEW, VectorSize};
use crate::kernel::raw::vector::Vector;
use crate::kernel::settings::InstructionSet;

/// Steps in code of a pass of its own, at most, and as many times as there are registers.
const MOST_STEPS: usize = 16;
const SHORT: usize = 64;

/// Passes that are constants, for each of the `largest_vectors`, if they are to be compiled to code of their own.
pub(crate) trait FixedPasses {
    const PASSES: [Option<Pass<'static>>; 2];
}

/// The constant pass for vectors of a size: its steps are code, where those of others are data.
struct Fixed<P, const WHICH: usize>(PhantomData<P>);

impl<P: FixedPasses, const WHICH: usize> Fixed<P, WHICH> {
    const PASS: &'static Pass<'static> = &match P::PASSES[WHICH] {
        Some(pass) => pass,
        None => Pass::NONE,
    };
    const NEEDS: [Option<usize>; 2] = [Self::PASS.needs(0), Self::PASS.needs(1)];

    /// A step, if there are so many.
    const fn step(number: usize) -> Step {
        let steps = Self::PASS.steps;
        if number < steps.len() { steps[number] } else { Step::Keep(u64::MAX) }
    }
}

impl<P: FixedPasses, const WHICH: usize> Steps for Fixed<P, WHICH> {
    #[inline(always)]
    unsafe fn make<V: Vector, const N: usize>(mut vectors: [V; N], _: &Pass<'_>) -> [V; N] {
        // Constants of their own: a program has those that a step is compiled to, and not all of the pass.
        let tables = &const { *Self::PASS.tables };
        macro_rules! made {
            ($($number:literal)*) => {$(
                if const { $number < Self::PASS.steps.len() } {
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
    /// No blocks.
    const NONE: Pass<'static> = Pass {
        vectors: VectorSize::Eight,
        steps: &[],
        tables: &[[0; 64]; 4],
        ends: [&End::EMPTY; 2],
        at: [0; 2],
        count: [0; 2],
        step: [[0; 2]; 2],
        ahead: Ahead::NONE,
        begins_bytes: false,
    };

    /// Whether it is worth code of its own: all steps on all registers are few, and it can be made.
    pub(crate) const fn is_short(&self) -> bool {
        let registers = 1 << self.register_bits();
        self.is_possible()
            && self.steps.len() <= MOST_STEPS
            && registers * self.steps.len() <= SHORT
    }
}

/// Makes the constant pass for the largest vectors that the processor has. False, and nothing is done, if there is none, or if the
/// slices are too short.
#[inline(always)]
pub(crate) fn run_fixed<P: FixedPasses>(src: &[u8], dst: &mut [u8]) -> bool {
    let is_second = const { !is_for_all::<P>() } && {
        let size = vectors_of(InstructionSet::best());
        if !largest_vectors().contains(&size) {
            return false;
        }
        size == largest_vectors()[1]
    };
    if is_second { Fixed::<P, 1>::run(src, dst) } else { Fixed::<P, 0>::run(src, dst) }
}

/// Whether the pass is in the same vectors whatever the processor has, those that it has for certain.
const fn is_for_all<P: FixedPasses>() -> bool {
    let certain = match SIZES {
        [(set, size, _), ..] if *set as u8 <= InstructionSet::COMPILED_FOR as u8 => *size,
        _ => VectorSize::Eight,
    };
    match P::PASSES {
        [Some(a), Some(b)] => {
            a.vectors as u8 == b.vectors as u8 && a.vectors as u8 <= certain as u8
        }
        _ => false,
    }
}

impl<P: FixedPasses, const WHICH: usize> Fixed<P, WHICH> {
    /// Makes the pass. The processor has vectors of the size. False, and nothing is done, if the slices are too short.
    #[inline(always)]
    fn run(src: &[u8], dst: &mut [u8]) -> bool {
        let [Some(from), Some(to)] = (const { Self::NEEDS }) else { return false };
        if src.len() < from || dst.len() < to {
            return false;
        }
        let (src, dst) = (src.as_ptr(), dst.as_mut_ptr());
        macro_rules! compiled {
            ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
                match const { Self::PASS.vectors } {
                    $(VectorSize::$size => {
                        /// # Safety
                        /// Those of `Pass::blocks`.
                        #[target_feature(enable = $more)]
                        unsafe fn compiled<P: FixedPasses, const WHICH: usize, const N: usize>(src: *const u8, dst: *mut u8) {
                            // SAFETY: the caller vouches for the vectors, and this is compiled for the instructions.
                            unsafe { Fixed::<P, WHICH>::blocks::<crate::kernel::raw::machine::$vector, N>(src, dst) }
                        }
                        match const { Self::PASS.register_bits() } {
                            0 => compiled::<P, WHICH, 1>(src, dst),
                            1 => compiled::<P, WHICH, 2>(src, dst),
                            2 => compiled::<P, WHICH, 4>(src, dst),
                            3 => compiled::<P, WHICH, 8>(src, dst),
                            _ => compiled::<P, WHICH, 16>(src, dst),
                        }
                    })*
                    _ => Self::blocks::<u64, { 1 << FEW }>(src, dst),
                }
            };
        }
        // SAFETY: a pass has no larger vectors than those it is for, which the processor has, or those that are certain. As in `Pass::run`, all of them lie in
        // the slices, and those of a pass that `is_possible` begin with bytes.
        unsafe { sets!(compiled) }
        true
    }

    /// # Safety
    /// The conditions of `Pass::blocks`.
    #[inline(always)]
    unsafe fn blocks<V: Vector, const N: usize>(src: *const u8, dst: *mut u8) {
        // SAFETY: what the caller vouches for.
        unsafe { Self::PASS.blocks::<V, Self, N>(src, dst, const { !Self::PASS.is_whole(0) }) }
    }
}
