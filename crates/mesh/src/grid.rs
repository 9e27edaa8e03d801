//! The grid of shards, and which device has which shard.

use alloc::vec;
use alloc::vec::Vec;

use crate::devices::Devices;
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
    pub(crate) shards: Vec<usize>,
    pub(crate) copies: Vec<(usize, Held)>,
    /// Of each shard and copy, in row-major order of both.
    pub(crate) devices: Devices,
}

impl Grid {
    /// The sharding as XLA writes it: copies of one kind as one size, in XLA's order of kinds; devices that have the same by their numbers.
    pub(crate) fn simplified(self) -> Sharding {
        let Grid { shards, copies, devices } = self;
        let (rank, sizes) = (shards.len(), sizes(&shards, &copies));
        let mut order: Vec<usize> = (0..rank).collect();
        let mut merged = Vec::new();
        for held in Held::ALL {
            let own = (0..copies.len()).filter(|at| copies[*at].1 == *held).map(|at| rank + at);
            order.extend(own.clone());
            let count = own.map(|at| sizes[at]).product();
            if count > 1 {
                merged.push((count, *held));
            }
        }
        let same = merged.last().filter(|it| it.1 == Held::Whole).map_or(1, |it| it.0);
        let devices = devices.transposed(&sizes, &order, same);
        match merged[..] {
            _ if shards.iter().any(|count| *count > 1) => {}
            [] => return Sharding::Every(Held::Whole),
            [(_, held)] => return Sharding::Every(held),
            _ => {}
        }
        Sharding::Grid(Grid { shards, copies: merged, devices })
    }

    /// Shards along each dimension.
    pub fn shards(&self) -> &[usize] {
        &self.shards
    }

    /// How many devices have each shard, by what they hold of it.
    pub fn copies(&self) -> &[(usize, Held)] {
        &self.copies
    }

    pub(crate) fn sizes(&self) -> Vec<usize> {
        sizes(&self.shards, &self.copies)
    }

    /// How many devices have each shard.
    pub fn copies_of_each(&self) -> usize {
        self.copies.iter().map(|(count, _)| count).product()
    }

    /// The devices: those of the first shard first, shards in row-major order.
    pub fn devices(&self) -> &[u32] {
        &self.devices.numbers
    }

    /// Where a device's shard is in the grid. `None` if the device has none.
    pub fn shard_of(&self, device: u32) -> Option<Vec<usize>> {
        Some(self.at(self.devices.place(device)? / self.copies_of_each()))
    }

    /// The place in the grid of a shard, by its number in row-major order.
    pub fn at(&self, mut number: usize) -> Vec<usize> {
        let mut at = vec![0; self.shards.len()];
        for (at, count) in at.iter_mut().zip(&self.shards).rev() {
            (number, *at) = (number / count, number % count);
        }
        at
    }

    /// The devices that have the shard at a place of the grid.
    pub fn devices_of(&self, at: &[usize]) -> &[u32] {
        let number = at.iter().zip(&self.shards).fold(0, |number, (at, count)| number * count + at);
        let copies = self.copies_of_each();
        &self.devices.numbers[number * copies..][..copies]
    }

    /// The size of a shard along a dimension of so many elements.
    pub(crate) fn shard_size(&self, dim: usize, size: Size) -> Size {
        size.div_ceil(self.shards[dim] as Size)
    }

    /// The box of the shard at a place of the grid.
    pub fn box_at(&self, dims: &[Size], at: &[usize]) -> Box {
        let along = |(dim, (size, at)): (usize, (&Size, &usize))| {
            let shard = self.shard_size(dim, *size);
            let start = shard.saturating_mul(*at as Size).min(*size);
            start..start.saturating_add(shard).min(*size)
        };
        dims.iter().zip(at).enumerate().map(along).collect()
    }

    /// The place of the shard that has an element.
    pub(crate) fn place_of(&self, dims: &[Size], index: impl Iterator<Item = Size>) -> Vec<usize> {
        let sizes = dims.iter().enumerate().map(|(dim, size)| self.shard_size(dim, *size));
        index.zip(sizes).map(|(at, size)| native(at / size)).collect()
    }
}

fn sizes(shards: &[usize], copies: &[(usize, Held)]) -> Vec<usize> {
    shards.iter().copied().chain(copies.iter().map(|it| it.0)).collect()
}
