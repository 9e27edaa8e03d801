//! The bytes that temporaries take once each has a place.

// As XLA does it: each takes the smallest gap that is large enough all the time that it is there, or else lies past the others. On TPUs
// they come in the order of execution, elsewhere the largest or the longest first.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

use crate::lifetimes::gaps::{Time, bytes, last, placed};
use crate::lifetimes::usage::HBM;
use crate::lifetimes::{Buffer, Kind, Timeline};

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
        let is_own = |it: &Buffer| it.owner == Kind::Temporary && it.color == color;
        let mut times = Vec::new();
        for &Buffer { leaf, place, first, last, .. } in self.buffers.iter().filter(|it| is_own(it))
        {
            let bytes = leaf.bytes.checked_next_multiple_of(unit).unwrap_or(u64::MAX);
            times.push(Time { place, bytes, first: first as u32, last: last as u32 });
        }
        times.sort_unstable_by_key(|time| (time.place, time.first));
        times.dedup_by(|later, earlier| {
            let is_same = later.place == earlier.place;
            let is_one = is_same && (is_tpu || later.first <= earlier.last.saturating_add(1));
            if is_one {
                earlier.last = earlier.last.max(later.last);
                earlier.bytes = earlier.bytes.max(later.bytes);
            }
            is_one
        });
        let mut blocks = times.chunk_by(|a, b| a.place == b.place).collect::<Vec<_>>();
        match is_tpu {
            true => {
                blocks.sort_by_key(|times| (times[0].first, times[0].last));
                placed(&blocks)
            }
            // XLA tries both orders.
            false => {
                blocks.sort_by_cached_key(|times| Reverse((bytes(times), duration(times))));
                let by_size = placed(&blocks);
                blocks.sort_by_cached_key(|times| Reverse((duration(times), bytes(times))));
                by_size.min(placed(&blocks))
            }
        }
    }
}

fn duration(times: &[Time]) -> u32 {
    last(times) - times[0].first
}
