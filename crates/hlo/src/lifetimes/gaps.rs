//! Best fit: a block takes the smallest gap that is large enough at all of its steps.

use alloc::collections::{BTreeMap, BTreeSet, BinaryHeap};
use alloc::vec;
use alloc::vec::Vec;
use core::cmp::Reverse;
use core::iter::successors;
use core::ops::Range;

/// A time at which a place is taken: the first and the last step.
#[derive(Clone, Copy)]
pub(super) struct Time {
    pub place: u32,
    pub bytes: u64,
    pub first: u32,
    pub last: u32,
}

pub(super) fn bytes(times: &[Time]) -> u64 {
    times.iter().map(|time| time.bytes).max().unwrap_or(0)
}

pub(super) fn last(times: &[Time]) -> u32 {
    times.iter().map(|time| time.last).max().unwrap_or(0)
}

/// Ranges of bytes that are looked at before a search takes too long: for each time, and for all of them at least. Programs that
/// compilers print need at most 22 for each, random lifetimes a fifth of the number of blocks.
const RANGES: [usize; 2] = [1 << 7, 1 << 20];

/// The end of the last block, where each takes its place in this order.
///
/// If the search takes too long, the order is that of first steps, and each block is taken from its first to its last step: that
/// is a packing too, of a few more bytes in most cases, but not the compiler's.
pub(super) fn placed(blocks: &[&[Time]]) -> u64 {
    let is_in_order =
        blocks.iter().all(|it| it.len() == 1) && blocks.is_sorted_by_key(|it| it[0].first);
    let found = if is_in_order { None } else { placed_in_turn(blocks) };
    found.unwrap_or_else(|| {
        let whole = |it: &&[Time]| Time { bytes: bytes(it), last: last(it), ..it[0] };
        let mut blocks = blocks.iter().map(whole).collect::<Vec<_>>();
        blocks.sort_by_key(|it| it.first);
        placed_in_order(&blocks)
    })
}

/// The end of the last block, of blocks in the order of their first steps: what is taken is what has not ended.
fn placed_in_order(blocks: &[Time]) -> u64 {
    let (mut taken, mut end, mut most) = (BinaryHeap::new(), 0, 0);
    // Gaps below the end, by their starts and by their sizes.
    let (mut gaps, mut sizes) = (BTreeMap::new(), BTreeSet::new());
    for block in blocks.iter().filter(|it| it.bytes > 0) {
        while let Some(&Reverse((last, mut start, mut stop))) = taken.peek()
            && last < block.first
        {
            taken.pop();
            if let Some((&before, &it)) =
                gaps.range(..start).next_back().filter(|it| *it.1 == start)
            {
                gaps.remove(&before);
                sizes.remove(&(it - before, before));
                start = before;
            }
            if let Some(it) = gaps.remove(&stop) {
                sizes.remove(&(it - stop, stop));
                stop = it;
            }
            if stop == end {
                end = start;
            } else {
                gaps.insert(start, stop);
                sizes.insert((stop - start, start));
            }
        }
        let gap = sizes.range((block.bytes, 0)..).next().copied();
        let start = gap.map_or(end, |(_, start)| start);
        let stop = start.saturating_add(block.bytes);
        if let Some((size, _)) = gap {
            gaps.remove(&start);
            sizes.remove(&(size, start));
            if size > block.bytes {
                gaps.insert(stop, start + size);
                sizes.insert((size - block.bytes, stop));
            }
        }
        end = end.max(stop);
        most = most.max(stop);
        taken.push(Reverse((block.last, start, stop)));
    }
    most
}

/// Ranges of bytes in ascending order, none of which touch.
type Ranges = Vec<Range<u64>>;

/// The end of the last block. `None`: it takes too long.
fn placed_in_turn(blocks: &[&[Time]]) -> Option<u64> {
    // The leaves of two trees are the steps at which a time begins. A node has the ranges that are taken at all leaves below it, or
    // those that are taken from one of these on.
    let mut firsts = blocks.iter().copied().flatten().map(|it| it.first).collect::<Vec<_>>();
    let mut ranges_left = firsts.len().saturating_mul(RANGES[0]).max(RANGES[1]);
    firsts.sort_unstable();
    firsts.dedup();
    let leaves = |time: &Time| {
        let start = firsts.partition_point(|it| *it < time.first);
        firsts.len() + start..firsts.len() + firsts.partition_point(|it| *it <= time.last)
    };
    let mut held = vec![Ranges::new(); 2 * firsts.len()];
    let mut begun = held.clone();
    let (mut end, mut ranges) = (0, Vec::new());
    for (times, bytes) in blocks.iter().map(|it| (it, bytes(it))).filter(|it| it.1 > 0) {
        ranges.clear();
        for leaves in times.iter().map(leaves) {
            let known = ranges.len();
            above(leaves.start).for_each(|it| ranges.extend_from_slice(&held[it]));
            let later = within(leaves.start + 1..leaves.end);
            later.for_each(|it| ranges.extend_from_slice(&begun[it]));
            ranges_left = ranges_left.checked_sub(ranges.len() - known)?;
        }
        let start = smallest_gap(&mut ranges, bytes);
        let range = start..start.saturating_add(bytes);
        end = range.end.max(end);
        for leaves in times.iter().map(leaves) {
            above(leaves.start).for_each(|it| add(&mut begun[it], &range));
            within(leaves).for_each(|it| add(&mut held[it], &range));
        }
    }
    Some(end)
}

/// A node and those above it.
fn above(node: usize) -> impl Iterator<Item = usize> {
    successors(Some(node), |node| Some(node / 2).filter(|it| *it > 0))
}

/// The fewest nodes that have these leaves, and no others, below them.
fn within(mut leaves: Range<usize>) -> impl Iterator<Item = usize> {
    let mut open = [None; 2];
    core::iter::from_fn(move || {
        loop {
            if let Some(node) = open.iter_mut().find_map(Option::take) {
                return Some(node);
            }
            if leaves.is_empty() {
                return None;
            }
            let Range { start, end } = leaves;
            open = [(start % 2 == 1).then_some(start), (end % 2 == 1).then_some(end - 1)];
            leaves = start.div_ceil(2)..end / 2;
        }
    })
}

fn add(ranges: &mut Ranges, new: &Range<u64>) {
    let first = ranges.partition_point(|it| it.end < new.start);
    let last = first + ranges[first..].partition_point(|it| it.start <= new.end);
    if let Some(own) = ranges.get(first).filter(|_| first < last) {
        let joined = own.start.min(new.start)..ranges[last - 1].end.max(new.end);
        ranges[first] = joined;
        ranges.drain(first + 1..last);
    } else {
        ranges.insert(first, new.clone());
    }
}

/// Where the smallest gap between ranges begins that has so many bytes, or what lies past them.
fn smallest_gap(ranges: &mut [Range<u64>], bytes: u64) -> u64 {
    // They are a few sorted lists, which a stable sort merges.
    ranges.sort_by_key(|range| range.start);
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
