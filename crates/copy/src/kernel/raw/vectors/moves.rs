//! Elements moved one by one, wherever they lie: of any type, since nothing is computed of their bytes, which may be
//! uninitialised.

use core::ptr::copy_nonoverlapping;

use crate::kernel::block::add;
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vectors::task::KernelTask;

/// Hands the sizes of elements that are moved one by one to a macro, each with how many bytes are moved with one.
macro_rules! moved_sizes {
    ($then:ident) => {
        $then! { 1 1, 2 2, 3 4, 4 4, 6 8, 8 8, 12 16, 16 16, 24 24, 32 32, 48 48 }
    };
}
pub(in crate::kernel::raw) use moved_sizes;

/// Elements at even distances along three digits, of which the last one is counted outside.
pub(in crate::kernel::raw) struct ElementGrid {
    pub counts: [usize; 3],
    /// Bytes in the source and in the destination, which wrap around.
    pub steps: [[usize; 2]; 3],
}

/// Elements of the first digit that are moved together.
const TOGETHER: usize = 16;

/// What moves a grid.
pub(in crate::kernel::raw) type MoveGrid = unsafe fn(*const u8, *mut u8, &ElementGrid);

/// The elements of a task, in squares: what rows share of a line of memory is in the first cache when the next ones come.
///
/// # Safety
/// All elements of the task lie within the source and the destination, and are those that `grid` moves.
#[inline(always)]
pub(super) unsafe fn moves(task: &KernelTask, side: usize, grid: MoveGrid) {
    let (q_axis, p_axis) = (task.q_axis(), task.p_axis());
    task.grids(side, |at, [rows, columns], digits| {
        let (blocks, digits) = ((task.count, task.step), (digits, p_axis.far));
        // Small blocks are moved together.
        let is_small = digits.0 == 1 && rows <= TOGETHER;
        let [outer, inner] = if is_small { [digits, blocks] } else { [blocks, digits] };
        let counts = [rows, columns, inner.0];
        let grid_of = ElementGrid { counts, steps: [q_axis.near, p_axis.near, inner.1] };
        for number in 0..outer.0 {
            let [from, to] = add(at, outer.1, number);
            // SAFETY: these are the elements of the task's blocks at some values of `q` and `p`.
            unsafe { grid(task.src.wrapping_add(from), task.dst.wrapping_add(to), &grid_of) };
        }
    });
}

/// Elements along a side of a square. Of longer ones lines hold few, and longer rows of the destination come faster.
pub(super) const fn side(width: usize) -> usize {
    if width < 12 { LINE } else { usize::MAX }
}

/// Moves a grid of elements of `W` bytes: of one digit some at a time, which often share a line.
///
/// Where one digit is contiguous in the source and the other one in the destination, an element is moved with what follows it as `WIDE`
/// bytes, of which the next one overwrites the rest.
///
/// # Safety
/// The elements of the grid whose first one is at `src` and at `dst` are readable there and writable here.
#[inline(never)]
pub(in crate::kernel::raw) unsafe fn grid<const W: usize, const WIDE: usize>(
    src: *const u8,
    dst: *mut u8,
    grid: &ElementGrid,
) {
    let ElementGrid { counts, steps: [near, far, next] } = *grid;
    // SAFETY: those of the caller.
    unsafe {
        if near[1] == W && far[0] == W {
            // The compiler makes vectors of what it knows to be contiguous.
            lines::<W, WIDE>(src, dst, counts, [[near[0], W], [W, far[1]], next]);
        } else {
            lines::<W, W>(src, dst, counts, [near, far, next]);
        }
    }
}

/// # Safety
/// The conditions of `grid`.
#[inline(always)]
unsafe fn lines<const W: usize, const WIDE: usize>(
    src: *const u8,
    dst: *mut u8,
    [count, many, blocks]: [usize; 3],
    [near, far, next]: [[usize; 2]; 3],
) {
    const { assert!(W <= WIDE && WIDE < 2 * W) };
    // The columns that are last in their rows.
    let last = if W < WIDE { 1 } else { many };
    let mut left = count;
    let mut at = [0; 2];
    macro_rules! together {
        ($together:expr) => {
            for block in 0..blocks {
                let [from, to] = add(at, next, block);
                let (mut from, mut to) = (src.wrapping_add(from), dst.wrapping_add(to));
                // SAFETY: these are some of the grid's elements. What is read beyond an element is that of the next column, what is
                // written that of the next row, which comes later.
                unsafe {
                    for _ in last..many {
                        line::<W, WIDE, { $together }>(from, to, near);
                        (from, to) = (from.wrapping_add(far[0]), to.wrapping_add(far[1]));
                    }
                    for _ in 0..last {
                        line::<W, W, { $together }>(from, to, near);
                        (from, to) = (from.wrapping_add(far[0]), to.wrapping_add(far[1]));
                    }
                }
            }
            at = add(at, near, $together);
            left -= $together;
        };
    }
    while left >= TOGETHER {
        together!(TOGETHER);
    }
    while left >= 4 {
        together!(4);
    }
    while left >= 2 {
        together!(2);
    }
    while left > 0 {
        together!(1);
    }
}

/// `N` elements, `WIDE` bytes of all but the last.
///
/// # Safety
/// `WIDE` bytes, of the last element `W`, are readable and writable at each of them.
#[inline(always)]
unsafe fn line<const W: usize, const WIDE: usize, const N: usize>(
    from: *const u8,
    to: *mut u8,
    step: [usize; 2],
) {
    unrolled!(i in 0..N, {
        let [further, further_to] = add([0; 2], step, i);
        let bytes = if i + 1 < N { WIDE } else { W };
        // SAFETY: the caller vouches for the bytes.
        unsafe { copy_nonoverlapping(from.wrapping_add(further), to.wrapping_add(further_to), bytes) };
    });
}
