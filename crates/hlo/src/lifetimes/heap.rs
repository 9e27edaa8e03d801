//! The bytes that temporaries take once each has a place.

// As XLA does it: each takes the smallest gap that is large enough all the time that it is there, or else lies past the others. On TPUs
// they come in the order of execution, elsewhere the largest first.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::ops::Range;

use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Kind, Timeline};

/// Arrays that take one place.
#[derive(Default)]
struct Block {
    bytes: u64,
    /// The steps from the first to the last one of each time that it is there.
    times: Vec<[usize; 2]>,
}

impl Block {
    fn first(&self) -> usize {
        self.times.iter().map(|[first, _]| *first).min().unwrap_or(0)
    }

    fn duration(&self) -> usize {
        self.times.iter().map(|[_, last]| *last).max().unwrap_or(0) - self.first()
    }
}

impl Timeline {
    /// The bytes of memory that hold all temporaries in HBM.
    pub(crate) fn allocated(&self, is_tpu: bool) -> u64 {
        let unit = if is_tpu { 512 } else { 256 };
        let mut blocks = BTreeMap::<usize, Block>::new();
        let is_wanted = |it: &&Buffer| it.owner == Kind::Temporary && it.leaf.space == HBM;
        for buffer in self.buffers.iter().filter(is_wanted).filter(|it| it.leaf.bytes > 0) {
            let block = blocks.entry(buffer.place).or_default();
            let bytes = buffer.leaf.bytes.checked_next_multiple_of(unit).unwrap_or(u64::MAX);
            block.bytes = block.bytes.max(bytes);
            block.times.push([buffer.first, buffer.last]);
        }
        let mut blocks = blocks.into_values().collect::<Vec<_>>();
        match is_tpu {
            true => blocks.sort_by_key(Block::first),
            false => blocks.sort_by_key(|it| Reverse((it.bytes, it.duration()))),
        }
        placed(&blocks, self.steps.len()).max(self.most(HBM).bytes)
    }
}

/// The end of the last block, where each takes its place in this order.
fn placed(blocks: &[Block], steps: usize) -> u64 {
    let mut taken = Taken::new(steps);
    let mut end = 0;
    for block in blocks {
        let mut ranges = Vec::new();
        block.times.iter().for_each(|time| taken.find(*time, &mut ranges));
        let start = smallest_gap(ranges, block.bytes);
        let range = start..start.saturating_add(block.bytes);
        end = range.end.max(end);
        block.times.iter().for_each(|time| taken.add(*time, &range));
    }
    end
}

/// Where the smallest gap between ranges begins that has so many bytes, or what lies past them.
fn smallest_gap(mut ranges: Vec<Range<u64>>, bytes: u64) -> u64 {
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
    leaves: usize,
    /// Of each node, the root first: the ranges that are taken at all steps below it, and whether any are at some.
    nodes: Vec<(Vec<Range<u64>>, bool)>,
}

impl Taken {
    fn new(steps: usize) -> Taken {
        let leaves = steps.next_power_of_two();
        Taken { leaves, nodes: vec![(Vec::new(), false); 2 * leaves] }
    }

    fn add(&mut self, time: [usize; 2], range: &Range<u64>) {
        self.visit(1, 0, self.leaves, time, &mut |node, is_within| {
            node.1 = true;
            if is_within {
                node.0.push(range.clone());
            }
            !is_within
        });
    }

    /// Adds the ranges that are taken at some of these steps.
    fn find(&mut self, time: [usize; 2], ranges: &mut Vec<Range<u64>>) {
        self.visit(1, 0, self.leaves, time, &mut |node, _| {
            ranges.extend_from_slice(&node.0);
            node.1
        });
    }

    /// Calls with the nodes that have some of these steps, and whether all are theirs, from the root on as long as the answer is yes.
    fn visit(
        &mut self,
        node: usize,
        start: usize,
        steps: usize,
        time: [usize; 2],
        each: &mut impl FnMut(&mut (Vec<Range<u64>>, bool), bool) -> bool,
    ) {
        let end = start + steps;
        if time[1] < start || end <= time[0] {
            return;
        }
        let is_within = time[0] <= start && end - 1 <= time[1];
        if each(&mut self.nodes[node], is_within) && steps > 1 {
            self.visit(2 * node, start, steps / 2, time, each);
            self.visit(2 * node + 1, start + steps / 2, steps / 2, time, each);
        }
    }
}
