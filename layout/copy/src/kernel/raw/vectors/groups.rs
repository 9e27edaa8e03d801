//! Groups of a few bytes at even steps, which the destination has side by side: colours without their alpha, channels in
//! reverse, every other sample. A shuffle brings those of a lane of the source together.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::size::LANE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::task::KernelTask;

/// Bytes of a group, and of a step, at most: a lane has two groups at least.
pub(in crate::kernel::raw) const MOST: usize = LANE / 2;
/// Groups from which on they are moved by lanes.
const MANY: usize = 16;

/// Groups of the same shape.
#[derive(Debug)]
pub(in crate::kernel::raw) struct Groups {
    count: usize,
    /// Bytes of a group, which the next one follows in the destination.
    size: usize,
    /// Bytes from one group to the next in the source.
    step: isize,
    /// The part of the source that a group lies in, from its first byte on.
    low: isize,
    high: isize,
    /// Where each byte lies in that part.
    places: [u8; MOST],
    /// How many groups a lane has, of the source and of the destination.
    in_lane: usize,
    /// Where each byte of a lane of the destination comes from. That of the source begins with its first group, or ends with it where
    /// steps are below 0.
    table: [u8; LANE],
}

impl Groups {
    /// Groups of elements of `width` bytes, which lie `near` bytes apart in the source. `None` if they are better moved one by one.
    #[inline(always)]
    pub(in crate::kernel::raw) fn new(
        [count, step]: [usize; 2],
        [elements, near]: [usize; 2],
        width: usize,
    ) -> Option<Groups> {
        let (near, step) = (near.cast_signed(), step.cast_signed());
        let is_short = |bytes: isize| bytes.unsigned_abs() <= MOST;
        if count < MANY
            || elements > MOST / width
            || step == 0
            || !is_short(step)
            || !is_short(near)
        {
            return None;
        }
        let last = (elements as isize - 1) * near;
        let (low, high) = (last.min(0), last.max(0) + width as isize);
        let (size, extent, distance) = (elements * width, low.abs_diff(high), step.unsigned_abs());
        let in_lane = (LANE.checked_sub(extent)? / distance + 1).min(LANE / size);
        if in_lane < 2 {
            return None;
        }
        let (mut places, mut table) = ([0; MOST], [0; LANE]);
        for (byte, place) in places[..size].iter_mut().enumerate() {
            *place = ((byte / width) as isize * near - low) as u8 + (byte % width) as u8;
        }
        for group in 0..in_lane {
            let further = group * distance;
            let at = if step > 0 { further } else { LANE - extent - further };
            for byte in 0..size {
                table[group * size + byte] = at as u8 + places[byte];
            }
        }
        Some(Groups { count, size, step, low, high, places, in_lane, table })
    }

    /// Of a task of single elements, if a digit of it counts those of a group and the other one groups.
    #[inline(always)]
    pub(super) fn of_elements(task: &KernelTask, width: usize) -> Option<Groups> {
        if !task.are_plain {
            return None;
        }
        let ([p, q], [p_axis, q_axis]) = ([task.p, task.q], [&task.p_axis, &task.q_axis]);
        let [[p_src, p_dst], [q_src, q_dst]] = [p_axis.near, q_axis.near];
        if q == 1 && p_dst == width {
            Groups::new([p, p_src], [1, 0], width)
        } else if q_dst == width && p_dst == q.saturating_mul(width) {
            Groups::new([p, p_src], [q, q_src], width)
        } else if p_dst == width && q_dst == p.saturating_mul(width) {
            Groups::new([q, q_src], [p, p_src], width)
        } else {
            None
        }
    }

    /// Of a task of runs.
    #[inline(always)]
    pub(super) fn of_runs(task: &KernelTask) -> Option<Groups> {
        let [src, dst] = task.step;
        if !task.are_plain || task.p > MOST || dst != task.p {
            None
        } else {
            Groups::new([task.count, src], [1, 0], task.p)
        }
    }

    /// Moves them all, the first of which begins at `src`.
    ///
    /// # Safety
    /// They lie within the source and the destination, all of whose bytes are initialised, and the processor has the vector's
    /// instructions, which `SHUFFLES`.
    #[inline(always)]
    pub(super) unsafe fn move_all<V: Vector>(&self, src: *const u8, dst: *mut u8) {
        let Groups { count, size, step, low, high, in_lane, .. } = *self;
        let (lanes, distance) = (V::BYTES / LANE, step.unsigned_abs());
        let spans = [(count - 1) * distance + low.abs_diff(high), count * size];
        let mut at = 0;
        if let [Some(of_src), Some(of_dst)] = spans.map(|bytes| bytes.checked_sub(LANE)) {
            // The last group with which a lane may begin.
            let last = (of_src / distance).min(of_dst / size);
            let start = if step > 0 { low } else { high - LANE as isize };
            let (mut from, mut to) = (src.wrapping_offset(start), dst);
            let (lane, further) = (in_lane as isize * step, in_lane * size);
            while at + (lanes - 1) * in_lane <= last {
                // SAFETY: lanes that begin with groups up to the last one end within what the groups span, on both sides. What a lane
                // writes past its groups, the next one writes again, or the elements below.
                unsafe {
                    let second = from.wrapping_offset(lane);
                    if lanes == 2 {
                        let vector = V::load_lanes(from, second).bytes(&self.table);
                        vector.store_lane::<0>(to);
                        vector.store_lane::<1>(to.wrapping_add(further));
                    } else {
                        V::load(from).bytes(&self.table).store(to);
                    }
                }
                at += lanes * in_lane;
                from = from.wrapping_offset(lanes as isize * lane);
                to = to.wrapping_add(lanes * further);
            }
        }
        for group in at..self.count {
            let from = src.wrapping_offset(group as isize * self.step + self.low);
            let to = dst.wrapping_add(group * self.size);
            for (byte, place) in self.places[..self.size].iter().enumerate() {
                // SAFETY: a byte of a group that the caller vouches for.
                unsafe {
                    copy_nonoverlapping(
                        from.wrapping_add((*place).into()),
                        to.wrapping_add(byte),
                        1,
                    );
                }
            }
        }
    }
}

/// The groups of a task of single elements, in each of its blocks.
///
/// # Safety
/// They are those of the task, all of which lies within the source and the destination, and the processor has the vector's
/// instructions, which `SHUFFLES`.
#[inline(always)]
pub(super) unsafe fn groups_of_blocks<V: Vector>(task: &KernelTask, groups: &Groups) {
    for block in 0..task.count {
        let (src, dst) = task.place(block);
        // SAFETY: what the caller vouches for, of one block.
        unsafe { groups.move_all::<V>(src, dst) };
    }
}

/// Those of a task of runs, in each of its batches.
///
/// # Safety
/// The conditions of `groups_of_blocks`.
#[inline(always)]
pub(super) unsafe fn groups_of_runs<V: Vector>(task: &mut KernelTask, groups: &Groups) {
    while task.q > 0 {
        // SAFETY: what the caller vouches for, of one batch.
        unsafe { groups.move_all::<V>(task.src, task.dst) };
        task.next_batch();
    }
}
