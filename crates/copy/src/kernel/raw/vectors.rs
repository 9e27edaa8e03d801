//! Moving elements by kernels: in vectors, or one by one.

pub(super) mod compiled;
pub(super) mod groups;
pub(super) mod kernels;
pub(super) mod moves;
mod pieces;
mod planes;
mod runs;
pub(super) mod square;
mod task;
mod transpose;
mod weave;

use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::slice::from_raw_parts_mut;

use crate::kernel::block::{Batch, KernelBlock, Mover, add, is_few};
use crate::kernel::copying::Copying;
use crate::kernel::nest::Nest;
use crate::kernel::policy;
use crate::kernel::portable::Portable;
use crate::kernel::raw::machine::{STREAMS, fence};
use crate::kernel::raw::memory::Memory;
use crate::kernel::raw::size::LANE;
use crate::kernel::settings::InstructionSet;
use crate::kernel::stretches::Stretches;
use crate::loops::Kernel;
use compiled::Function;
use task::KernelTask;

/// A walk over a copy's elements, by the order of the source or not: of one of the two kinds of plans.
pub(in super::super) type Walker = fn(&Copying<'_>, bool, &mut BytesMover<'_>);

/// Moves elements by a kernel, and what it does not do by safe code.
pub(in super::super) struct BytesMover<'a> {
    src: &'a [MaybeUninit<u8>],
    /// The destination; nothing else refers to it while this lives.
    dst: *mut MaybeUninit<u8>,
    length: usize,
    /// Bytes of an element.
    size: usize,
    /// Elements of the source and of the destination.
    slots: [usize; 2],
    /// If there is a kernel, all bytes of the source are initialised, or it takes no element apart.
    function: Option<Function>,
    /// What moves elements whole: those of the general path, and of blocks that are not for that kernel.
    moves: Option<Function>,
    nest: &'a Nest,
    /// Whether what the kernel takes to be contiguous is so.
    fits: bool,
    /// What the kernel does, of which a batch changes little.
    task: KernelTask<'a>,
    lives: PhantomData<&'a mut [u8]>,
}

impl BytesMover<'_> {
    /// By safe code.
    fn portable<R>(&mut self, then: impl FnOnce(&mut Portable<'_>) -> R) -> R {
        // SAFETY: these are the parts of the slice that this was made of, which is borrowed for as long. No
        // reference to it is in use: the kernels have pointers, and do not run meanwhile.
        let dst = unsafe { from_raw_parts_mut(self.dst, self.length) };
        then(&mut Portable { src: self.src, dst, size: self.size })
    }

    /// Batches some of whose steps are below 0, which kernels do not take: block by block.
    #[cold]
    fn backwards(&mut self, block: &KernelBlock, first: &Batch, count: usize, step: [usize; 2]) {
        for row in 0..count {
            for number in 0..first.count {
                let at = add(add(first.at, step, row), first.step, number);
                let one = Batch { at, count: 1, step: [0; 2], ..*first };
                self.batches(block, &one, 1, [0; 2]);
            }
        }
    }

    /// Whether all that batches touch lies within the slices; no step is below 0. Each block touches as much before its first
    /// element and from there on as `spans` says.
    #[inline(always)]
    fn contains(
        &self,
        first: &Batch,
        count: usize,
        step: [usize; 2],
        spans: [[usize; 2]; 2],
    ) -> bool {
        let last = |count: usize, step: usize| count.saturating_sub(1).saturating_mul(step);
        let is_within = |side: usize| {
            let [before, after] = spans[side];
            let steps = last(first.count, first.step[side]);
            let batches = last(count, step[side]);
            let end = first.at[side].saturating_add(steps).saturating_add(batches);
            before <= first.at[side] && end.saturating_add(after) <= self.slots[side]
        };
        is_within(0) && is_within(1)
    }
}

impl Mover for BytesMover<'_> {
    fn stretches(&mut self, stretches: &Stretches) {
        let is_within = stretches.end(0) <= self.slots[0] && stretches.end(1) <= self.slots[1];
        let Some(function) = self.moves.filter(|_| is_within) else {
            return self.portable(|portable| portable.stretches(stretches));
        };
        // SAFETY: the function is for the element's size (`of_any` compares it) and for the general path, and moves elements whole. All
        // pieces of all rows lie within the source and the destination (`end` looked), which do not overlap since the destination is borrowed
        // mutably.
        unsafe { function(&mut self.task, stretches) }
    }

    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        self.portable(|portable| portable.elements(at, count, step));
    }

    fn blocks(&mut self, block: &KernelBlock, batch: &Batch) {
        self.batches(block, batch, 1, [0; 2]);
    }

    fn batches(&mut self, block: &KernelBlock, first: &Batch, mut count: usize, step: [usize; 2]) {
        if (first.step[0] | first.step[1] | step[0] | step[1]).cast_signed() < 0 {
            return self.backwards(block, first, count, step);
        }
        let (q, p) = (&block.q, &block.p);
        let is_whole = first.q == q.total && first.p == p.total;
        let (fits, spans) = if is_whole && self.nest.is_forward {
            (self.fits, self.nest.whole.map(|after| [0, after]))
        } else {
            // A kernel for a few rows takes all of them.
            let has_all_rows = match block.kernel {
                Kernel::Interleave | Kernel::Deinterleave | Kernel::Transpose => {
                    let is_all = |count, all| count == all || !is_few(all);
                    is_all(first.q, q.total) && is_all(first.p, p.total)
                }
                _ => true,
            };
            let spans = [0, 1].map(|side| block.span(first.q, first.p, side));
            (self.fits && has_all_rows, spans)
        };
        let function = self.function.filter(|_| fits).or(self.moves);
        let is_within = self.contains(first, count, step, spans);
        let Some(function) = function.filter(|_| is_within) else {
            return self.portable(|portable| portable.batches(block, first, count, step));
        };
        let size = self.size;
        let task = &mut self.task;
        task.src = self.src.as_ptr().wrapping_add(first.at[0] * size).cast();
        task.dst = self.dst.wrapping_add(first.at[1] * size).cast();
        task.count = first.count;
        task.step = [first.step[0] * size, first.step[1] * size];
        task.q = first.q;
        task.p = first.p;
        if block.kernel == Kernel::Run {
            task.p *= block.wide * size;
            // The kernel goes through the batches.
            (task.q, count) = (count, count.min(1));
            [task.q_src, task.p_dst] = step.map(|step| step * size);
        }
        for _ in 0..count {
            // SAFETY: the function is for the element's size (`of_set` compares it), and for an instruction set that the
            // processor has (`InstructionSet::best`); all bytes of the source are initialised, or the kernel moves elements whole, and kernels read no others. It is for this kernel and its number of rows: the function was chosen
            // for the plan, or for the whole of which the plan is a share. A share divides a kernel's loop only by 64 values
            // and more, and rows and blocks of a line have fewer. All that the task
            // touches lies within the source and the destination (`contains` looked, with what is contiguous as
            // `Nest` found), which do not overlap since the destination is borrowed mutably.
            unsafe { function(task, &Stretches { rows: &[], pieces: &[] }) }
            task.src = task.src.wrapping_add(step[0] * size);
            task.dst = task.dst.wrapping_add(step[1] * size);
        }
    }
}

/// Moves the elements with the vectors of an instruction set, if it has a kernel for the plan and elements are plain numbers;
/// else by safe code.
pub(in super::super) fn copy(
    copying: &Copying<'_>,
    memory: Memory<'_>,
    size: usize,
    set: Option<InstructionSet>,
    walk: Walker,
) {
    // More than the processor has cannot be forced, so that it has the instructions of `function`.
    let best = InstructionSet::best();
    let set = set.map_or(best, |set| set.min(best));
    let nest = copying.nest;
    let vectors = &copying.kernels.vectors;
    let block = &nest.block;
    let wide = size * block.wide;
    // Elements of a lane are moved one by one as fast.
    let are_plain = memory.are_plain();
    let takes_vectors = are_plain && wide < LANE;
    let in_vectors = vectors
        .of_set(set, wide)
        .filter(|_| takes_vectors || matches!(block.kernel, Kernel::Run | Kernel::Strided));
    let Memory { src, dst, .. } = memory;
    let slots = [src.len(), dst.len()].map(|bytes| bytes.checked_div(size).unwrap_or(0));
    let streams = STREAMS
        && are_plain
        && in_vectors.is_some()
        && dst.len() >= policy::STREAMED
        && copying.kernels.may_stream;
    let by_source = streams || copying.kernels.by_source;
    // Taken once: a second one would be another borrow, which ends the first one.
    let (length, dst) = (dst.len(), dst.as_mut_ptr());
    let mut task = KernelTask::new(src.as_ptr().cast(), dst.cast(), block, size);
    (task.are_plain, task.streams) = (are_plain, streams);
    let mut mover = BytesMover {
        src,
        dst,
        length,
        size,
        slots,
        function: in_vectors,
        moves: vectors.of_any(wide),
        nest,
        fits: nest.is_contiguous,
        task,
        lives: PhantomData,
    };
    walk(copying, by_source, &mut mover);
    if streams {
        fence();
    }
}
