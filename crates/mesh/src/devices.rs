//! Devices in an order, which is often that of digits of their numbers.

use alloc::collections::BTreeSet;
use alloc::vec::Vec;
use core::cmp::Reverse;

/// Most devices of a mesh or a sharding.
pub const MAX_DEVICES: usize = 1 << 20;

/// A digit of places in an order: `size` values, `stride` places apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Digit {
    pub stride: usize,
    pub size: usize,
}

/// The digits of places in an array of these sizes, in row-major order.
pub(crate) fn row_major(sizes: &[usize]) -> Vec<Digit> {
    let stride = |dim: usize| sizes[dim + 1..].iter().product();
    let digit = |dim: usize| Digit { stride: stride(dim), size: sizes[dim] };
    (0..sizes.len()).map(digit).collect()
}

/// How many values digits have together.
pub(crate) fn count<'d>(digits: impl IntoIterator<Item = &'d Digit>) -> usize {
    digits.into_iter().map(|digit| digit.size).product()
}

/// All places, in the order in which digits count them; those that no digit tells apart stay in order. `None` if digits overlap.
pub(crate) fn in_order_of(digits: &[Digit], places: usize) -> Option<Vec<usize>> {
    let mut sorted = digits.to_vec();
    sorted.sort_unstable();
    let is_apart = |it: &[Digit]| it[1].stride.is_multiple_of(it[0].stride * it[0].size);
    let value = |place: usize, it: &Digit| place / it.stride % it.size;
    let number = |place: &usize| digits.iter().fold(0, |all, it| all * it.size + value(*place, it));
    let mut places: Vec<usize> = (0..places).collect();
    places.sort_by_cached_key(number);
    sorted.windows(2).all(is_apart).then_some(places)
}

/// Different devices in an order.
#[derive(Clone, Debug)]
pub(crate) struct Devices {
    pub numbers: Vec<u32>,
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
    /// Those of a list. `None` if one is there twice.
    pub(crate) fn listed(numbers: Vec<u32>) -> Option<Devices> {
        let different = numbers.iter().collect::<BTreeSet<_>>().len();
        (different == numbers.len()).then_some(Devices { numbers, is_list: true })
    }

    /// The devices from 0 on.
    pub(crate) fn first(count: usize) -> Devices {
        Devices::iota(&[count.min(MAX_DEVICES)], &[0])
    }

    /// The devices from 0 on as an array of these sizes, which is transposed: XLA's `[4,2]T(1,0)`.
    pub(crate) fn iota(sizes: &[usize], order: &[usize]) -> Devices {
        let digits = row_major(sizes);
        let digits: Vec<Digit> = order.iter().map(|dim| digits[*dim]).collect();
        let places = in_order_of(&digits, count(&digits)).unwrap_or_default();
        Devices { numbers: places.into_iter().map(|place| place as u32).collect(), is_list: false }
    }

    /// The fewest sizes, and their order, of which `iota` makes these devices.
    pub(crate) fn as_iota(&self) -> Option<(Vec<usize>, Vec<usize>)> {
        let numbers = &self.numbers;
        let is_even = |stride: usize, times: usize| {
            numbers
                .get(stride * times)
                .is_some_and(|it| *it as usize == numbers[stride] as usize * times)
        };
        let places = row_major(&even_steps(numbers.len(), is_even));
        let digit = |it: &Digit| Digit { stride: numbers[it.stride] as usize, size: it.size };
        let mut digits: Vec<Digit> = places.iter().map(digit).collect();
        let rank = |own: &Digit| digits.iter().filter(|it| it.stride > own.stride).count();
        let order: Vec<usize> = digits.iter().map(rank).collect();
        digits.sort_unstable_by_key(|it| Reverse(it.stride));
        let sizes: Vec<usize> = digits.iter().map(|it| it.size).collect();
        (Devices::iota(&sizes, &order) == *self).then_some((sizes, order))
    }
}

/// The sizes of the digits in which what is counted goes in even steps, the most major first. `is_even(stride, times)` says
/// whether `times · stride` steps go `times` as far as `stride` steps; past the end they do not.
pub(crate) fn even_steps(count: usize, is_even: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let (mut sizes, mut stride) = (Vec::new(), 1);
    while stride < count {
        let size = (2..).take_while(|times| is_even(stride, *times)).count() + 2;
        sizes.insert(0, size);
        stride *= size;
    }
    sizes
}
