//! The table of the kernels in vectors. A kernel is a function and a row.

use crate::plan::{Kernel, Plan};

use crate::kernel::block::KernelBlock;
use crate::kernel::raw::machine::*;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::groups::{ByteGroups, groups_of_blocks, groups_of_runs};
use crate::kernel::raw::vectors::moves::{grid, moved_sizes, moves, side};
use crate::kernel::raw::vectors::pieces::{Evenly, evenly, stretches};
use crate::kernel::raw::vectors::planes::{self, Loops, image};
use crate::kernel::raw::vectors::runs::runs;
use crate::kernel::raw::vectors::square::{self, Squares};
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::raw::vectors::transpose::transpose;
use crate::kernel::raw::vectors::weave::weave;
use crate::kernel::settings::InstructionSet;
use crate::kernel::stretches::Stretches;

/// A kernel. The stretches are for the general path, whose task has no blocks; the others have blocks and no stretches.
pub(super) type Function = unsafe fn(&mut KernelTask, &Stretches);

/// The kernel for a size, each compiled for the instructions.
macro_rules! compiled {
    ($features:literal $which:expr; |$task:ident, $all:ident| $($size:pat => $kernel:expr,)*) => {
        match $which {
            $($size => {
                /// # Safety
                /// Those of the kernel.
                #[target_feature(enable = $features)]
                unsafe fn compiled($task: &mut KernelTask, $all: &Stretches) {
                    // SAFETY: the caller vouches for what the kernel asks, and this function is compiled for its
                    // vector's instructions.
                    unsafe { $kernel }
                }
                Some(compiled as Function)
            })*
            _ => None,
        }
    };
}

/// Functions that several kernels call, compiled for the instructions.
macro_rules! compiled_once {
    ($features:literal; $(
        fn $name:ident $(<$($size:ident),+>)? ($($argument:ident: $type:ty),*) { $body:expr }
    )*) => {$(
        /// # Safety
        /// Those of the function that it calls.
        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn $name $(<$(const $size: usize),+>)? ($($argument: $type),*) {
            // SAFETY: the caller vouches for what the function asks, and this one is compiled for its vector's instructions.
            unsafe { $body }
        }
    )*};
}

/// The kernels for rows, by the bytes of an element and the number of rows.
macro_rules! woven {
    ($features:literal $vector:ident $zips:literal $which:expr) => {
        woven!($features $vector $zips $which; 1 2, 1 4, 1 8, 2 2, 2 4, 2 8, 4 2, 4 4, 4 8, 8 2, 8 4, 8 8)
    };
    ($features:literal $vector:ident $zips:literal $which:expr; $($w:literal $k:literal),*) => {
        compiled!($features $which; |task, _all| $(($w, $k) => weave::<$vector, $w, $k, $zips>(task),)*)
    };
}

/// What the kernels of all sizes of elements share, compiled once: for the set that has all kernels.
macro_rules! drivers {
    ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        $(driver!($family $features $vector);)*
    };
}

macro_rules! driver {
    (all $features:literal $vector:ident) => {
        compiled_once! { $features;
            fn transposes(task: &mut KernelTask, squares: &Squares) { transpose(task, squares) }
            fn copies_runs(task: &mut KernelTask) {
                match ByteGroups::of_runs(task).filter(|_| <$vector>::SHUFFLES) {
                    Some(groups) => groups_of_runs::<$vector>(task, &groups),
                    None => runs::<$vector>(task),
                }
            }
            fn moves_groups(task: &mut KernelTask, groups: &ByteGroups) { groups_of_blocks::<$vector>(task, groups) }
            fn shuffles(src: *const u8, dst: *mut u8, groups: &ByteGroups) { groups.move_all::<$vector>(src, dst) }
            fn copies_stretches(task: &mut KernelTask, all: &Stretches, width: usize, evenly: Evenly) {
                stretches::<$vector>(task, all, width, evenly)
            }
        }
    };
    ($family:ident $features:literal $vector:ident) => {};
}

sets!(drivers);

/// The kernels for transposes, by the bytes of an element: what moves squares of them.
macro_rules! transposed {
    ($features:literal $vector:ident $which:expr; $($w:literal $k:literal),*) => {{
        compiled_once! { $features;
            fn blocks<W, K>(src: *const u8, dst: *mut u8, rows: *const usize, columns: *const usize, count: usize) {
                square::blocks::<$vector, W, K>(src, dst, rows, columns, count)
            }
        }
        compiled!($features $which; |task, _all| $($w => {
            const SQUARES: &Squares = &Squares {
                width: $w,
                blocks: blocks::<$w, $k>,
                matrices: square::matrices::<$w, $k>,
            };
            transposes(task, SQUARES)
        },)*)
    }};
}

/// The kernels for images, by the bytes of an element and the number of channels.
macro_rules! images {
    ($features:literal $block:ident $w:ident) => {{
        /// # Safety
        /// The processor has the instructions.
        #[target_feature(enable = $features)]
        #[inline(never)]
        #[expect(clippy::too_many_arguments, reason = "the compiler knows that arguments do not overlap")]
        #[rustfmt::skip]
        unsafe fn split<T: Copy, const P: usize>(
            pixels: &[[T; P]],
            a: &mut [T], b: &mut [T], c: &mut [T], d: &mut [T], e: &mut [T], f: &mut [T], g: &mut [T],
        ) {
            planes::split(pixels, [a, b, c, d, e, f, g]);
        }
        /// # Safety
        /// The processor has the instructions.
        #[target_feature(enable = $features)]
        #[inline(never)]
        unsafe fn join<T: Copy, const P: usize>(pixels: &mut [[T; P]], planes: [&[T]; P]) {
            planes::join(pixels, planes);
        }
        match $block.image($w) {
            Some((channels, true)) => images!($features true ($w, channels)),
            Some((channels, false)) => images!($features false ($w, channels)),
            None => None,
        }
    }};
    ($features:literal $to_planes:literal $which:expr) => {
        images!($features $to_planes $which; 1 u8 3, 2 [u8; 2] 3, 4 f32 3, 4 f32 5, 4 f32 6, 4 f32 7, 8 f64 3, 8 f64 5, 8 f64 6, 8 f64 7)
    };
    ($features:literal $to_planes:literal $which:expr; $($w:literal $element:tt $channels:literal),*) => {
        compiled!($features $which; |task, _all| $(
            ($w, $channels) => image::<$element, $channels, $to_planes>(task, &Loops { split, join }),
        )*)
    };
}

/// The kernels for the general path, by the bytes of an element.
macro_rules! general {
    ($features:literal $which:expr; $($w:literal),*) => {
        compiled!($features $which; |task, all| $($w => copies_stretches(task, all, $w, evenly::<$w>),)*)
    };
}

/// The kernels for elements at any strides, by their bytes: groups are shuffled.
macro_rules! spread {
    ($features:literal $vector:ident $which:expr; $($w:literal),*) => {
        compiled!($features $which; |task, _all| $($w => {
            match ByteGroups::of_elements(task, $w).filter(|_| <$vector>::SHUFFLES) {
                Some(groups) => moves_groups(task, &groups),
                None => moves(task, side($w), grid::<$w, $w>),
            }
        },)*)
    };
}

/// A function that has the kernels of each instruction set.
macro_rules! kernels {
    ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        /// The kernels of an instruction set for a plan, elements of `w` bytes moved as one.
        const fn kernels(set: InstructionSet, block: &KernelBlock, w: usize) -> Option<Function> {
            match set {
                $(InstructionSet::$set => rows!($family $features $vector block w),)*
                _ => None,
            }
        }
    };
}

/// The kernel for runs.
macro_rules! run {
    ($features:literal $vector:ident $w:expr) => {
        compiled!($features $w; |task, _all| 1.. => copies_runs(task),)
    };
}

/// The kernels of a vector: a family of them.
macro_rules! rows {
    (all $features:literal $vector:ident $block:ident $w:ident) => {
        match $block.kernel {
            Kernel::Run => run!($features $vector $w),
            Kernel::Interleave => woven!($features $vector true ($w, $block.q.total)),
            Kernel::Deinterleave => woven!($features $vector false ($w, $block.p.total)),
            Kernel::Transpose => {
                match images!($features $block $w) {
                    Some(function) => Some(function),
                    None => transposed!($features $vector $w; 1 16, 2 8, 4 4, 8 2),
                }
            }
            Kernel::General => general!($features $w; 1, 2, 4, 8, 16),
            Kernel::Strided => spread!($features $vector $w; 1, 2, 4, 8, 16),
        }
    };
    (none $features:literal $vector:ident $block:ident $w:ident) => {
        None
    };
    (transposes $features:literal $vector:ident $block:ident $w:ident) => {
        match $block.kernel {
            Kernel::Transpose if $block.image($w).is_none() => {
                transposed!($features $vector $w; 1 16, 2 8, 4 4, 8 2)
            }
            _ => None,
        }
    };
}

sets!(kernels);

macro_rules! runs_of_family {
    (all $features:literal $vector:ident $w:ident) => {
        run!($features $vector $w)
    };
    ($family:ident $features:literal $vector:ident $w:ident) => {
        None
    };
}

/// A function that has the kernel for runs of each instruction set.
macro_rules! runs_of {
    ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        const fn runs_of(set: InstructionSet, w: usize) -> Option<Function> {
            match set {
                $(InstructionSet::$set => runs_of_family!($family $features $vector w),)*
                _ => None,
            }
        }
    };
}

sets!(runs_of);

/// What moves groups of a few bytes.
pub(in crate::kernel::raw) type Shuffle = unsafe fn(*const u8, *mut u8, &ByteGroups);

macro_rules! shuffle {
    ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        /// That of an instruction set, whose vectors shuffle.
        pub(in crate::kernel::raw) fn shuffle_of(set: InstructionSet) -> Option<Shuffle> {
            $(shuffle!($family $set $vector set);)*
            None
        }
    };
    (all $set:ident $vector:ident $best:ident) => {
        if <$vector>::SHUFFLES && $best >= InstructionSet::$set {
            return Some(shuffles);
        }
    };
    ($family:ident $set:ident $vector:ident $best:ident) => {};
}

sets!(shuffle);

/// The kernel for a plan of elements of any type, if they have one of the sizes that are moved one by one.
const fn moves_of(block: &KernelBlock, w: usize) -> Option<Function> {
    macro_rules! of {
        ($($w:literal $wide:literal),*) => {
            match w {
                $($w => {
                    /// # Safety
                    /// Those of the kernel.
                    unsafe fn moved(task: &mut KernelTask, _all: &Stretches) {
                        // SAFETY: the caller vouches for what the kernel asks.
                        unsafe { moves(task, side($w), grid::<$w, $wide>) }
                    }
                    Some(moved as Function)
                })*
                _ => None,
            }
        };
    }
    match block.kernel {
        Kernel::Run | Kernel::General => None,
        _ => moved_sizes!(of),
    }
}

/// The instruction sets that have kernels.
const SETS: &[InstructionSet] = InstructionSet::WITH_VECTORS;

/// The kernels for a plan, of each instruction set one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VectorKernels {
    of_sets: [Option<Function>; SETS.len()],
    /// The one for elements of any type.
    moves: Option<Function>,
    /// Bytes that they move as one.
    wide: usize,
}

impl VectorKernels {
    /// The kernels for a plan of elements of `element` bytes.
    pub(crate) const fn of(plan: &Plan, element: usize) -> VectorKernels {
        let block = &KernelBlock::new(plan);
        let wide = element * block.wide;
        let moves = moves_of(block, wide);
        let mut found = VectorKernels { of_sets: [None; SETS.len()], moves, wide };
        let mut at = 0;
        while at < SETS.len() {
            found.of_sets[at] = kernels(SETS[at], block, found.wide);
            at += 1;
        }
        found
    }

    /// Those for a plan of runs.
    pub(crate) const fn of_runs(plan: &Plan, element: usize) -> VectorKernels {
        let wide = element * KernelBlock::new(plan).wide;
        let mut found = VectorKernels { of_sets: [None; SETS.len()], moves: None, wide };
        let mut at = 0;
        while at < SETS.len() {
            found.of_sets[at] = runs_of(SETS[at], wide);
            at += 1;
        }
        found
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
