//! The table of the kernels in vectors. A kernel is a function and a row.

use core::mem::MaybeUninit;

use crate::loops::Kernel;

use crate::kernel::block::{Axis, KernelBlock, is_few};
use crate::kernel::raw::machine::*;
use crate::kernel::raw::vectors::compiled::{Compiled, Function, Work};
use crate::kernel::raw::vectors::groups::{ByteGroups, groups_of_blocks, groups_of_runs};
use crate::kernel::raw::vectors::moves::{ElementGrid, grid, moved_sizes, moves, side};
use crate::kernel::raw::vectors::pieces::stretches;
use crate::kernel::raw::vectors::planes::image;
use crate::kernel::raw::vectors::runs::runs;
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::raw::vectors::transpose::transpose;
use crate::kernel::raw::vectors::weave::weave;
use crate::kernel::settings::InstructionSet;
use crate::kernel::stretches::Stretches;
use layout_core::each;

/// The kinds of work, each with what it does by vectors `V`.
macro_rules! works {
    ($($name:ident $(<$(const $size:ident: $of:ty),+>)? |$task:ident| $body:expr;)*) => {$(
        struct $name $(<$(const $size: $of),+>)?;

        impl $(<$(const $size: $of),+>)? Work for $name $(<$($size),+>)? {
            #[inline(always)]
            unsafe fn run<V: Compiled>($task: &mut KernelTask) {
                // SAFETY: those of the caller.
                unsafe { $body }
            }
        }
    )*};
}

works! {
    Runs |task| match ByteGroups::of_runs(task).filter(|_| V::SHUFFLES) {
        Some(groups) => groups_of_runs::<V>(task, &groups),
        None => runs::<V>(task),
    };
    Weave<const W: usize, const K: usize, const ZIPS: bool> |task| weave::<V, W, K, ZIPS>(task);
    Transposes<const W: usize, const K: usize> |task| transpose::<V, W, K>(task);
    // Any strides.
    Spread<const W: usize> |task| match ByteGroups::of_elements(task, W).filter(|_| V::SHUFFLES) {
        Some(groups) => groups_of_blocks::<V>(task, &groups),
        None => moves(task, side(W), grid::<W, W>),
    };
}

/// Images of `P` channels.
struct Image<T, const P: usize, const TO_PLANES: bool>(T);

impl<T: Copy, const P: usize, const TO_PLANES: bool> Work for Image<T, P, TO_PLANES> {
    #[inline(always)]
    unsafe fn run<V: Compiled>(task: &mut KernelTask) {
        // SAFETY: those of the caller.
        unsafe { image::<V, MaybeUninit<T>, P, TO_PLANES>(task) }
    }
}

/// A function of those for a size.
macro_rules! of {
    ($which:expr; $($size:pat => $work:ty,)*) => {
        match $which {
            $($size => Some(V::kernel::<$work> as Function),)*
            _ => None,
        }
    };
}

/// The kernels for a vector's instructions, elements of `w` bytes moved as one.
const fn kernels<V: Compiled>(block: &KernelBlock, w: usize) -> Option<Function> {
    macro_rules! rows {
        ($count:expr, $zips:literal; $($w:literal $k:literal),*) => {
            of!((w, $count); $(($w, $k) => Weave<$w, $k, $zips>,)*)
        };
        ($count:expr, $zips:literal) => {
            rows!($count, $zips; 1 2, 1 4, 1 8, 2 2, 2 4, 2 8, 4 2, 4 4, 4 8, 8 2, 8 4, 8 8)
        };
    }
    match block.kernel {
        Kernel::Run => Some(V::kernel::<Runs>),
        Kernel::Interleave => rows!(block.q.total, true),
        Kernel::Deinterleave => rows!(block.p.total, false),
        Kernel::Transpose => transposes::<V>(block, w, 0),
        Kernel::General => None,
        Kernel::Strided => {
            of!(w; 1 => Spread<1>, 2 => Spread<2>, 4 => Spread<4>, 8 => Spread<8>, 16 => Spread<16>,)
        }
    }
}

/// Bytes from which on the largest vectors are faster for images.
#[allow(dead_code, reason = "where there is one set, it has all kernels")]
const LARGE_IMAGE: usize = 1024;

/// Those for transposes, and for images of at least `least` bytes: a larger set makes them faster.
const fn transposes<V: Compiled>(block: &KernelBlock, w: usize, least: usize) -> Option<Function> {
    macro_rules! images {
        ($channels:expr, $to_planes:literal; $($w:literal $element:ty: $($count:literal)*;)*) => {
            of!((w, $channels); $($(($w, $count) => Image<$element, $count, $to_planes>,)*)*)
        };
        ($channels:expr, $to_planes:literal) => {
            images!($channels, $to_planes; 1 u8: 3; 2 [u8; 2]: 3; 4 f32: 3 5 6 7; 8 f64: 3 5 6 7;)
        };
    }
    let is_large = block.q.total.saturating_mul(block.p.total).saturating_mul(w) >= least;
    match block.image(w) {
        _ if !matches!(block.kernel, Kernel::Transpose) => None,
        Some((channels, true)) if is_large => images!(channels, true),
        Some((channels, false)) if is_large => images!(channels, false),
        Some(_) => None,
        None => {
            of!(w; 1 => Transposes<1, 16>, 2 => Transposes<2, 8>, 4 => Transposes<4, 4>, 8 => Transposes<8, 2>,)
        }
    }
}

/// What a family of kernels has.
macro_rules! family {
    (all $all:expr, $transposes:expr) => {
        $all
    };
    (transposes $all:expr, $transposes:expr) => {
        $transposes
    };
    (none $all:expr, $transposes:expr) => {
        None
    };
}

/// What depends on the instruction sets that there are.
macro_rules! of_sets {
    ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        const RUNS: OfSets = [$(family!($family Some(<$vector>::kernel::<Runs>), None)),*];

        /// The kernel that a set has itself for a plan, elements of `w` bytes moved as one.
        const fn of_set(set: InstructionSet, block: &KernelBlock, w: usize) -> Option<Function> {
            match set {
                $(InstructionSet::$set => family!($family kernels::<$vector>(block, w), transposes::<$vector>(block, w, LARGE_IMAGE)),)*
                _ => None,
            }
        }
    };
}

sets!(of_sets);

/// The kernels of all sets.
const fn of_plan(block: &KernelBlock, w: usize) -> OfSets {
    let mut all = [None; SETS.len()];
    each!(for number in 0..SETS.len() {
        all[number] = of_set(SETS[number], block, w);
    });
    all
}

/// The kernel of the largest set up to one that has any.
fn up_to(set: InstructionSet, block: &KernelBlock, w: usize) -> Option<Function> {
    let sets = SETS.iter().rev().filter(|of_table| **of_table <= set);
    sets.flat_map(|of_table| of_set(*of_table, block, w)).next()
}

/// Transposes a matrix of plain numbers of `w` bytes without a plan, by the kernel that a plan would choose. False if there is none.
///
/// # Safety
/// All of it lies within the source and the destination. Its rows are contiguous in the source, and its columns in the destination.
pub(in crate::kernel::raw) unsafe fn matrix(
    w: usize,
    src: *const u8,
    dst: *mut u8,
    all: &ElementGrid,
) -> bool {
    let ElementGrid { counts: [q, p, _], steps: [row, column, _] } = *all;
    let axis = |total, step: [usize; 2]| {
        let near = step.map(|bytes| bytes / w);
        Axis { minor: total, total, near, far: [0; 2], unit: 1, dim: None }
    };
    let are_rows = |rows: usize, step| is_few(rows) && rows.is_power_of_two() && step == rows * w;
    let kernel = if are_rows(q, column[1]) {
        Kernel::Interleave
    } else if are_rows(p, row[0]) {
        Kernel::Deinterleave
    } else {
        Kernel::Transpose
    };
    let block = &KernelBlock { kernel, q: axis(q, row), p: axis(p, column), wide: 1 };
    let Some(function) = up_to(InstructionSet::best(), block, w) else { return false };
    let mut task = KernelTask::new(src, dst, block, w);
    // SAFETY: the processor has the instructions of its best set; the others are the caller's.
    unsafe { function(&mut task, &Stretches { rows: &[], pieces: &[] }) };
    true
}

/// The kernel for a plan of elements of any type, if they have one of the sizes that are moved one by one.
const fn moves_of(block: &KernelBlock, w: usize) -> Option<Function> {
    /// # Safety
    /// Those of `moves`.
    unsafe fn moved<const W: usize, const WIDE: usize>(task: &mut KernelTask, _all: &Stretches) {
        // SAFETY: those of the caller.
        unsafe { moves(task, side(W), grid::<W, WIDE>) }
    }
    /// # Safety
    /// Those of `stretches`.
    unsafe fn stretched<const W: usize>(task: &mut KernelTask, all: &Stretches) {
        // SAFETY: those of the caller.
        unsafe { stretches::<W>(task, all) }
    }
    macro_rules! of {
        ($($w:literal $wide:literal),*) => {
            match (block.kernel, w) {
                $(
                    (Kernel::General, $w) => Some(stretched::<$w> as Function),
                    (_, $w) => Some(moved::<$w, $wide> as Function),
                )*
                _ => None,
            }
        };
    }
    if matches!(block.kernel, Kernel::Run) { None } else { moved_sizes!(of) }
}

/// The instruction sets that have kernels.
const SETS: &[InstructionSet] = InstructionSet::WITH_VECTORS;

/// Of each instruction set a kernel.
type OfSets = [Option<Function>; SETS.len()];

/// The kernels for a plan.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorKernels {
    of_sets: OfSets,
    /// The one for elements of any type.
    moves: Option<Function>,
    /// Bytes that they move as one.
    wide: usize,
}

impl VectorKernels {
    /// The kernels for blocks of elements of `element` bytes.
    pub(crate) const fn of(block: &KernelBlock, element: usize) -> VectorKernels {
        let wide = element * block.wide;
        VectorKernels { of_sets: of_plan(block, wide), moves: moves_of(block, wide), wide }
    }

    /// Those for runs.
    pub(crate) const fn of_runs(block: &KernelBlock, element: usize) -> VectorKernels {
        VectorKernels { of_sets: RUNS, moves: None, wide: element * block.wide }
    }

    /// The kernel of the largest instruction set up to one that has any, if it moves as many bytes as one.
    pub(super) fn of_set(&self, set: InstructionSet, wide: usize) -> Option<Function> {
        let up_to = SETS.iter().zip(self.of_sets).filter(|(of_table, _)| **of_table <= set);
        up_to.filter_map(|(_, function)| function).next_back().filter(|_| self.wide == wide)
    }

    /// The kernel for elements of any type, if it moves as many bytes as one.
    pub(super) fn of_any(&self, wide: usize) -> Option<Function> {
        self.moves.filter(|_| self.wide == wide)
    }
}
