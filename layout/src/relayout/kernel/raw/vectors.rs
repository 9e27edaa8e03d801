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
use core::mem::MaybeUninit;
use core::slice::from_raw_parts_mut;

use layout_core::__private::{Kernel, MOST_ROWS, native};

use crate::relayout::kernel::copying::Copying;
use crate::relayout::kernel::nest::{Axis, Batch, Block, Mover, Nest};
use crate::relayout::kernel::portable::Portable;
use crate::relayout::kernel::settings::InstructionSet;
use crate::relayout::kernel::stretches::Stretches;
use line::{Carry, LINE};
use machine::{STREAMS, Smallest, fence, kernel};
use row::Row;

/// What a kernel does, in bytes: `count` blocks, evenly spaced, of `q` by `p` elements; for runs `p` is
/// their length. `q` lies `q_src` apart in the source where it is one digit, and so on.
struct Task<'a, 'r> {
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
    /// The end of a run that the next one goes on from.
    carry: &'a mut Carry,
    /// Rows of the destination that are not written yet; none where stores do not go around the cache.
    rows: &'a mut [Row<'r>],
    /// What the general path moves, in elements, instead of blocks; it lives while the kernel runs.
    stretches: *const Stretches<'a>,
    /// Whether the general path's stores go around the cache.
    streams: bool,
}

impl Task<'_, '_> {
    /// Where a block lies.
    #[inline(always)]
    fn place(&self, i: usize) -> (*const u8, *mut u8) {
        (self.src.wrapping_add(i * self.step[0]), self.dst.wrapping_add(i * self.step[1]))
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

type Function = unsafe fn(&mut Task);

/// A kernel compiled for the instructions.
macro_rules! compiled {
    ($features:literal, $name:ident::<$($argument:tt),*>) => {{
        /// # Safety
        /// Those of the kernel.
        #[target_feature(enable = $features)]
        unsafe fn compiled(task: &mut Task) {
            // SAFETY: the caller vouches for what the kernel asks, and this function is compiled for its
            // vector's instructions.
            unsafe { $name::<$($argument),*>(task) }
        }
        compiled as Function
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
        fn $function(block: &Block, w: usize, streams: bool) -> Option<Function> {
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

/// Moves elements between slices by a kernel, and what it does not do by the portable ones.
struct Vectors<'a, U> {
    src: &'a [U],
    /// The destination; nothing else refers to it while this lives.
    dst: *mut U,
    length: usize,
    function: Function,
    nest: &'a Nest,
    /// Whether what the kernel takes to be contiguous is so.
    fits: bool,
    /// What the kernel does, of which a batch changes little.
    task: Task<'a, 'a>,
    lives: PhantomData<&'a mut [U]>,
}

impl<'a, U: Copy + 'static> Vectors<'a, U> {
    /// By the portable kernels.
    fn portable<R>(&mut self, then: impl FnOnce(&mut Portable<U>) -> R) -> R {
        // SAFETY: these are the parts of the slice that this was made of, which is borrowed for as long. No
        // reference to it is in use: the kernels have pointers, and do not run meanwhile.
        let dst = unsafe { from_raw_parts_mut(self.dst, self.length) };
        then(&mut Portable { src: self.src, dst })
    }

    /// Whether all that a batch touches lies within the slices, each block these parts of them.
    #[inline(always)]
    fn contains(&self, batch: &Batch, block: [usize; 2]) -> bool {
        let end = |side: usize| {
            let steps = batch.count.saturating_sub(1).saturating_mul(batch.step[side]);
            batch.at[side].saturating_add(steps).saturating_add(block[side])
        };
        end(0) <= self.src.len() && end(1) <= self.length
    }
}

/// Whether rows that are taken apart and go on in further tiles have whole lines in each. `size` is that of an element.
fn has_whole_tiles(block: &Block, size: usize) -> bool {
    let Block { kernel, wide, q, p, .. } = block;
    let tile = q.minor.saturating_mul(p.total).saturating_mul(wide * size);
    *kernel != Kernel::Deinterleave || q.total == q.minor || tile.is_multiple_of(LINE)
}

impl<U: Copy + 'static> Mover for Vectors<'_, U> {
    fn stretches(&mut self, stretches: &Stretches) {
        if stretches.end(0) > self.src.len() || stretches.end(1) > self.length {
            return self.portable(|portable| portable.stretches(stretches));
        }
        self.task.stretches = core::ptr::from_ref(stretches).cast();
        // SAFETY: `copy` chose the function for the element's size, for the general path, and for an instruction
        // set that the processor has. All pieces of all rows lie within the source and the destination (`end`
        // looked), which do not overlap since the destination is borrowed mutably. What the task holds back is
        // written at the `flush` of `copy`, while that borrow lives.
        unsafe { (self.function)(&mut self.task) }
    }

    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        self.portable(|portable| portable.elements(at, count, step));
    }

    fn blocks(&mut self, block: &Block, batch: &Batch) {
        let (q, p) = (&block.q, &block.p);
        let (fits, extents) = if batch.q == q.total && batch.p == p.total {
            (self.fits, self.nest.whole)
        } else {
            let has_all_rows = match block.kernel {
                Kernel::Interleave => batch.q == q.total,
                Kernel::Deinterleave => batch.p == p.total,
                _ => true,
            };
            let extents = [0, 1].map(|side| block.extent(batch.q, batch.p, side));
            (self.fits && has_all_rows, extents)
        };
        if !(fits && self.contains(batch, extents)) {
            return self.portable(|portable| portable.blocks(block, batch));
        }
        let size = size_of::<U>();
        let task = &mut self.task;
        task.src = self.src.as_ptr().wrapping_add(batch.at[0]).cast();
        task.dst = self.dst.wrapping_add(batch.at[1]).cast();
        task.count = batch.count;
        task.step = [batch.step[0] * size, batch.step[1] * size];
        task.q = batch.q;
        task.p = if block.kernel == Kernel::Run { batch.p * block.wide * size } else { batch.p };
        // SAFETY: `copy` chose the function for the element's size, for this kernel and its number of rows,
        // and for an instruction set that the processor has (`InstructionSet::best`). All that the task
        // touches lies within the source and the destination (`contains` looked, with what is contiguous as
        // `Nest` found), which do not overlap since the destination is borrowed mutably. What the task holds
        // back is written at the `flush` of `copy`, while that borrow lives.
        unsafe { (self.function)(task) }
    }
}

/// Moves the elements with the vectors of an instruction set, if it has a kernel for the plan. False, and
/// nothing is moved, if not.
pub(in super::super) fn copy<U: Copy + 'static>(
    copying: &Copying<'_>,
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
    let Some(function) = kernel(set, block, size * block.wide, streams) else { return false };
    let is_aligned = streams
        && dst.as_ptr().addr().is_multiple_of(LINE)
        && plan.loops[..plan.inner.into()]
            .iter()
            .all(|outer| (native(outer.dst) * size).is_multiple_of(LINE));
    let by_source = if streams { is_aligned } else { plan.is_source_tiled };
    let bytes = |count: usize| count * size;
    let length = dst.len();
    let dst = dst.as_mut_ptr();
    let mut carry = Carry::EMPTY;
    let mut memory = MaybeUninit::uninit();
    let mut rows = MaybeUninit::<[Row; MOST_ROWS]>::uninit();
    let mut vectors = Vectors {
        src,
        dst,
        length,
        function,
        nest,
        fits: nest.is_contiguous && has_whole_tiles(block, size),
        task: Task {
            src: src.as_ptr().cast(),
            dst: dst.cast(),
            count: 0,
            step: [0; 2],
            q: 0,
            p: 0,
            q_src: bytes(block.q.near[0]),
            p_dst: bytes(block.p.near[1]),
            q_axis: block.q.scaled(size),
            p_axis: block.p.scaled(size),
            carry: &mut carry,
            rows: if streams { rows.write(Row::of(&mut memory)) } else { &mut [] },
            stretches: core::ptr::null(),
            streams,
        },
        lives: PhantomData,
    };
    copying.walk(by_source, &mut vectors);
    // Only what goes around the cache is held.
    if streams {
        // SAFETY: the destination is still borrowed, and what is held belongs to it: `blocks` and `stretches` checked
        // each task. The kernels wrote all of their rooms. There is a `function`, so that the processor has at least
        // the smallest set with vectors.
        unsafe {
            vectors.task.carry.flush();
            for row in vectors.task.rows {
                row.flush::<Smallest>();
            }
            fence();
        }
    }
    true
}
