//! Small matrices, transposed without a plan.

use core::mem::MaybeUninit;
use core::ops::RangeInclusive;

use crate::kernel::raw::inline::shuffled::each;
use crate::kernel::raw::inline::{InlineMemory, Nested};
use crate::kernel::raw::machine::Smallest;
use crate::kernel::raw::size::LANE;
use crate::kernel::raw::vectors::kernels;
use crate::kernel::raw::vectors::moves::{Grid, MoveGrid, grid, moved_sizes};
use crate::kernel::raw::vectors::square::matrices;
use crate::plain::Plain;
use crate::plan::{LEVELS, Strides};

/// For numbers of which a vector has several.
const fn by_vectors(size: usize) -> Option<MoveGrid> {
    match size {
        _ if cfg!(miri) || size_of::<Smallest>() < LANE => None,
        1 => Some(matrices::<1, 16>),
        2 => Some(matrices::<2, 8>),
        4 => Some(matrices::<4, 4>),
        8 => Some(matrices::<8, 2>),
        _ => None,
    }
}

/// For elements of any type.
const fn one_by_one(size: usize) -> Option<MoveGrid> {
    macro_rules! of {
        ($($size:literal $wide:literal),*) => {
            match size {
                $($size => Some(grid::<$size, $wide>),)*
                _ => None,
            }
        };
    }
    moved_sizes!(of)
}

/// Bytes up to which matrices are transposed without a plan: in vectors, and one by one.
const WITHOUT_PLAN: [usize; 2] = [32 << 10, 256 << 10];
/// Elements up to which those are that vectors would transpose, but for a matrix that is too narrow.
const FEW: usize = 1024;
/// Bytes of matrices that are transposed by kernels without a plan, if they are narrow or larger than those of `WITHOUT_PLAN`.
const BY_KERNELS: RangeInclusive<usize> = 2048..=128 << 10;
/// Rows or columns of a narrow one at most.
const NARROW: usize = 8;

impl<T: Copy> InlineMemory<'_, T> {
    /// Copies all elements as [`copy`](InlineMemory::copy) does, if matrices are transposed, all of one size, and the array is small.
    ///
    /// False if it is not done, or if the slices are too short; nothing is written then.
    #[inline(always)]
    pub fn transpose<N: Nested>(
        &mut self,
        plain: &Plain<T>,
        sizes: &[usize; LEVELS],
        strides: &Strides,
        elements: usize,
    ) -> bool {
        let size = size_of::<T>();
        let (Some(one_by_one), Some([row, column])) =
            (const { one_by_one(size_of::<T>()) }, const { N::NEST.matrix() })
        else {
            return false;
        };
        if strides[row][1] != 1 || strides[column][0] != 1 {
            return false;
        }
        let all = if const { N::NEST.is_untiled() } {
            *sizes
        } else if let Some(all) = N::NEST.whole(sizes, elements) {
            all
        } else {
            return false;
        };
        let is_backward =
            |side: usize, step: usize| N::NEST.are_any[side] && step.cast_signed() < 0;
        if is_backward(0, strides[row][0])
            || is_backward(1, strides[column][1])
            || !self.holds::<N>(sizes, strides)
        {
            return false;
        }
        let counts = [all[row], all[column]];
        // Of a single row, or column, it may be any number.
        let steps = [
            [strides[row][0].wrapping_mul(size), size],
            [size, strides[column][1].wrapping_mul(size)],
            [0; 2],
        ];
        let matrix = Grid { counts: [counts[0], counts[1], 1], steps };
        let [few_bytes, bytes] = WITHOUT_PLAN;
        let (transpose, most) = match const { by_vectors(size_of::<T>()) } {
            Some(by_vectors) if plain.is_plain() => {
                if counts[0] >= LANE / size && counts[1] >= LANE / size {
                    (by_vectors, few_bytes / size)
                } else {
                    (one_by_one, FEW)
                }
            }
            _ => (one_by_one, bytes / size),
        };
        let is_narrow = counts[0].min(counts[1]) <= NARROW;
        if const { N::NEST.depth == 2 }
            && plain.is_plain()
            && (is_narrow || elements > most)
            && BY_KERNELS.contains(&(elements * size))
        {
            let (src, dst) = self.begin();
            // SAFETY: elements lie from the first one on, and none farther than was compared; they are plain.
            if unsafe { kernels::matrix(size, src.cast(), dst.cast(), &matrix) } {
                return true;
            }
        }
        if elements > most {
            return false;
        }
        let mut one = |src: *const T, dst: *mut MaybeUninit<T>| {
            // SAFETY: elements lie from the first one on, and none farther than was compared. Vectors are of plain
            // elements alone, all of whose bytes are initialised, and the smallest are those that the compiler takes for granted.
            unsafe { transpose(src.cast(), dst.cast(), &matrix) };
        };
        let (src, dst) = self.begin();
        if const { N::NEST.depth == 2 } {
            one(src, dst);
        } else {
            let mut outer = all;
            (outer[row], outer[column]) = (1, 1);
            each(&outer[..N::NEST.depth], strides, (src, dst), &mut one);
        }
        true
    }
}
