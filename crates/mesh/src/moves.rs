//! What moves when an array goes from one sharding to another.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

use crate::no_answer::NoAnswer;
use crate::sharding::{Box, Sharding};
use layout_core::Size;

/// Most boxes between pairs of devices.
pub const MAX_MOVES: usize = 1 << 24;

/// A box of elements that a device gets from one that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the text above says what the fields are")]
pub struct Move {
    pub from: u32,
    pub to: u32,
    pub part: Box,
}

impl Sharding {
    /// Elements that each of so many devices has to get from others, so that the array is in another sharding: what it needs without
    /// what it has. No way to go there moves fewer.
    ///
    /// # Errors
    /// Those of [`grid`](Self::grid).
    pub fn received(
        &self,
        to: &Sharding,
        dims: &[Size],
        devices: usize,
    ) -> Result<Vec<Size>, NoAnswer> {
        let (from, to) = (self.grid(dims.len(), devices)?, to.grid(dims.len(), devices)?);
        let received = |device| {
            let Some(at) = to.shard_of(device) else { return 0 };
            let mut need = to.box_at(dims, &at);
            let all = elements(&need);
            let Some(at) = from.shard_of(device) else { return all };
            for (need, have) in need.iter_mut().zip(from.box_at(dims, &at)) {
                *need = need.start.max(have.start)..need.end.min(have.end);
            }
            all - elements(&need)
        };
        Ok((0..).take(devices).map(received).collect())
    }

    /// The boxes that devices get from others. A box that several devices have comes from one of them, so that those who need it
    /// ask different ones.
    ///
    /// # Errors
    /// Those of [`grid`](Self::grid), and [`NoAnswer::TooManyMoves`] above [`MAX_MOVES`].
    pub fn moves(
        &self,
        to: &Sharding,
        dims: &[Size],
        devices: usize,
    ) -> Result<Vec<Move>, NoAnswer> {
        let mut moves = Vec::new();
        self.for_each_move(to, dims, devices, |it| moves.push(it))?;
        Ok(moves)
    }

    /// Pairs of devices, the one that sends first, with the number of elements that it sends.
    ///
    /// # Errors
    /// As [`moves`](Self::moves).
    pub fn pairs(
        &self,
        to: &Sharding,
        dims: &[Size],
        devices: usize,
    ) -> Result<BTreeMap<(u32, u32), Size>, NoAnswer> {
        let mut pairs = BTreeMap::new();
        let add = |it: Move| *pairs.entry((it.from, it.to)).or_default() += elements(&it.part);
        self.for_each_move(to, dims, devices, add)?;
        Ok(pairs)
    }

    fn for_each_move(
        &self,
        to: &Sharding,
        dims: &[Size],
        devices: usize,
        mut each: impl FnMut(Move),
    ) -> Result<(), NoAnswer> {
        let (from, into) = (self.grid(dims.len(), devices)?, to.grid(dims.len(), devices)?);
        // Each dimension is cut wherever one of the shardings cuts it: where its parts start and end.
        let cuts = |dim: usize| {
            let size = dims[dim];
            let own = [from.shards[dim], into.shards[dim]].into_iter().flat_map(|count| {
                let shard = size.div_ceil(count as Size);
                (0..count as Size).map(move |at| at.saturating_mul(shard).min(size)).chain([size])
            });
            let mut cuts: Vec<Size> = own.collect();
            cuts.sort_unstable();
            cuts.dedup();
            cuts
        };
        let cuts: Vec<Vec<Size>> = (0..dims.len()).map(cuts).collect();
        let counts: Vec<usize> = cuts.iter().map(|cuts| cuts.len() - 1).collect();
        let boxes = counts.iter().try_fold(1usize, |all, count| all.checked_mul(*count));
        let moves = boxes.and_then(|boxes| boxes.checked_mul(into.copies_of_each()));
        if moves.is_none_or(|moves| moves > MAX_MOVES) {
            return Err(NoAnswer::TooManyMoves { most: MAX_MOVES });
        }
        for mut number in 0..boxes.unwrap_or(0) {
            let mut part = vec![0..0; dims.len()];
            for (dim, part) in part.iter_mut().enumerate().rev() {
                let cut = number % counts[dim];
                (number, *part) = (number / counts[dim], cuts[dim][cut]..cuts[dim][cut + 1]);
            }
            let index: Vec<Size> = part.iter().map(|part: &Range<Size>| part.start).collect();
            let (have, _) = self.to_shard(dims, &index, devices)?;
            let (need, _) = to.to_shard(dims, &index, devices)?;
            let place = from.shard_of(have[0]);
            let need: Vec<u32> =
                need.into_iter().filter(|it| from.shard_of(*it) != place).collect();
            for (number, device) in need.iter().enumerate() {
                let from = have[number * have.len() / need.len()];
                each(Move { from, to: *device, part: part.clone() });
            }
        }
        Ok(())
    }
}

/// Elements of a box, which is within an array or empty.
fn elements(part: &[Range<Size>]) -> Size {
    part.iter().fold(1, |size, own| size.saturating_mul(own.end.saturating_sub(own.start)))
}
