//! What moves when an array goes from one sharding to another.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use core::ops::Range;

use crate::grid::Grid;
use crate::no_answer::NoAnswer;
use crate::sharding::Sharding;
use layout_core::Size;

/// Most boxes that [`Sharding::moves`] lists.
pub const MAX_MOVES: usize = 1 << 24;

/// A box of elements that a device gets from one that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the text above says what the fields are")]
pub struct Move {
    pub from: u32,
    pub to: u32,
    /// A range of the array along each dimension.
    pub part: Vec<Range<Size>>,
}

impl Sharding {
    /// Elements that each of so many devices has to get from others, so that the array is in another sharding: what it needs without
    /// what it has. No way to go there moves fewer.
    ///
    /// # Errors
    /// [`NoAnswer::OnlyTheProgram`] and [`NoAnswer::Rank`].
    pub fn received(
        &self,
        to: &Sharding,
        dims: &[Size],
        devices: usize,
    ) -> Result<Vec<Size>, NoAnswer> {
        let (from, to) = (self.grid(dims.len(), devices)?, to.grid(dims.len(), devices)?);
        let own = |grid: &Grid, device| grid.shard_of(device).map(|(at, _)| grid.box_at(dims, &at));
        let received = |device| {
            let Some(need) = own(&to, device) else { return 0 };
            let kept = own(&from, device).map_or(0, |have| {
                let both = have.iter().zip(&need);
                both.fold(1, |size, (a, b)| {
                    mul(size, a.end.min(b.end).saturating_sub(a.start.max(b.start)))
                })
            });
            elements(&need) - kept
        };
        Ok((0..devices).map(received).collect())
    }

    /// The boxes that devices get from others. A box that several devices have comes from one of them, so that those who need it
    /// ask different ones.
    ///
    /// # Errors
    /// [`NoAnswer::OnlyTheProgram`] and [`NoAnswer::Rank`]; [`NoAnswer::TooManyMoves`] above [`MAX_MOVES`].
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
        // Each dimension is cut wherever one of the shardings cuts it. A cut is in a shard of each.
        let cuts = |dim: usize| {
            let size = dims[dim];
            let sizes = [&from, &into].map(|it| size.div_ceil(it.shards()[dim] as Size).max(1));
            let mut start = 0;
            core::iter::from_fn(move || {
                let cut = start;
                let [a, b] = sizes.map(|it| (cut / it) as usize);
                let ends = sizes.map(|it| (cut / it + 1).saturating_mul(it));
                start = ends[0].min(ends[1]).min(size);
                (cut < size).then_some((a, b, cut..start))
            })
        };
        let cuts: Vec<Vec<_>> = (0..dims.len()).map(|dim| cuts(dim).collect()).collect();
        let boxes = cuts.iter().try_fold(1usize, |count, own| count.checked_mul(own.len()));
        let copies = into.copies_of_each();
        if boxes.and_then(|it| it.checked_mul(copies)).is_none_or(|most| most > MAX_MOVES) {
            return Err(NoAnswer::TooManyMoves { most: MAX_MOVES });
        }
        for number in 0..boxes.unwrap_or(0) {
            let mut rest = number;
            let own = cuts.iter().rev().map(|own| {
                let cut = &own[rest % own.len()];
                rest /= own.len();
                cut
            });
            let mut own: Vec<_> = own.collect();
            own.reverse();
            let at = |side: fn(&(usize, usize, Range<Size>)) -> usize| {
                own.iter().map(|it| side(it)).collect::<Vec<_>>()
            };
            let (in_from, in_into) = (at(|it| it.0), at(|it| it.1));
            let have = from.devices_of(&in_from);
            let has =
                |device: u32| from.shard_of(device as usize).is_some_and(|(at, _)| at == in_from);
            let need: Vec<u32> =
                into.devices_of(&in_into).iter().copied().filter(|it| !has(*it)).collect();
            let part: Vec<_> = own.iter().map(|it| it.2.clone()).collect();
            for (number, device) in need.iter().enumerate() {
                let from = have[number * have.len() / need.len()];
                each(Move { from, to: *device, part: part.clone() });
            }
        }
        Ok(())
    }
}

/// Elements of a box, which is within an array.
fn elements(part: &[Range<Size>]) -> Size {
    part.iter().fold(1, |size, own| mul(size, own.end - own.start))
}

fn mul(a: Size, b: Size) -> Size {
    a.saturating_mul(b)
}
