//! The grid of shards, and which device has which shard.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::devices::{Devices, Digit, count, in_order_of};
use crate::sharding::{Box, Sharding};
use layout_core::Size;
use layout_core::base::width::native;

named! {
    /// What the devices of one shard hold of it.
    pub enum Held {
        /// What the program says: XLA does not know it.
        Manual = "manual",
        /// Summands: the shard is their sum.
        Summand = "unreduced",
        /// All of it, each.
        Whole = "replicated",
        /// It is not decided.
        Unknown = "unknown",
    }
}

/// Boxes of an array, one for each device: a grid of shards, and copies of each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grid {
    shards: Vec<usize>,
    copies: Vec<(usize, Held)>,
    /// Of each shard and copy, in row-major order of both.
    order: Devices,
    places: BTreeMap<u32, usize>,
}

impl Sharding {
    /// The sharding that puts digits of the devices' places along dimensions, and others along kinds of copies; devices that no digit
    /// tells apart have the same. As XLA writes it: kinds in its order, and devices that have the same by their numbers. `None` if digits overlap.
    pub(crate) fn placed(
        devices: &Devices,
        dims: &[Vec<Digit>],
        held: &[(Digit, Held)],
    ) -> Option<Sharding> {
        let shards: Vec<usize> = dims.iter().map(count).collect();
        let mut digits = dims.concat();
        let mut copies = Vec::new();
        for kind in [Held::Manual, Held::Summand, Held::Whole] {
            let own: Vec<Digit> = held.iter().filter(|it| it.1 == kind).map(|it| it.0).collect();
            let rest = devices.numbers.len() / count(&digits);
            copies.push((if kind == Held::Whole { rest } else { count(&own) }, kind));
            digits.extend(own);
        }
        copies.retain(|it| it.0 > 1);
        let places = in_order_of(&digits, devices.numbers.len())?;
        let is_one = shards.iter().all(|count| *count == 1);
        match copies[..] {
            [] if is_one => return Some(Sharding::Every(Held::Whole)),
            [(_, held)] if is_one => return Some(Sharding::Every(held)),
            _ => {}
        }
        let mut numbers: Vec<u32> = places.iter().map(|place| devices.numbers[*place]).collect();
        if let Some((count, Held::Whole)) = copies.last() {
            numbers.chunks_mut(*count).for_each(<[u32]>::sort_unstable);
        }
        let order = Devices { numbers, is_list: devices.is_list };
        Some(Sharding::Grid(Grid::new(shards, copies, order)))
    }
}

impl Grid {
    pub(crate) fn new(shards: Vec<usize>, copies: Vec<(usize, Held)>, order: Devices) -> Grid {
        let places = order.numbers.iter().copied().zip(0..).collect();
        Grid { shards, copies, order, places }
    }

    /// Shards along each dimension.
    pub fn shards(&self) -> &[usize] {
        &self.shards
    }

    /// How many devices have each shard, by what they hold of it.
    pub fn copies(&self) -> &[(usize, Held)] {
        &self.copies
    }

    /// How many devices have each shard.
    pub fn copies_of_each(&self) -> usize {
        self.copies.iter().map(|(count, _)| count).product()
    }

    /// The devices: those of the first shard first, shards in row-major order.
    pub fn devices(&self) -> &[u32] {
        &self.order.numbers
    }

    pub(crate) fn order(&self) -> &Devices {
        &self.order
    }

    /// Where a device's shard is in the grid. `None` if the device has none.
    pub fn shard_of(&self, device: u32) -> Option<Vec<usize>> {
        Some(self.at(self.places.get(&device)? / self.copies_of_each()))
    }

    /// The place in the grid of a shard, by its number in row-major order.
    pub fn at(&self, number: usize) -> Vec<usize> {
        place(number, &self.shards)
    }

    /// The devices that have the shard at a place of the grid.
    pub fn devices_of(&self, at: &[usize]) -> &[u32] {
        let number = at.iter().zip(&self.shards).fold(0, |number, (at, count)| number * count + at);
        let copies = self.copies_of_each();
        &self.order.numbers[number * copies..][..copies]
    }

    /// The sizes of a shard: ⌈n/t⌉ of a dimension of n elements that is cut into t shards.
    pub(crate) fn shard_dims(&self, dims: &[Size]) -> Vec<Size> {
        dims.iter().zip(&self.shards).map(|(size, count)| size.div_ceil(*count as Size)).collect()
    }

    /// The box of the shard at a place of the grid.
    pub fn box_at(&self, dims: &[Size], at: &[usize]) -> Box {
        let starts = self.shard_dims(dims).into_iter().zip(at).zip(dims);
        let along = |((shard, at), size): ((Size, &usize), &Size)| {
            let start = shard.saturating_mul(*at as Size).min(*size);
            start..start.saturating_add(shard).min(*size)
        };
        starts.map(along).collect()
    }

    /// The place of the shard that has an element.
    pub(crate) fn place_of(&self, dims: &[Size], index: impl Iterator<Item = Size>) -> Vec<usize> {
        index.zip(self.shard_dims(dims)).map(|(at, size)| native(at / size)).collect()
    }
}

/// The place in an array of these sizes that has a number in row-major order.
pub(crate) fn place(mut number: usize, sizes: &[usize]) -> Vec<usize> {
    let mut at = vec![0; sizes.len()];
    for (at, count) in at.iter_mut().zip(sizes).rev() {
        (number, *at) = (number / count, number % count);
    }
    at
}
