//! Small matrices, transposed without a plan.

use core::mem::MaybeUninit;

use crate::kernel::raw::inline::shuffled::each;
use crate::kernel::raw::inline::{InlineMemory, Nested};
use crate::kernel::raw::machine::Smallest;
use crate::kernel::raw::size::{LANE, LINE};
use crate::kernel::raw::vectors::kernels;
use crate::kernel::raw::vectors::moves::{ElementGrid, MoveGrid, grid, moved_sizes};
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

// Measured on an AMD EPYC (Zen 5), both ways in turns in one process.

/// Bytes up to which matrices are transposed one by one without a plan.
const ONE_BY_ONE: usize = 256 << 10;
/// Elements up to which matrices that are too narrow for vectors are transposed one by one without a plan.
const FEW: usize = 1024;
/// Bytes up to which several matrices are transposed in the smallest vectors without a plan.
const SEVERAL: usize = 32 << 10;
/// Bytes of matrices that kernels transpose without a plan, at most.
const BY_KERNELS: usize = 128 << 10;
/// Elements up to which kernels transpose no matrix without a plan.
const LEAST: usize = 64;
/// Rows or columns of a narrow one at most.
const NARROW: usize = 8;

/// Bytes up to which a matrix of elements of `size` bytes is transposed in the smallest vectors, and not by kernels, whose blocks are lines by
/// lines. The last ones overlap those before, so kernels do more of an array that is not whole blocks.
///
/// | kernels ÷ smallest vectors | whole blocks: 32² | 64² | 96² | 128² | others: 40² | 65² | 100² | 129² | 150² | 200² |
/// |---|---|---|---|---|---|---|---|---|---|---|
/// | `u8` | | 0.6 | | 0.8 | 3.1 | 1.9 | 1.0 | 1.3 | 1.1 | 1.1 |
/// | `u16` | 1.2 | 0.9 | 0.9 | 0.9 | 1.7 | 1.2 | 0.9 | 1.0 | 0.8 | 0.9 |
/// | `f32` | 0.9 | 0.8 | 1.0 | 0.6 | 1.4 | 1.4 | 1.2 | 1.3 | 1.2 | 1.0 |
/// | `f64` | 0.9 | 0.9 | 0.8 | 0.3 | 1.0 | 1.5 | 1.1 | 1.5 | 0.5 | 0.5 |
const fn most_of_vectors(size: usize, counts: [usize; 2]) -> usize {
    let side = LINE / size;
    let are_blocks = counts[0].is_multiple_of(side) && counts[1].is_multiple_of(side);
    match size {
        _ if are_blocks => 4 << 10,
        1 => 32 << 10,
        2 => 16 << 10,
        _ => 128 << 10,
    }
}

/// Columns from which on kernels transpose a few rows of elements of `size` bytes, or rows from which on they do a few columns.
///
/// | kernels ÷ loops | 16 columns | 32 | 48 | 64 | 96 | 128 | 256 |
/// |---|---|---|---|---|---|---|---|
/// | 2 rows of `u8`; `f32` | 1.3; 1.4 | 0.9; 1.0 | 0.7; 0.8 | 0.6; 0.7 | 0.5; 0.6 | 0.4; 0.5 | 0.2; 0.4 |
/// | 3 rows of `u8`; `f32` | 1.4; 1.6 | 1.1; 1.1 | 0.8; 0.9 | 0.7; 0.8 | 0.5; 0.6 | 0.4; 0.5 | 0.3; 0.4 |
/// | 4 rows of `u8`; `f32` | 1.0; 1.3 | 0.7; 1.2 | 0.5; 1.2 | 0.4; 1.0 | 0.3; 0.8 | 0.3; 0.8 | 0.2; 0.7 |
/// | 8 rows of `u16`, to and from columns | 1.1 | 1.2 | 1.1 | 1.2 | 1.1 | 1.1, 0.8 | 1.1 |
/// | 8 rows of `f32` | 1.1 | 1.0 | 0.9 | 0.8 | 0.8 | 0.8 | 0.7 |
/// | 6 and 7 rows of `f32` | 1.9, 2.1 | 1.3, 1.8 | 1.1, 1.5 | 1.0, 1.4 | 0.8, 1.1 | 0.8, 1.1 | 0.6, 0.9 |
/// | 5 rows of `u8`, which have no kernel of their own | 2.0 | 1.6 | 1.5 | 1.4 | 1.4 | 1.3 | 0.6 |
const fn least_columns(size: usize, rows: usize) -> usize {
    match (size, rows) {
        (1 | 2, 5..=7) => FEW / rows,
        (2, 8) => 128,
        (4, 7) => 192,
        _ if rows * size < LANE => 40,
        _ => 64,
    }
}

/// How a matrix is transposed. It is chosen here, once for all types of elements.
struct Chosen {
    by_kernel: bool,
    /// Whether it is transposed without a plan, where no kernel does it.
    without_plan: bool,
    by_vectors: bool,
}

impl Chosen {
    fn of(
        size: usize,
        counts: [usize; 2],
        elements: usize,
        has_vectors: bool,
        is_alone: bool,
    ) -> Chosen {
        let [rows, columns] = [counts[0].min(counts[1]), counts[0].max(counts[1])];
        let by_vectors = has_vectors && rows >= LANE / size;
        let most = match (by_vectors, is_alone) {
            (true, true) => most_of_vectors(size, counts) / size,
            (true, false) => SEVERAL / size,
            (false, _) if has_vectors => FEW,
            (false, _) => ONE_BY_ONE / size,
        };
        let by_kernel = has_vectors
            && is_alone
            && elements > LEAST
            && elements <= BY_KERNELS / size
            && if rows > NARROW { elements > most } else { columns >= least_columns(size, rows) };
        Chosen { by_kernel, without_plan: elements <= most, by_vectors }
    }
}

impl<T: Copy> InlineMemory<'_, T> {
    /// Copies all elements as [`copy`](InlineMemory::copy) does, if matrices are transposed, all of one size, and the array is small.
    ///
    /// False if it is not done, or if the slices are too short; nothing is written then. Kernels are left to the
    /// plan if `IS_PLANNED`, which says that it is a constant: then a program has the kernels of that plan alone.
    #[inline(always)]
    pub fn transpose<N: Nested, const IS_PLANNED: bool>(
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
        let matrix = ElementGrid { counts: [counts[0], counts[1], 1], steps };
        let is_alone = const { N::NEST.depth == 2 };
        let by_vectors = const { by_vectors(size_of::<T>()) }.filter(|_| plain.is_plain());
        let chosen = Chosen::of(size, counts, elements, by_vectors.is_some(), is_alone);
        if chosen.by_kernel {
            if IS_PLANNED {
                return false;
            }
            let (src, dst) = self.begin();
            // SAFETY: elements lie from the first one on, and none farther than was compared; they are plain.
            if unsafe { kernels::matrix(size, src.cast(), dst.cast(), &matrix) } {
                return true;
            }
        }
        if !chosen.without_plan {
            return false;
        }
        let transpose = by_vectors.filter(|_| chosen.by_vectors).unwrap_or(one_by_one);
        let mut one = |src: *const T, dst: *mut MaybeUninit<T>| {
            // SAFETY: elements lie from the first one on, and none farther than was compared. Vectors are of plain
            // elements alone, all of whose bytes are initialised, and the smallest are those that the compiler takes for granted.
            unsafe { transpose(src.cast(), dst.cast(), &matrix) };
        };
        let (src, dst) = self.begin();
        if is_alone {
            one(src, dst);
        } else {
            let mut outer = all;
            (outer[row], outer[column]) = (1, 1);
            each(&outer[..N::NEST.depth], strides, (src, dst), &mut one);
        }
        true
    }
}
