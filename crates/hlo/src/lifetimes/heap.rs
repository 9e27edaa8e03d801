//! The bytes that temporaries take once each has a place.

// As XLA does it: each takes the smallest gap that is large enough all the time that it is there, or else lies past the others. On TPUs
// they come in the order of execution, elsewhere the largest first. Small ones, which fill gaps, count as they are in use.

use alloc::collections::BTreeSet;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Kind, Timeline};

/// Arrays that are smaller than this part of all take no place of their own: so many at most are there at a time.
const MOST_AT_A_TIME: u64 = 1 << 14;

/// A time at which a place is taken: the first and the last step.
#[derive(Clone, Copy)]
struct Time {
    place: u32,
    bytes: u64,
    first: u32,
    last: u32,
}

impl Timeline {
    /// The bytes of memory that hold all temporaries in HBM: a block for each memory space of the text, and tables.
    pub(crate) fn allocated(&self, is_tpu: bool) -> u64 {
        let unit = if is_tpu { 1 << 14 } else { 256 };
        let mut colors = self.buffers.iter().filter(|it| it.leaf.space == HBM);
        let colors = colors.by_ref().map(|it| it.color).collect::<BTreeSet<_>>();
        let blocks = colors.into_iter().map(|color| self.block(color, is_tpu, unit));
        let blocks = blocks.fold(0, u64::saturating_add);
        let slot = |parts: usize| (8 * parts as u64).next_multiple_of(unit);
        let tables = self.tables.iter().map(|it| slot(it.parts) + it.others as u64 * unit);
        blocks.next_multiple_of(unit).saturating_add(tables.sum())
    }

    /// The bytes of the block of the temporaries in a memory space.
    fn block(&self, color: i8, is_tpu: bool, unit: u64) -> u64 {
        let most = self.most(HBM).bytes;
        let is_own = |it: &Buffer| it.owner == Kind::Temporary && it.color == color;
        let is_small = |it: &Buffer| it.leaf.bytes <= most / MOST_AT_A_TIME;
        let small = self.uses(|it| is_own(it) && is_small(it)).into_iter().max().unwrap_or(0);
        let mut times = Vec::new();
        let large = self.buffers.iter().filter(|it| is_own(it) && !is_small(it));
        for &Buffer { leaf, place, first, last, .. } in large {
            let bytes = leaf.bytes.checked_next_multiple_of(unit).unwrap_or(u64::MAX);
            times.push(Time { place, bytes, first: first as u32, last: last as u32 });
        }
        times.sort_unstable_by_key(|time| (time.place, time.first));
        if is_tpu {
            times.dedup_by(|later, earlier| {
                let is_same = later.place == earlier.place;
                if is_same {
                    earlier.last = earlier.last.max(later.last);
                    earlier.bytes = earlier.bytes.max(later.bytes);
                }
                is_same
            });
        }
        let mut blocks = times.chunk_by(|a, b| a.place == b.place).collect::<Vec<_>>();
        let steps = self.steps.len();
        let end = match is_tpu {
            true => {
                blocks.sort_by_key(|times| (times[0].first, times[0].last));
                placed(&blocks, steps)
            }
            // XLA tries both orders.
            false => {
                blocks.sort_by_key(|times| Reverse((bytes(times), duration(times))));
                let by_size = placed(&blocks, steps);
                blocks.sort_by_key(|times| Reverse((duration(times), bytes(times))));
                by_size.min(placed(&blocks, steps))
            }
        };
        end.saturating_add(small)
    }
}

fn bytes(times: &[Time]) -> u64 {
    times.iter().map(|time| time.bytes).max().unwrap_or(0)
}

fn duration(times: &[Time]) -> u32 {
    times.iter().map(|time| time.last).max().unwrap_or(0) - times[0].first
}

/// The end of the last block, where each takes its place in this order.
fn placed(blocks: &[&[Time]], steps: usize) -> u64 {
    let mut taken = Taken::new(steps);
    let mut end = 0;
    let mut ranges = Vec::new();
    for times in blocks {
        ranges.clear();
        times.iter().for_each(|time| taken.find(time, &mut ranges));
        let start = smallest_gap(&mut ranges, bytes(times));
        let range = start..start.saturating_add(bytes(times));
        end = range.end.max(end);
        times.iter().for_each(|time| taken.add(time, &range));
    }
    end
}

/// Where the smallest gap between ranges begins that has so many bytes, or what lies past them.
fn smallest_gap(ranges: &mut [Range<u64>], bytes: u64) -> u64 {
    ranges.sort_unstable_by_key(|range| range.start);
    let (mut end, mut best) = (0, None);
    for range in ranges {
        let gap = range.start.saturating_sub(end);
        if gap >= bytes && best.is_none_or(|(smallest, _)| gap < smallest) {
            best = Some((gap, end));
        }
        end = range.end.max(end);
    }
    best.map_or(end, |(_, start)| start)
}

/// Which ranges of bytes are taken at which steps: a tree whose leaves are the steps.
struct Taken {
    leaves: u32,
    nodes: Vec<Node>,
    /// Ranges that are taken at all steps below a node, each with the one before it there.
    ranges: Vec<(Range<u64>, u32)>,
}

#[derive(Clone, Copy)]
struct Node {
    /// The last range.
    last: u32,
    /// Whether ranges are taken at some steps below it.
    is_taken: bool,
}

/// There is no range.
const NONE: u32 = u32::MAX;

impl Taken {
    fn new(steps: usize) -> Taken {
        let leaves = steps.next_power_of_two();
        let nodes = vec![Node { last: NONE, is_taken: false }; 2 * leaves];
        Taken { leaves: leaves as u32, nodes, ranges: Vec::new() }
    }

    fn add(&mut self, time: &Time, range: &Range<u64>) {
        self.visit(1, 0..self.leaves, time, &mut |taken, node, is_within| {
            let node = &mut taken.nodes[node];
            node.is_taken = true;
            if is_within {
                taken.ranges.push((range.clone(), node.last));
                node.last = taken.ranges.len() as u32 - 1;
            }
            !is_within
        });
    }

    /// Adds the ranges that are taken at some of these steps.
    fn find(&mut self, time: &Time, found: &mut Vec<Range<u64>>) {
        self.visit(1, 0..self.leaves, time, &mut |taken, node, _| {
            let mut next = taken.nodes[node].last;
            while let Some((range, before)) = taken.ranges.get(next as usize) {
                found.push(range.clone());
                next = *before;
            }
            taken.nodes[node].is_taken
        });
    }

    /// Calls with the nodes that have some of these steps, and whether all are theirs, from the root on as long as the answer is yes.
    fn visit(
        &mut self,
        node: usize,
        steps: Range<u32>,
        time: &Time,
        each: &mut impl FnMut(&mut Taken, usize, bool) -> bool,
    ) {
        if time.last < steps.start || steps.end <= time.first {
            return;
        }
        let is_within = time.first <= steps.start && steps.end - 1 <= time.last;
        if each(self, node, is_within) && steps.len() > 1 {
            let middle = steps.start + steps.len() as u32 / 2;
            self.visit(2 * node, steps.start..middle, time, each);
            self.visit(2 * node + 1, middle..steps.end, time, each);
        }
    }
}
