//! Devices in an order: each is listed, and the digits of their numbers are found again.

use alloc::vec;
use alloc::vec::Vec;

/// Most devices of a mesh or a sharding.
pub const MAX_DEVICES: usize = 1 << 20;

/// A digit of the devices' numbers: `size` devices whose numbers are `stride` apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Digit {
    pub stride: usize,
    pub size: usize,
}

impl Digit {
    fn end(&self) -> usize {
        self.stride * self.size
    }

    /// Whether another digit is one of those that this one consists of.
    pub(crate) fn has(&self, part: &Digit) -> bool {
        part.size > 1 && part.stride >= self.stride && part.end() <= self.end()
    }
}

/// The digits of numbers below a count, cut wherever one of these starts or ends; the most major first. `None` if they overlap.
pub(crate) fn refined<'d>(
    digits: impl Iterator<Item = &'d Digit>,
    count: usize,
) -> Option<Vec<Digit>> {
    let mut cuts: Vec<usize> =
        digits.flat_map(|it| [it.stride, it.end()]).chain([1, count]).collect();
    cuts.sort_unstable();
    cuts.dedup();
    let part = |cut: &[usize]| {
        let size = cut[1].is_multiple_of(cut[0]).then_some(cut[1] / cut[0])?;
        Some(Digit { stride: cut[0], size })
    };
    cuts.windows(2).rev().map(part).collect()
}

/// Different devices in an order.
#[derive(Clone, Debug)]
pub(crate) struct Devices {
    pub numbers: Vec<u32>,
    /// Devices with their places in that list, by device.
    places: Vec<(u32, u32)>,
    /// Whether a text lists them: XLA then prints a list.
    pub is_list: bool,
}

impl PartialEq for Devices {
    fn eq(&self, other: &Devices) -> bool {
        self.numbers == other.numbers
    }
}

impl Eq for Devices {}

impl Devices {
    /// `None` if a device is listed twice.
    pub(crate) fn new(numbers: Vec<u32>, is_list: bool) -> Option<Devices> {
        let new = Devices::different(numbers, is_list);
        new.places.windows(2).all(|pair| pair[0].0 < pair[1].0).then_some(new)
    }

    fn different(numbers: Vec<u32>, is_list: bool) -> Devices {
        let mut places: Vec<_> = numbers.iter().copied().zip(0..).collect();
        places.sort_unstable();
        Devices { numbers, places, is_list }
    }

    /// The devices from 0 on.
    pub(crate) fn first(count: usize) -> Devices {
        Devices::different((0..).take(count.min(MAX_DEVICES)).collect(), false)
    }

    pub(crate) fn one(device: u32) -> Devices {
        Devices::different(vec![device], false)
    }

    pub(crate) fn len(&self) -> usize {
        self.numbers.len()
    }

    pub(crate) fn place(&self, device: u32) -> Option<usize> {
        let found = self.places.binary_search_by_key(&device, |it| it.0).ok()?;
        Some(self.places[found].1 as usize)
    }

    /// The devices as an array of these sizes, in row-major order of its dimensions in another order; in groups of so many, each sorted.
    pub(crate) fn transposed(&self, sizes: &[usize], order: &[usize], sorted: usize) -> Devices {
        let mut places = vec![0];
        for &dim in order {
            let stride: usize = sizes[dim + 1..].iter().product();
            let along = |at| (0..sizes[dim]).map(move |i| at + i * stride);
            places = places.into_iter().flat_map(along).collect();
        }
        let mut numbers: Vec<u32> = places.into_iter().map(|at| self.numbers[at]).collect();
        numbers.chunks_mut(sorted.max(1)).for_each(<[u32]>::sort_unstable);
        Devices::different(numbers, self.is_list)
    }

    /// The digits in the order in which the list counts them; neighbours that are one digit are joined. `None`: it does not count
    /// from 0 in digits.
    pub(crate) fn digits(&self) -> Option<Vec<Digit>> {
        let numbers = &self.numbers;
        let mut digits: Vec<Digit> = Vec::new();
        let mut below = 1;
        while below < numbers.len() {
            let stride = numbers[below] as usize;
            let is_next =
                |size: &usize| numbers.get(below * size) == Some(&((stride * size) as u32));
            let size = (2..).take_while(is_next).count() + 2;
            digits.insert(0, Digit { stride, size });
            below *= size;
        }
        let mut sorted = digits.clone();
        sorted.sort_unstable();
        let end = sorted.iter().try_fold(1, |next, it| (it.stride == next).then(|| next * it.size));
        let mut again = vec![0];
        for Digit { stride, size } in &digits {
            let along = |at| (0..*size).map(move |i| at + (i * stride) as u32);
            again = again.into_iter().flat_map(along).take(numbers.len() + 1).collect();
        }
        (end == Some(numbers.len()) && again == *numbers).then_some(digits)
    }
}

/// Digits along dimensions that count so many each, the last dimension's last.
pub(crate) fn by_dim(mut digits: Vec<Digit>, counts: &[usize]) -> Option<Vec<Vec<Digit>>> {
    let mut dims = vec![Vec::new(); counts.len()];
    for (own, count) in dims.iter_mut().zip(counts).rev() {
        let mut left = *count;
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
    }
    Some(dims)
}
