//! ByteGroups of a few bytes at even steps, which the destination has side by side or at even steps: colours without their alpha, channels in
//! reverse, every other sample. A shuffle brings those of a lane of the source together.

use core::ptr::copy_nonoverlapping;

use crate::kernel::raw::size::LANE;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::task::KernelTask;

/// Bytes of a group, and of a step, at most: a lane has two groups at least.
pub(in crate::kernel::raw) const MOST: usize = LANE / 2;
/// ByteGroups from which on they are moved by lanes.
const MANY: usize = 16;
/// What a shuffle makes 0 of.
const ZERO: u8 = 0x80;

/// ByteGroups of the same shape.
#[derive(Debug)]
pub(in crate::kernel::raw) struct ByteGroups {
    count: usize,
    /// Bytes of a group.
    size: usize,
    /// Bytes from one group to the next, which in the source may be below 0.
    step: isize,
    dst_step: usize,
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
    /// The bytes of a lane of the destination that are no group's, if there are some between groups.
    kept: [u8; LANE],
}

/// ByteGroups as a copy describes them: how many, how far apart in the source and in the destination, and of each how many elements and how
/// far apart these lie in the source. In the destination they lie side by side.
#[derive(Clone, Copy)]
pub(in crate::kernel::raw) struct ByteGroupsOf {
    pub count: usize,
    pub steps: [usize; 2],
    pub elements: usize,
    pub near: usize,
}

impl ByteGroups {
    /// ByteGroups of elements of `width` bytes; steps are in bytes. `None` if they are better moved one by one.
    #[inline(always)]
    pub(in crate::kernel::raw) fn new(of: ByteGroupsOf, width: usize) -> Option<ByteGroups> {
        let ByteGroupsOf { count, steps: [step, dst_step], elements, near } = of;
        let (near, step) = (near.cast_signed(), step.cast_signed());
        let is_short = |bytes: isize| bytes.unsigned_abs() <= MOST;
        if count < MANY || elements > MOST / width || step == 0 || dst_step > MOST {
            return None;
        }
        let size = elements * width;
        if !is_short(step) || !is_short(near) || dst_step < size {
            return None;
        }
        let last = (elements as isize - 1) * near;
        let (low, high) = (last.min(0), last.max(0) + width as isize);
        let (extent, distance) = (low.abs_diff(high), step.unsigned_abs());
        let of_src = LANE.checked_sub(extent)? / distance + 1;
        let in_lane = of_src.min((LANE - size) / dst_step + 1);
        if in_lane < 2 {
            return None;
        }
        let (mut places, mut table) = ([0; MOST], [ZERO; LANE]);
        for (byte, place) in places[..size].iter_mut().enumerate() {
            *place = ((byte / width) as isize * near - low) as u8 + (byte % width) as u8;
        }
        let mut kept: [u8; LANE] = core::array::from_fn(|byte| byte as u8);
        for group in 0..in_lane {
            let further = group * distance;
            let at = if step > 0 { further } else { LANE - extent - further };
            for byte in 0..size {
                table[group * dst_step + byte] = at as u8 + places[byte];
                kept[group * dst_step + byte] = ZERO;
            }
        }
        Some(ByteGroups { count, size, step, dst_step, low, high, places, in_lane, table, kept })
    }

    /// Of a task of single elements, if a digit of it counts those of a group and the other one groups.
    #[inline(always)]
    pub(in crate::kernel::raw::vectors) fn of_elements(
        task: &KernelTask,
        width: usize,
    ) -> Option<ByteGroups> {
        if !task.are_plain {
            return None;
        }
        let ([p, q], [p_axis, q_axis]) = ([task.p, task.q], [task.p_axis(), task.q_axis()]);
        let [[p_src, p_dst], [q_src, q_dst]] = [p_axis.near, q_axis.near];
        let of = if q == 1 && p_dst == width {
            ByteGroupsOf { count: p, steps: [p_src, p_dst], elements: 1, near: 0 }
        } else if q_dst == width && p_dst == q.saturating_mul(width) {
            ByteGroupsOf { count: p, steps: [p_src, p_dst], elements: q, near: q_src }
        } else if p_dst == width && q_dst == p.saturating_mul(width) {
            ByteGroupsOf { count: q, steps: [q_src, q_dst], elements: p, near: p_src }
        } else {
            return None;
        };
        ByteGroups::new(of, width)
    }

    /// Of a task of runs.
    #[inline(always)]
    pub(in crate::kernel::raw::vectors) fn of_runs(task: &KernelTask) -> Option<ByteGroups> {
        if !task.are_plain || task.p > MOST || task.step[1] != task.p {
            return None;
        }
        let of = ByteGroupsOf { count: task.count, steps: task.step, elements: 1, near: 0 };
        ByteGroups::new(of, task.p)
    }

    /// Whether there are bytes between groups of the destination, which are read and written again.
    pub(in crate::kernel::raw) const fn have_gaps(&self) -> bool {
        self.dst_step != self.size
    }

    /// Moves them all, the first of which begins at `src`.
    ///
    /// # Safety
    /// They lie within the source and the destination, all of whose bytes are initialised; of a destination without gaps none need be.
    /// Nobody else reads or writes what lies between groups. The processor has the vector's instructions, which `SHUFFLES`.
    #[inline(always)]
    pub(in crate::kernel::raw) unsafe fn move_all<V: Vector>(&self, src: *const u8, dst: *mut u8) {
        // SAFETY: what the caller vouches for.
        unsafe {
            if self.have_gaps() {
                self.move_lanes::<V, true>(src, dst);
            } else {
                self.move_lanes::<V, false>(src, dst);
            }
        }
    }

    /// # Safety
    /// The conditions of `move_all`; there are `GAPS` or not.
    #[inline(always)]
    unsafe fn move_lanes<V: Vector, const GAPS: bool>(&self, src: *const u8, dst: *mut u8) {
        let ByteGroups { count, size, step, dst_step, low, high, in_lane, .. } = *self;
        let (lanes, distance) = (V::BYTES / LANE, step.unsigned_abs());
        let spans = [(count - 1) * distance + low.abs_diff(high), (count - 1) * dst_step + size];
        let mut at = 0;
        if let [Some(of_src), Some(of_dst)] = spans.map(|bytes| bytes.checked_sub(LANE)) {
            // The last group with which a lane may begin.
            let last = (of_src / distance).min(of_dst / dst_step);
            let start = if step > 0 { low } else { high - LANE as isize };
            let (mut from, mut to) = (src.wrapping_offset(start), dst);
            let (lane, further) = (in_lane as isize * step, in_lane * dst_step);
            while at + (lanes - 1) * in_lane <= last {
                // SAFETY: lanes that begin with groups up to the last one end within what the groups span, on both sides. What a lane
                // writes past its groups is what was there, or the next one writes it again, or the elements below.
                unsafe {
                    // A vector of one lane loads the last one.
                    let [second, second_to] = match lanes {
                        2 => [from.wrapping_offset(lane), to.wrapping_add(further).cast_const()],
                        _ => [from, to.cast_const()],
                    };
                    let mut vector = V::load_lanes(from, second).bytes(&self.table);
                    if GAPS {
                        // Bytes of which one is 0: their sum.
                        let kept = V::load_lanes(to, second_to).bytes(&self.kept);
                        vector = kept.minus(V::ZERO.minus(vector));
                    }
                    vector.store_lane::<0>(to);
                    if lanes == 2 {
                        vector.store_lane::<1>(to.wrapping_add(further));
                    }
                }
                at += lanes * in_lane;
                from = from.wrapping_offset(lanes as isize * lane);
                to = to.wrapping_add(lanes * further);
            }
        }
        for group in at..self.count {
            let from = src.wrapping_offset(group as isize * self.step + self.low);
            let to = dst.wrapping_add(group * self.dst_step);
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
pub(in crate::kernel::raw::vectors) unsafe fn groups_of_blocks<V: Vector>(
    task: &KernelTask,
    groups: &ByteGroups,
) {
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
pub(in crate::kernel::raw::vectors) unsafe fn groups_of_runs<V: Vector>(
    task: &mut KernelTask,
    groups: &ByteGroups,
) {
    while task.q > 0 {
        // SAFETY: what the caller vouches for, of one batch.
        unsafe { groups.move_all::<V>(task.src, task.dst) };
        task.next_batch();
    }
}
