//! The bytes that temporaries take once each has a place.

// As XLA does it: each takes the smallest gap that is large enough all the time that it is there, or else lies past the others. On TPUs
// they come in the order of execution, elsewhere the largest or the longest first.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Kind, Timeline};

/// The most places that are given, to the largest arrays, since the time for them grows with the square; of the others the most
/// bytes in use at once count.
const MOST_PLACES: usize = 1 << 12;

/// A time at which a place is taken: the first and the last step.
#[derive(Clone, Copy)]
struct InUse {
    place: u32,
    bytes: u64,
    first: u32,
    last: u32,
}

impl Timeline {
    /// The bytes of memory that hold all temporaries in HBM: a block for each memory space of the text, and tables.
    pub(crate) fn allocated(&self, is_tpu: bool) -> u64 {
        // XLA's `CombineTempAllocations` lays all blocks and tables one after the other, each at a multiple of this.
        let unit = if is_tpu { 1 << 14 } else { 256 };
        let own = self.buffers.iter().filter(|it| it.leaf.space == HBM);
        let colors = own.map(|it| it.color).collect::<BTreeSet<_>>();
        let blocks = colors.into_iter().map(|color| self.block(color, is_tpu, unit));
        let blocks = blocks.fold(0, u64::saturating_add);
        let slot = |parts: usize| (8 * parts as u64).next_multiple_of(unit);
        let tables = self.tables.iter().map(|it| slot(it.parts) + it.others as u64 * unit);
        blocks.next_multiple_of(unit).saturating_add(tables.sum())
    }

    /// The bytes of the block of the temporaries in a memory space.
    fn block(&self, color: i8, is_tpu: bool, unit: u64) -> u64 {
        let is_own = |it: &&Buffer| it.owner == Kind::Temporary && it.color == color;
        let mut times = Vec::new();
        for &Buffer { leaf, place, first, last, .. } in self.buffers.iter().filter(is_own) {
            let bytes = leaf.bytes.checked_next_multiple_of(unit).unwrap_or(u64::MAX);
            times.push(InUse { place, bytes, first: first as u32, last: last as u32 });
        }
        times.sort_unstable_by_key(|time| (time.place, time.first));
        // On TPUs a place is kept from its first array to its last, elsewhere while there is one in it.
        times.dedup_by(|later, earlier| {
            let is_same = later.place == earlier.place;
            let is_joined = is_same && (is_tpu || later.first <= earlier.last + 1);
            if is_joined {
                earlier.last = earlier.last.max(later.last);
                earlier.bytes = earlier.bytes.max(later.bytes);
            }
            is_joined
        });
        let mut blocks = times.chunk_by(|a, b| a.place == b.place).collect::<Vec<_>>();
        blocks.sort_by_key(|times| Reverse((bytes(times), duration(times))));
        let places = blocks.len().min(MOST_PLACES);
        let (blocks, rest) = blocks.split_at_mut(places);
        let end = match is_tpu {
            true => {
                blocks.sort_by_key(|times| (times[0].first, times[0].last));
                placed(blocks)
            }
            // XLA tries both orders.
            false => {
                let by_size = placed(blocks);
                blocks.sort_by_key(|times| Reverse((duration(times), bytes(times))));
                by_size.min(placed(blocks))
            }
        };
        let rest = rest.iter().copied().flatten();
        let rest = rest.map(|it| ([it.first, it.last].map(|step| step as usize), it.bytes));
        end.saturating_add(self.sums(rest).into_iter().max().unwrap_or(0))
    }
}

fn bytes(times: &[InUse]) -> u64 {
    times.iter().map(|time| time.bytes).max().unwrap_or(0)
}

fn duration(times: &[InUse]) -> u32 {
    times.iter().map(|time| time.last).max().unwrap_or(0) - times[0].first
}

/// Bytes that are taken from a step to another.
#[derive(Clone, Copy)]
struct Taken {
    start: u64,
    end: u64,
    first: u32,
    last: u32,
}

/// The end of the last block, where each takes in this order the smallest gap between those that are there at one of its times, or
/// else lies past them.
fn placed(blocks: &[&[InUse]]) -> u64 {
    // By their start, in one row: to look at all of them is faster than a tree of steps.
    let mut taken = Vec::<Taken>::new();
    let mut most = 0;
    for times in blocks {
        let first = times[0].first;
        let last = first + duration(times);
        let bytes = bytes(times);
        let (mut end, mut best) = (0u64, None);
        for it in &taken {
            let meets = |time: &InUse| it.first <= time.last && time.first <= it.last;
            let is_there = it.first <= last && first <= it.last;
            if !is_there || times.len() > 1 && !times.iter().any(meets) {
                continue;
            }
            let gap = it.start.saturating_sub(end);
            if gap >= bytes && best.is_none_or(|(smallest, _)| gap < smallest) {
                best = Some((gap, end));
            }
            end = end.max(it.end);
        }
        let start = best.map_or(end, |(_, start)| start);
        let end = start.saturating_add(bytes);
        most = most.max(end);
        let at = taken.partition_point(|it| it.start < start);
        let new = times.iter().map(|&InUse { first, last, .. }| Taken { start, end, first, last });
        taken.splice(at..at, new);
    }
    most
}
