//! What moves when an array goes from one sharding to another.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use crate::grid::Grid;
use crate::no_answer::NoAnswer;
use crate::sharding::{Box, Sharding};
use layout_core::Size;

/// Most boxes between pairs of devices.
pub const MAX_MOVES: usize = 1 << 24;

/// An array that goes from one sharding to another.
#[derive(Clone, Debug)]
pub struct Reshard<'a> {
    from: Cow<'a, Grid>,
    to: Cow<'a, Grid>,
    dims: &'a [Size],
    devices: usize,
}

/// A box of elements that a device gets from one that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the text above says what the fields are")]
pub struct Move {
    pub from: u32,
    pub to: u32,
    pub part: Box,
}

impl Move {
    /// Elements of the box.
    pub fn elements(&self) -> Size {
        elements(&self.part)
    }
}

impl Sharding {
    /// The reshard of an array of these sizes from this sharding to another one, in a program on so many devices.
    ///
    /// # Errors
    /// Those of [`grid`](Self::grid).
    pub fn reshard<'a>(
        &'a self,
        to: &'a Sharding,
        dims: &'a [Size],
        devices: usize,
    ) -> Result<Reshard<'a>, NoAnswer> {
        let (from, to) = (self.grid(dims.len(), devices)?, to.grid(dims.len(), devices)?);
        Ok(Reshard { from, to, dims, devices })
    }
}

impl<'a> Reshard<'a> {
    /// Elements that each device has to get from others: what it needs without what it has. No way to go there moves fewer.
    pub fn received(&self) -> Vec<Size> {
        let received = |device| {
            let own = |grid: &Grid| grid.shard_of(device).map(|at| grid.box_at(self.dims, &at));
            let Some(mut need) = own(&self.to) else { return 0 };
            let all = elements(&need);
            let Some(have) = own(&self.from) else { return all };
            for (need, have) in need.iter_mut().zip(have) {
                *need = need.start.max(have.start)..need.end.min(have.end);
            }
            all - elements(&need)
        };
        (0..).take(self.devices).map(received).collect()
    }

    /// The boxes that devices get from others. A box that several devices have comes from one of them, so that those who need it
    /// ask different ones.
    ///
    /// # Errors
    /// [`NoAnswer::TooManyMoves`] if there may be more than [`MAX_MOVES`].
    pub fn moves(&self) -> Result<impl Iterator<Item = Move>, NoAnswer> {
        let cuts: Vec<_> = (0..self.dims.len()).map(|dim| self.cuts(dim)).collect();
        let boxes = cuts.iter().try_fold(1usize, |all, own| all.checked_mul(own.len()));
        let moves = boxes.and_then(|boxes| boxes.checked_mul(self.to.copies_of_each()));
        let boxes = moves.filter(|moves| *moves <= MAX_MOVES).and(boxes);
        let boxes = boxes.ok_or(NoAnswer::TooManyMoves { most: MAX_MOVES })?;
        Ok((0..boxes).flat_map(move |mut number| {
            let cut = cuts.iter().rev().map(|own| {
                let cut = own[number % own.len()].clone();
                number /= own.len();
                cut
            });
            let mut part: Vec<_> = cut.collect();
            part.reverse();
            self.moves_of(part)
        }))
    }

    /// Pairs of devices, the one that sends first, with the number of elements that it sends.
    ///
    /// # Errors
    /// As [`moves`](Self::moves).
    pub fn pairs(&self) -> Result<BTreeMap<(u32, u32), Size>, NoAnswer> {
        let mut pairs = BTreeMap::new();
        self.moves()?.for_each(|it| *pairs.entry((it.from, it.to)).or_default() += it.elements());
        Ok(pairs)
    }

    /// A dimension, cut wherever one of the shardings cuts it.
    fn cuts(&self, dim: usize) -> Vec<Range<Size>> {
        let size = self.dims[dim];
        let starts = [&self.from, &self.to].into_iter().flat_map(|grid| {
            let (count, shard) = (grid.shards[dim] as Size, grid.shard_size(dim, size));
            (0..count).map(move |at| at.saturating_mul(shard).min(size)).chain([size])
        });
        let mut starts: Vec<Size> = starts.collect();
        starts.sort_unstable();
        starts.dedup();
        starts.windows(2).map(|pair| pair[0]..pair[1]).collect()
    }

    /// Who sends a box that no sharding cuts to whom.
    fn moves_of(&self, part: Box) -> Vec<Move> {
        let at = |grid: &Grid| grid.place_of(self.dims, part.iter().map(|own| own.start));
        let place = at(&self.from);
        let have = self.from.devices_of(&place);
        let has = |device: &u32| self.from.shard_of(*device).as_ref() == Some(&place);
        let need: Vec<_> = self.to.devices_of(&at(&self.to)).iter().filter(|it| !has(it)).collect();
        let sender = |number: usize| have[number * have.len() / need.len()];
        let moved = |(number, to): (usize, &&u32)| Move {
            from: sender(number),
            to: **to,
            part: part.clone(),
        };
        need.iter().enumerate().map(moved).collect()
    }
}

/// Elements of a box, which is within an array or empty.
fn elements(part: &[Range<Size>]) -> Size {
    part.iter().fold(1, |size, own| size.saturating_mul(own.end.saturating_sub(own.start)))
}
