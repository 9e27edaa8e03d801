//! Moving elements by kernels in vectors.

mod ahead;
pub(super) mod kernels;
mod line;
mod pieces;
mod ragged;
mod row;
mod short_rows;
mod square;
mod task;
mod transpose;
mod weave;

use core::marker::PhantomData;
use core::slice::from_raw_parts_mut;

use layout_core::__private::{Kernel, native};

use crate::relayout::kernel::block::{Batch, KernelBlock, Mover};
use crate::relayout::kernel::nest::Nest;
use crate::relayout::kernel::planned::Copying;
use crate::relayout::kernel::portable::{MoveBlocks, Portable};
use crate::relayout::kernel::raw::machine::{STREAMS, fence};
use crate::relayout::kernel::raw::size::LINE;
use crate::relayout::kernel::settings::InstructionSet;
use crate::relayout::kernel::stretches::Stretches;
use crate::relayout::policy::{self, HELD_ROWS};
use kernels::Function;
use row::HeldRow;
use task::KernelTask;

/// Moves elements between slices by a kernel, and what it does not do by the portable ones.
struct VectorMover<'a, U> {
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
    task: KernelTask<'a>,
    lives: PhantomData<&'a mut [U]>,
}

impl<'a, U: Copy + 'static> VectorMover<'a, U> {
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

impl<U: Copy + 'static> VectorMover<'_, U> {
    /// Moves the elements with stores that go around the cache. Out of line: what it holds would make each small copy's
    /// stack as large.
    #[inline(never)]
    fn walk_around_cache<const GENERAL: bool>(&mut self, copying: &Copying, by_source: bool) {
        let mut rows = [HeldRow::EMPTY; HELD_ROWS];
        let task = KernelTask { rows: &mut rows, ..self.task };
        let mut vectors = VectorMover { task, lives: PhantomData, ..*self };
        copying.walk::<GENERAL, _>(by_source, &mut vectors);
        // SAFETY: the destination is still borrowed, and what is held belongs to it: `batches` and `stretches` checked
        // each task. There is a `function`, so that the processor has at least the smallest set with vectors.
        unsafe {
            for row in vectors.task.rows {
                row.flush();
            }
        }
        fence();
    }
}

impl<U: Copy + 'static> Mover for VectorMover<'_, U> {
    fn stretches(&mut self, stretches: &Stretches) {
        if stretches.end(0) > self.src.len() || stretches.end(1) > self.length {
            return self.portable(|portable| portable.stretches(stretches));
        }
        // SAFETY: the function is for the element's size (`of_set` compares it), for the general path, and for an instruction
        // set that the processor has. All pieces of all rows lie within the source and the destination (`end`
        // looked), which do not overlap since the destination is borrowed mutably. What the task holds back is
        // written at the `flush` of `walk_around_cache`, while that borrow lives.
        unsafe { (self.function)(&mut self.task, stretches) }
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
            unsafe { (self.function)(task, &Stretches { rows: &[], pieces: &[] }) }
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
    let Some(function) = copying.kernels.in_vectors.of_set(set, size * block.wide, streams) else {
        return false;
    };
    let is_aligned = || {
        let mut outer = plan.loops[..plan.inner.into()].iter();
        dst.as_ptr().addr().is_multiple_of(LINE)
            && outer.all(|outer| (native(outer.dst) * size).is_multiple_of(LINE))
    };
    let by_source = policy::goes_by_source(plan, block, streams.then(is_aligned));
    let mut vectors = VectorMover {
        src,
        dst: dst.as_mut_ptr(),
        length: dst.len(),
        function,
        by,
        nest,
        fits: nest.is_contiguous && has_whole_tiles(block, size),
        task: KernelTask {
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
            rows: &mut [],
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
