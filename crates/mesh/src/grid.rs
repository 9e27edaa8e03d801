//! The grid of shards, and which device has which shard.

use alloc::vec;
use alloc::vec::Vec;

/// Most devices of a mesh or a sharding.
pub const MAX_DEVICES: usize = 1 << 20;

/// What the devices of one shard hold of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// All of it, each.
    Whole,
    /// Summands: the shard is their sum. XLA calls it unreduced.
    Summand,
    /// What the program says: XLA does not know it.
    Manual,
}

/// A digit of the devices' numbers: devices whose digits differ by 1 have numbers that differ by `stride`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the text above says what the fields are")]
pub struct Digit {
    pub stride: usize,
    pub size: usize,
}

/// Boxes of an array, one for each device: a grid of shards, and copies of each.
#[derive(Clone, Debug)]
pub struct Grid {
    /// Shards along each dimension.
    shards: Vec<usize>,
    /// How many devices have each shard, by what they hold of it.
    copies: Vec<(usize, Held)>,
    /// The device of each shard and copy, in row-major order of both.
    devices: Vec<u32>,
    /// Devices with their places in that list, by device.
    places: Vec<(u32, u32)>,
    /// Whether the text lists the devices, which XLA then prints as a list too.
    pub(crate) is_list: bool,
}

/// Whether the same devices have the same.
impl PartialEq for Grid {
    fn eq(&self, other: &Grid) -> bool {
        (&self.shards, &self.copies, &self.devices)
            == (&other.shards, &other.copies, &other.devices)
    }
}

impl Eq for Grid {}

impl Grid {
    /// A grid of as many places as devices. `None` if a device is listed twice.
    pub(crate) fn new(
        shards: Vec<usize>,
        copies: Vec<(usize, Held)>,
        devices: Vec<u32>,
    ) -> Option<Grid> {
        let mut places: Vec<_> = devices.iter().copied().zip(0..).collect();
        places.sort_unstable();
        let is_once = places.windows(2).all(|pair| pair[0].0 < pair[1].0);
        is_once.then_some(Grid { shards, copies, devices, places, is_list: false })
    }

    /// The same grid, of a text that lists the devices or counts them.
    pub(crate) fn of_list(self, is_list: bool) -> Grid {
        Grid { is_list, ..self }
    }

    /// The same boxes as XLA writes them: copies of one kind as one size, in XLA's order of kinds; devices that all have the whole
    /// shard by their numbers.
    pub(crate) fn simplified(self) -> Grid {
        let Grid { shards, copies, devices, is_list, .. } = self;
        let sizes: Vec<usize> =
            shards.iter().copied().chain(copies.iter().map(|it| it.0)).collect();
        let mut order: Vec<usize> = (0..shards.len()).collect();
        let mut merged = Vec::new();
        for held in [Held::Manual, Held::Summand, Held::Whole] {
            let own = (0..copies.len()).filter(|at| copies[*at].1 == held);
            order.extend(own.clone().map(|at| shards.len() + at));
            let count = own.map(|at| copies[at].0).product();
            if count > 1 {
                merged.push((count, held));
            }
        }
        let mut devices = transposed(&devices, &sizes, &order);
        if let Some((count, Held::Whole)) = merged.last() {
            devices.chunks_mut(*count).for_each(<[u32]>::sort_unstable);
        }
        let places = devices.iter().copied().zip(0..).collect();
        let mut grid = Grid { shards, copies: merged, devices, places, is_list };
        grid.places.sort_unstable();
        grid
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
        &self.devices
    }

    /// Where a device's shard is in the grid, and which copy of it the device has. `None` if the device has none.
    pub fn shard_of(&self, device: usize) -> Option<(Vec<usize>, usize)> {
        let device = u32::try_from(device).ok()?;
        let found = self.places.binary_search_by_key(&device, |it| it.0).ok()?;
        let (place, copies) = (self.places[found].1 as usize, self.copies_of_each());
        let (mut number, mut at) = (place / copies, vec![0; self.shards.len()]);
        for (at, count) in at.iter_mut().zip(&self.shards).rev() {
            (number, *at) = (number / count, number % count);
        }
        Some((at, place % copies))
    }

    /// The devices that have the shard at a place of the grid.
    pub(crate) fn devices_of(&self, at: &[usize]) -> &[u32] {
        let number = at.iter().zip(&self.shards).fold(0, |number, (at, count)| number * count + at);
        let copies = self.copies_of_each();
        &self.devices[number * copies..][..copies]
    }

    /// The digits of the devices' numbers in the order in which the grid counts them; neighbours that are one digit are joined.
    /// `None` if the grid counts devices in another order.
    pub fn digits(&self) -> Option<Vec<Digit>> {
        digits(&self.devices)
    }

    /// The digits along each dimension, the most major first. `None` if there are none.
    pub(crate) fn digits_by_dim(&self) -> Option<Vec<Vec<Digit>>> {
        by_dim(self.digits()?, self.shards.iter().copied().chain([self.copies_of_each()]))
    }
}

/// Digits shared out among sizes, of which the last one's are left out.
pub(crate) fn by_dim(
    mut digits: Vec<Digit>,
    sizes: impl DoubleEndedIterator<Item = usize>,
) -> Option<Vec<Vec<Digit>>> {
    let mut dims = Vec::new();
    for mut left in sizes.rev() {
        let mut own = Vec::new();
        while left > 1 {
            let Digit { stride, size } = digits.pop()?;
            let taken = if left.is_multiple_of(size) { size } else { left };
            if !size.is_multiple_of(taken) {
                return None;
            }
            if taken < size {
                digits.push(Digit { stride: stride * taken, size: size / taken });
            }
            own.insert(0, Digit { stride, size: taken });
            left /= taken;
        }
        dims.push(own);
    }
    dims.reverse();
    dims.pop();
    Some(dims)
}

/// The digits of numbers that count from 0 in some order of digits.
pub(crate) fn digits(numbers: &[u32]) -> Option<Vec<Digit>> {
    let number = |at: usize| numbers[at] as usize;
    let mut digits: Vec<Digit> = Vec::new();
    let mut below = 1;
    while below < numbers.len() {
        let stride = number(below).checked_sub(number(0))?;
        let mut size = 2;
        while below * size < numbers.len() && number(below * size) == number(0) + stride * size {
            size += 1;
        }
        if !(numbers.len() / below).is_multiple_of(size) {
            return None;
        }
        digits.insert(0, Digit { stride, size });
        below *= size;
    }
    let mut sorted = digits.clone();
    sorted.sort_unstable();
    let total = sorted.iter().try_fold(1, |next, it| (it.stride == next).then(|| next * it.size));
    let is_same = |at: usize| {
        let mut rest = at;
        let of_digits = digits.iter().rev().map(|digit| {
            let own = rest % digit.size;
            rest /= digit.size;
            own * digit.stride
        });
        of_digits.sum::<usize>() == number(at)
    };
    (total == Some(numbers.len()) && (0..numbers.len()).all(is_same)).then_some(digits)
}

/// The numbers of an array of these sizes, in row-major order of its dimensions in another order.
pub(crate) fn transposed(numbers: &[u32], sizes: &[usize], order: &[usize]) -> Vec<u32> {
    let mut strides = vec![1; sizes.len()];
    for dim in (1..sizes.len()).rev() {
        strides[dim - 1] = strides[dim] * sizes[dim];
    }
    let mut places = vec![0];
    for &dim in order {
        let along = |at| (0..sizes[dim]).map(move |i| (at, i));
        places = places.into_iter().flat_map(along).map(|(at, i)| at + i * strides[dim]).collect();
    }
    places.into_iter().map(|at| numbers[at]).collect()
}
