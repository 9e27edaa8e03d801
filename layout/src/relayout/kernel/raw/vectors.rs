//! Kernels in vectors, for every architecture that has some: each is a file with its vectors and the table of its kernels.

mod ahead;
mod line;
mod pieces;
mod ragged;
mod row;
mod short_rows;
mod transpose;
mod vector;
mod weave;

use core::marker::PhantomData;
use core::slice::from_raw_parts_mut;

use layout_core::__private::{Kernel, Plan, native};

use crate::relayout::kernel::block::{Axis, Batch, KernelBlock, Mover};
use crate::relayout::kernel::copying::{Copying, Exchange};
use crate::relayout::kernel::nest::Nest;
use crate::relayout::kernel::portable::{MoveBlocks, Portable};
use crate::relayout::kernel::settings::InstructionSet;
use crate::relayout::kernel::stretches::Stretches;
use line::{Carry, LINE};
use machine::{SETS, STREAMS, Smallest, fence, kernel};
use row::HeldRow;

/// What a kernel does, in bytes: `count` blocks, evenly spaced, of `q` by `p` elements; for runs `p` is
/// their length. `q` lies `q_src` apart in the source where it is one digit, and so on.
struct Task<'a> {
    src: *const u8,
    dst: *mut u8,
    count: usize,
    step: [usize; 2],
    q: usize,
    p: usize,
    q_src: usize,
    p_dst: usize,
    q_axis: Axis,
    p_axis: Axis,
    /// The ends of runs that later ones go on from, one for each of `HELD_ROWS` blocks; none where stores do not go around
    /// the cache.
    carries: &'a mut [Carry],
    /// Rows of the destination that later blocks go on with, as many; none where stores do not go around the cache.
    rows: &'a mut [HeldRow],
    /// What the general path moves, in elements, instead of blocks; it lives while the kernel runs.
    stretches: *const Stretches<'a>,
    /// Whether the general path's stores go around the cache.
    streams: bool,
}

impl Task<'_> {
    /// Where a block lies.
    #[inline(always)]
    fn place(&self, i: usize) -> (*const u8, *mut u8) {
        (self.src.wrapping_add(i * self.step[0]), self.dst.wrapping_add(i * self.step[1]))
    }

    /// After how many blocks one may go on with the rows of the first: with so many bytes of a row, each block does where
    /// they follow one another in the destination.
    #[inline(always)]
    fn turns(&self, length: usize) -> usize {
        if self.step[1] == length { 1 } else { HELD_ROWS }
    }
}

impl Axis {
    /// The axis in bytes, of elements of that size.
    fn scaled(&self, size: usize) -> Axis {
        let scale = |[src, dst]: [usize; 2]| [src * size, dst * size];
        let mut axis = *self;
        (axis.near, axis.far) = (scale(self.near), scale(self.far));
        axis
    }

    /// Where a value of the counter lies, and those that follow it.
    #[inline(always)]
    fn offsets(&self, first: usize, side: usize, to: &mut [usize]) {
        let (near, far) = (self.near[side], self.far[side]);
        let mut minor = first;
        let mut base = 0;
        if first >= self.minor {
            minor = first % self.minor;
            base = first / self.minor * far;
        }
        for offset in to {
            *offset = base + minor * near;
            minor += 1;
            if minor == self.minor {
                minor = 0;
                base += far;
            }
        }
    }
}

/// Rows of the destination that are written in turns, and whose lines are not whole yet.
const HELD_ROWS: usize = 32;

type Function = unsafe fn(&mut Task);

/// A kernel compiled for the instructions. Generic, so that it is compiled once for a program that names it, and not for the
/// library.
macro_rules! compiled {
    ($features:literal, $name:ident::<$($argument:tt),*>) => {{
        /// # Safety
        /// Those of the kernel.
        #[target_feature(enable = $features)]
        unsafe fn compiled<const ONCE: bool>(task: &mut Task) {
            // SAFETY: the caller vouches for what the kernel asks, and this function is compiled for its
            // vector's instructions.
            unsafe { $name::<$($argument),*>(task) }
        }
        compiled::<true> as Function
    }};
}

/// The kernels for rows, by the bytes of an element and the number of rows.
macro_rules! woven {
    ($features:literal $vector:ident $name:ident $which:expr) => {
        woven!($features $vector $name $which; 1 2, 1 4, 1 8, 2 2, 2 4, 4 2, 4 4, 8 2)
    };
    ($features:literal $vector:ident $name:ident $which:expr; $($w:literal $k:literal),*) => {
        match $which {
            $(
                ($w, $k, false) => compiled!($features, $name::<$vector, $w, $k, false>),
                ($w, $k, true) => compiled!($features, $name::<$vector, $w, $k, true>),
            )*
            _ => return None,
        }
    };
}

/// A function that has the kernels of an instruction set: its vector, and those in which squares are transposed, of which a
/// lane has `k` elements of `w` bytes.
macro_rules! kernels {
    ($function:ident $features:literal $vector:ident; $($square:ident $w:literal $k:literal,)*) => {
        /// The kernel for a plan, elements of `w` bytes moved as one.
        #[inline]
        const fn $function(block: &KernelBlock, w: usize, streams: bool) -> Option<Function> {
            let streams = streams && STREAMS;
            Some(match block.kernel {
                Kernel::Run if streams => compiled!($features, runs::<$vector, true>),
                Kernel::Run => compiled!($features, runs::<$vector, false>),
                Kernel::Interleave if is_line(block, w) => {
                    woven!($features $vector interleave_line (w, block.q.total, streams))
                }
                Kernel::Interleave => {
                    woven!($features $vector interleave (w, block.q.total, streams))
                }
                Kernel::Deinterleave if block.q.total > block.q.minor => {
                    woven!($features $vector deinterleave_short (w, block.p.total, streams))
                }
                Kernel::Deinterleave => {
                    woven!($features $vector deinterleave (w, block.p.total, streams))
                }
                Kernel::Transpose => match (w, streams) {
                    $(
                        ($w, false) => compiled!($features, transpose::<$square, $w, $k, false>),
                        ($w, true) => compiled!($features, transpose::<$square, $w, $k, true>),
                    )*
                    _ => return None,
                },
                Kernel::General => match w {
                    1 => compiled!($features, stretches::<$vector, 1>),
                    2 => compiled!($features, stretches::<$vector, 2>),
                    4 => compiled!($features, stretches::<$vector, 4>),
                    8 => compiled!($features, stretches::<$vector, 8>),
                    16 => compiled!($features, stretches::<$vector, 16>),
                    _ => return None,
                },
                Kernel::Strided => return None,
            })
        }
    };
}

// Below the macros, which they use.
#[cfg_attr(target_arch = "x86_64", path = "vectors/x86_64.rs")]
#[cfg_attr(target_arch = "aarch64", path = "vectors/aarch64.rs")]
#[cfg_attr(target_arch = "wasm32", path = "vectors/wasm32.rs")]
mod machine;

/// The kernels for a plan: of each instruction set one, and one that stores around the cache.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct Kernels {
    of_sets: [[Option<Function>; 2]; SETS.len()],
    /// Bytes that they move as one.
    wide: usize,
    exchange: Option<Exchange>,
}

impl Kernels {
    /// The kernels for a plan of elements of `element` bytes. Inlined, since it names all kernels: where the plan is a
    /// constant, only those that are chosen become part of the program.
    #[inline]
    pub(in crate::relayout) const fn of(plan: &Plan, element: usize) -> Kernels {
        let block = &KernelBlock::new(plan);
        let exchange = Exchange::of(plan, element);
        let (mut of_sets, wide) = ([[None; 2]; SETS.len()], element * block.wide);
        let mut at = 0;
        while at < SETS.len() {
            let set = SETS[at];
            of_sets[at] = [kernel(set, block, wide, false), kernel(set, block, wide, true)];
            at += 1;
        }
        Kernels { of_sets, wide, exchange }
    }

    /// What moves the elements by exchanging bits, if that is to be done.
    pub(in crate::relayout) const fn exchange(&self) -> Option<Exchange> {
        self.exchange
    }

    /// The kernel of an instruction set, if it moves as many bytes as one.
    fn of_set(&self, set: InstructionSet, wide: usize, streams: bool) -> Option<Function> {
        let at = SETS.iter().position(|of_table| *of_table == set)?;
        self.of_sets[at][usize::from(streams)].filter(|_| self.wide == wide)
    }
}

/// Moves elements between slices by a kernel, and what it does not do by the portable ones.
struct Vectors<'a, U> {
    src: &'a [U],
    /// The destination; nothing else refers to it while this lives.
    dst: *mut U,
    length: usize,
    function: Function,
    /// What moves blocks that the kernel does not.
    by: MoveBlocks<U>,
    nest: &'a Nest,
    /// Whether what the kernel takes to be contiguous is so.
    fits: bool,
    /// What the kernel does, of which a batch changes little.
    task: Task<'a>,
    lives: PhantomData<&'a mut [U]>,
}

impl<'a, U: Copy + 'static> Vectors<'a, U> {
    /// By the portable kernels.
    fn portable<R>(&mut self, then: impl FnOnce(&mut Portable<U>) -> R) -> R {
        // SAFETY: these are the parts of the slice that this was made of, which is borrowed for as long. No
        // reference to it is in use: the kernels have pointers, and do not run meanwhile.
        let dst = unsafe { from_raw_parts_mut(self.dst, self.length) };
        then(&mut Portable { src: self.src, dst, by: self.by })
    }

    /// Whether all that batches touch lies within the slices, each block these parts of them.
    #[inline(always)]
    fn contains(&self, first: &Batch, count: usize, step: [usize; 2], block: [usize; 2]) -> bool {
        let last = |count: usize, step: usize| count.saturating_sub(1).saturating_mul(step);
        let end = |side: usize| {
            let steps = last(first.count, first.step[side]);
            let batches = last(count, step[side]);
            first.at[side].saturating_add(steps).saturating_add(batches).saturating_add(block[side])
        };
        end(0) <= self.src.len() && end(1) <= self.length
    }
}

/// Whether rows that are taken apart and go on in further tiles have whole lines in each. `size` is that of an element.
fn has_whole_tiles(block: &KernelBlock, size: usize) -> bool {
    let KernelBlock { kernel, wide, q, p, .. } = block;
    let tile = q.minor.saturating_mul(p.total).saturating_mul(wide * size);
    *kernel != Kernel::Deinterleave || q.total == q.minor || tile.is_multiple_of(LINE)
}

impl<U: Copy + 'static> Vectors<'_, U> {
    /// Moves the elements with stores that go around the cache. Out of line: what it holds would make each small copy's
    /// stack as large.
    #[inline(never)]
    fn walk_around_cache<const GENERAL: bool>(&mut self, copying: &Copying, by_source: bool) {
        let mut carries = [Carry::EMPTY; HELD_ROWS];
        let mut rows = [HeldRow::EMPTY; HELD_ROWS];
        let task = Task { carries: &mut carries, rows: &mut rows, ..self.task };
        let mut vectors = Vectors { task, lives: PhantomData, ..*self };
        copying.walk::<GENERAL, _>(by_source, &mut vectors);
        // SAFETY: the destination is still borrowed, and what is held belongs to it: `batches` and `stretches` checked
        // each task. There is a `function`, so that the processor has at least the smallest set with vectors.
        unsafe {
            for carry in vectors.task.carries {
                carry.flush();
            }
            for row in vectors.task.rows {
                row.flush::<Smallest>();
            }
            fence();
        }
    }
}

/// Whether the destination's rows that begin within the innermost loop over the source are few enough to be held.
fn holds_rows(plan: &Plan, block: &KernelBlock) -> bool {
    let rows = match block.kernel {
        Kernel::Run => 1,
        Kernel::Deinterleave if block.q.total == block.q.minor => block.p.total,
        _ => return false,
    };
    let innermost = plan.by_source[..plan.inner.into()].last();
    innermost.is_some_and(|&number| {
        native(plan.loops[usize::from(number)].extent).saturating_mul(rows) <= HELD_ROWS
    })
}

impl<U: Copy + 'static> Mover for Vectors<'_, U> {
    fn stretches(&mut self, stretches: &Stretches) {
        if stretches.end(0) > self.src.len() || stretches.end(1) > self.length {
            return self.portable(|portable| portable.stretches(stretches));
        }
        self.task.stretches = core::ptr::from_ref(stretches).cast();
        // SAFETY: the function is for the element's size (`of_set` compares it), for the general path, and for an instruction
        // set that the processor has. All pieces of all rows lie within the source and the destination (`end`
        // looked), which do not overlap since the destination is borrowed mutably. What the task holds back is
        // written at the `flush` of `walk_around_cache`, while that borrow lives.
        unsafe { (self.function)(&mut self.task) }
    }

    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        self.portable(|portable| portable.elements(at, count, step));
    }

    fn blocks(&mut self, block: &KernelBlock, batch: &Batch) {
        self.batches(block, batch, 1, [0; 2]);
    }

    fn batches(&mut self, block: &KernelBlock, first: &Batch, count: usize, step: [usize; 2]) {
        let (q, p) = (&block.q, &block.p);
        let (fits, extents) = if first.q == q.total && first.p == p.total {
            (self.fits, self.nest.whole)
        } else {
            let has_all_rows = match block.kernel {
                Kernel::Interleave => first.q == q.total,
                Kernel::Deinterleave => first.p == p.total,
                _ => true,
            };
            let extents = [0, 1].map(|side| block.extent(first.q, first.p, side));
            (self.fits && has_all_rows, extents)
        };
        if !(fits && self.contains(first, count, step, extents)) {
            return self.portable(|portable| portable.batches(block, first, count, step));
        }
        let size = size_of::<U>();
        let task = &mut self.task;
        task.src = self.src.as_ptr().wrapping_add(first.at[0]).cast();
        task.dst = self.dst.wrapping_add(first.at[1]).cast();
        task.count = first.count;
        task.step = [first.step[0] * size, first.step[1] * size];
        task.q = first.q;
        task.p = if block.kernel == Kernel::Run { first.p * block.wide * size } else { first.p };
        for _ in 0..count {
            // SAFETY: the function is for the element's size (`of_set` compares it), and for an instruction set that the
            // processor has (`InstructionSet::best`). It is for this kernel and its number of rows: the function was chosen
            // for the plan, or for the whole of which the plan is a share. A share divides a kernel's loop only by 64 values
            // and more, and rows and blocks of a line have fewer. All that the task
            // touches lies within the source and the destination (`contains` looked, with what is contiguous as
            // `Nest` found), which do not overlap since the destination is borrowed mutably. What the task holds
            // back is written at the `flush` of `walk_around_cache`, while that borrow lives.
            unsafe { (self.function)(task) }
            task.src = task.src.wrapping_add(step[0] * size);
            task.dst = task.dst.wrapping_add(step[1] * size);
        }
    }
}

/// Moves the elements with the vectors of an instruction set, if it has a kernel for the plan. False, and
/// nothing is moved, if not.
pub(in super::super) fn copy<const GENERAL: bool, U: Copy + 'static>(
    copying: &Copying<'_>,
    by: MoveBlocks<U>,
    src: &[U],
    dst: &mut [U],
    set: Option<InstructionSet>,
    streams: bool,
) -> bool {
    // More than the processor has cannot be forced, so that it has the instructions of `function`.
    let best = InstructionSet::best();
    let set = set.map_or(best, |set| set.min(best));
    let plan = &copying.plan;
    let nest = &copying.nest;
    let block = &nest.block;
    let size = size_of::<U>();
    let streams = streams && STREAMS;
    let Some(function) = copying.kernels.of_set(set, size * block.wide, streams) else {
        return false;
    };
    let is_aligned = streams
        && dst.as_ptr().addr().is_multiple_of(LINE)
        && plan.loops[..plan.inner.into()]
            .iter()
            .all(|outer| (native(outer.dst) * size).is_multiple_of(LINE));
    let by_source = if streams {
        is_aligned || plan.is_source_tiled && holds_rows(plan, block)
    } else {
        plan.is_source_tiled
    };
    let mut vectors = Vectors {
        src,
        dst: dst.as_mut_ptr(),
        length: dst.len(),
        function,
        by,
        nest,
        fits: nest.is_contiguous && has_whole_tiles(block, size),
        task: Task {
            src: src.as_ptr().cast(),
            dst: dst.as_mut_ptr().cast(),
            count: 0,
            step: [0; 2],
            q: 0,
            p: 0,
            q_src: block.q.near[0] * size,
            p_dst: block.p.near[1] * size,
            q_axis: block.q.scaled(size),
            p_axis: block.p.scaled(size),
            carries: &mut [],
            rows: &mut [],
            stretches: core::ptr::null(),
            streams,
        },
        lives: PhantomData,
    };
    if streams {
        vectors.walk_around_cache::<GENERAL>(copying, by_source);
    } else {
        copying.walk::<GENERAL, _>(by_source, &mut vectors);
    }
    true
}
