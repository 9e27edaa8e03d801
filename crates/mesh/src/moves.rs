//! What moves when an array goes from one sharding to another.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use crate::grid::{Box, Grid, place};
use crate::no_answer::NoAnswer;
use crate::sharding::Sharding;
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
    /// The reshard of an array of these sizes from this sharding to another one, in a program on `devices` devices.
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

impl Reshard<'_> {
    /// Elements that each device has to get from others: what it needs without what it has. No way to go there moves fewer.
    pub fn received(&self) -> Vec<Size> {
        let own = |grid: &Grid, device| Some(grid.box_at(self.dims, &grid.shard_of(device)?));
        let common = |(need, have): (&Range<Size>, Range<Size>)| {
            need.start.max(have.start)..need.end.min(have.end)
        };
        let received = |device| {
            let Some(need) = own(&self.to, device) else { return 0 };
            let have = own(&self.from, device);
            let kept = have.map(|have| need.iter().zip(have).map(common).collect::<Box>());
            elements(&need) - kept.map_or(0, |kept| elements(&kept))
        };
        (0..).take(self.devices).map(received).collect()
    }

    /// The boxes that devices get from others. A box that several devices have comes from one of them, so that those who need it
    /// ask different ones.
    ///
    /// # Errors
    /// [`NoAnswer::TooManyMoves`] if there may be more than [`MAX_MOVES`].
    pub fn moves(&self) -> Result<impl Iterator<Item = Move>, NoAnswer> {
        let [from, to] = [&self.from, &self.to].map(|grid| grid.shard_dims(self.dims));
        let cuts = self.dims.iter().zip(from.into_iter().zip(to));
        let cuts: Vec<_> = cuts.map(|(size, (from, to))| cuts_at(*size, [from, to])).collect();
        let counts: Vec<usize> = cuts.iter().map(Vec::len).collect();
        let boxes = counts.iter().try_fold(1usize, |all, own| all.checked_mul(*own));
        let moves = boxes.and_then(|boxes| boxes.checked_mul(self.to.copies_of_each()));
        let boxes = moves.filter(|moves| *moves <= MAX_MOVES).and(boxes);
        let boxes = boxes.ok_or(NoAnswer::TooManyMoves { most: MAX_MOVES })?;
        Ok((0..boxes).flat_map(move |number| {
            let at = place(number, &counts);
            self.moves_of(cuts.iter().zip(at).map(|(own, at)| own[at].clone()).collect())
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

    /// Who sends a box that no sharding cuts to whom.
    fn moves_of(&self, part: Box) -> Vec<Move> {
        let at = |grid: &Grid| grid.place_of(self.dims, part.iter().map(|own| own.start));
        let place = at(&self.from);
        let have = self.from.devices_of(&place);
        let lacks = |device: &u32| self.from.shard_of(*device).as_ref() != Some(&place);
        let need = self.to.devices_of(&at(&self.to)).iter().copied();
        let need: Vec<u32> = need.filter(lacks).collect();
        let sender = |number: usize| have[number * have.len() / need.len()];
        let moved = |(number, to)| Move { from: sender(number), to, part: part.clone() };
        need.iter().copied().enumerate().map(moved).collect()
    }
}

/// A dimension, cut wherever shards of one of these sizes end.
fn cuts_at(size: Size, shards: [Size; 2]) -> Vec<Range<Size>> {
    let mut cuts = Vec::new();
    let mut start = 0;
    while start < size {
        let ends = shards.map(|shard| (start / shard + 1).saturating_mul(shard));
        let end = ends[0].min(ends[1]).min(size);
        cuts.push(start..end);
        start = end;
    }
    cuts
}

/// Elements of a box, which is within an array or empty.
fn elements(part: &[Range<Size>]) -> Size {
    part.iter().fold(1, |size, own| size.saturating_mul(own.end.saturating_sub(own.start)))
}
