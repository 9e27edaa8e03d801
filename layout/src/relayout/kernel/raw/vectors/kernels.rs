//! The table of the kernels in vectors. A kernel is a function and a row.

use layout_core::__private::{Kernel, Plan};

use crate::relayout::kernel::block::KernelBlock;
use crate::relayout::kernel::raw::machine::*;
use crate::relayout::kernel::raw::vectors::pieces::stretches;
use crate::relayout::kernel::raw::vectors::short_rows::{
    deinterleave_short, interleave_line, is_line,
};
use crate::relayout::kernel::raw::vectors::task::KernelTask;
use crate::relayout::kernel::raw::vectors::transpose::transpose;
use crate::relayout::kernel::raw::vectors::weave::{deinterleave, interleave, runs};
use crate::relayout::kernel::settings::InstructionSet;
use crate::relayout::kernel::stretches::Stretches;

/// A kernel. The stretches are for the general path, whose task has no blocks; the others have blocks and no stretches.
pub(super) type Function = unsafe fn(&mut KernelTask, &Stretches);

/// The kernel for a size, each compiled for the instructions, without and with stores around the cache. Generic, so that it is
/// compiled once for a program that names it, and not for the library.
macro_rules! compiled {
    ($features:literal $streams:expr; $which:expr; |$task:ident, $all:ident| $($size:pat => $kernel:expr,)*) => {
        match $which {
            $($size => {
                /// # Safety
                /// Those of the kernel.
                #[target_feature(enable = $features)]
                unsafe fn compiled<const NT: bool>($task: &mut KernelTask, $all: &Stretches) {
                    // SAFETY: the caller vouches for what the kernel asks, and this function is compiled for its
                    // vector's instructions.
                    unsafe { $kernel }
                }
                Some([compiled::<false> as Function, compiled::<{ $streams }> as Function])
            })*
            _ => None,
        }
    };
}

/// The kernels for rows, by the bytes of an element and the number of rows.
macro_rules! woven {
    ($features:literal $vector:ident $name:ident $which:expr) => {
        woven!($features $vector $name $which; 1 2, 1 4, 1 8, 2 2, 2 4, 4 2, 4 4, 8 2)
    };
    ($features:literal $vector:ident $name:ident $which:expr; $($w:literal $k:literal),*) => {
        compiled!($features STREAMS; $which; |task, _all| $(($w, $k) => $name::<$vector, $w, $k, NT>(task),)*)
    };
}

/// A function that has the kernels of each instruction set.
macro_rules! kernels {
    ($($set:ident $features:literal $vector:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        /// The kernels of an instruction set for a plan, elements of `w` bytes moved as one.
        #[inline]
        const fn kernels(set: InstructionSet, block: &KernelBlock, w: usize) -> Option<[Function; 2]> {
            match set {
                $(InstructionSet::$set => rows!($features $vector block w),)*
                _ => None,
            }
        }
    };
}

/// The kernels of a vector.
macro_rules! rows {
    ($features:literal $vector:ident $block:ident $w:ident) => {
        match $block.kernel {
            Kernel::Run => compiled!($features STREAMS; $w; |task, _all| 1.. => runs::<$vector, NT>(task),),
            Kernel::Interleave if is_line($block, $w) => {
                woven!($features $vector interleave_line ($w, $block.q.total))
            }
            Kernel::Interleave => woven!($features $vector interleave ($w, $block.q.total)),
            Kernel::Deinterleave if $block.q.total > $block.q.minor => {
                woven!($features $vector deinterleave_short ($w, $block.p.total))
            }
            Kernel::Deinterleave => woven!($features $vector deinterleave ($w, $block.p.total)),
            Kernel::Transpose => compiled!($features STREAMS; $w; |task, _all|
                1 => transpose::<$vector, 1, 16, NT>(task),
                2 => transpose::<$vector, 2, 8, NT>(task),
                4 => transpose::<$vector, 4, 4, NT>(task),
                8 => transpose::<$vector, 8, 2, NT>(task),
                16 => transpose::<$vector, 16, 1, NT>(task),
            ),
            Kernel::General => compiled!($features false; $w; |task, all|
                1 => stretches::<$vector, 1>(task, all),
                2 => stretches::<$vector, 2>(task, all),
                4 => stretches::<$vector, 4>(task, all),
                8 => stretches::<$vector, 8>(task, all),
                16 => stretches::<$vector, 16>(task, all),
            ),
            Kernel::Strided => None,
        }
    };
}

sets!(kernels);

/// The instruction sets that have kernels.
const SETS: &[InstructionSet] = InstructionSet::WITH_VECTORS;

/// The kernels for a plan: of each instruction set one, and one that stores around the cache.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct VectorKernels {
    of_sets: [Option<[Function; 2]>; SETS.len()],
    /// Bytes that they move as one.
    wide: usize,
}

impl VectorKernels {
    /// The kernels for a plan of elements of `element` bytes. Inlined as `Kernels::of` is.
    #[inline]
    pub(in crate::relayout) const fn of(plan: &Plan, element: usize) -> VectorKernels {
        let block = &KernelBlock::new(plan);
        let (mut of_sets, wide) = ([None; SETS.len()], element * block.wide);
        let mut at = 0;
        while at < SETS.len() {
            of_sets[at] = kernels(SETS[at], block, wide);
            at += 1;
        }
        VectorKernels { of_sets, wide }
    }

    /// The kernel of an instruction set, if it moves as many bytes as one.
    pub(super) fn of_set(
        &self,
        set: InstructionSet,
        wide: usize,
        streams: bool,
    ) -> Option<Function> {
        let at = SETS.iter().position(|of_table| *of_table == set)?;
        self.of_sets[at].filter(|_| self.wide == wide).map(|of_set| of_set[usize::from(streams)])
    }
}
