//! Tensors in memory, made one element at a time by XLA's definition of tiling. Nothing of it is the library's but the text
//! of a layout, parsed.
#![allow(dead_code, reason = "not each test calls each function")]

use layout::ArrayShape;
use layout::shape::TileDim;

/// A layout of whole elements or packed ones: an order, `PAD`, tiles without `*`, `L`.
pub(crate) struct Naive {
    pub dims: Vec<usize>,
    major_to_minor: Vec<usize>,
    padded: Vec<usize>,
    tiles: Vec<Vec<usize>>,
    /// Slots in memory.
    pub slots: usize,
    /// Bits of an element.
    pub bits: usize,
}

impl Naive {
    pub(crate) fn new(text: &str) -> Naive {
        let shape = text.parse::<ArrayShape>().expect(text);
        let dims = shape.dims().iter().map(|dim| dim.size().expect("a size")).collect::<Vec<_>>();
        let size = |dim: &TileDim| match dim {
            TileDim::Size(size) => *size,
            TileDim::Combined => panic!("{text}: `*` is not done here"),
        };
        let mut naive = Naive {
            padded: shape.padded_dimensions().map_or_else(|| dims.clone(), <[_]>::to_vec),
            major_to_minor: shape.minor_to_major().iter().rev().copied().collect(),
            tiles: shape.tiles().iter().map(|tile| tile.iter().map(size).collect()).collect(),
            bits: shape.element_bits(),
            slots: 0,
            dims,
        };
        let slots = naive.numbers(|_| 0).1.iter().product::<usize>();
        naive.slots = slots.next_multiple_of(shape.tail_padding_alignment().max(1));
        naive
    }

    /// The coordinates in memory, major to minor, and their bounds: each tile divides the most minor ones, and appends
    /// what is left.
    fn numbers(&self, coordinate: impl Fn(usize) -> usize) -> (Vec<usize>, Vec<usize>) {
        let mut at = self.major_to_minor.iter().map(|&dim| coordinate(dim)).collect::<Vec<_>>();
        let mut bounds =
            self.major_to_minor.iter().map(|&dim| self.padded[dim]).collect::<Vec<_>>();
        for tile in &self.tiles {
            let missing = tile.len().saturating_sub(at.len());
            at.splice(0..0, vec![0; missing]);
            bounds.splice(0..0, vec![1; missing]);
            let first = at.len() - tile.len();
            for (place, size) in (first..).zip(tile) {
                at.push(at[place] % size);
                at[place] /= size;
                bounds[place] = bounds[place].div_ceil(*size);
            }
            bounds.extend(tile);
        }
        (at, bounds)
    }

    /// The slot of an element.
    pub(crate) fn slot(&self, index: &[usize]) -> usize {
        let (at, bounds) = self.numbers(|dim| index[dim]);
        at.iter().zip(bounds).fold(0, |slot, (at, bound)| slot * bound + at)
    }

    /// Bytes in memory.
    pub(crate) fn bytes(&self) -> usize {
        (self.slots * self.bits).div_ceil(8)
    }

    /// Every index, row-major.
    pub(crate) fn indices(&self) -> impl Iterator<Item = Vec<usize>> {
        (0..self.dims.iter().product()).map(|mut number| {
            let mut index = self.dims.clone();
            for at in index.iter_mut().rev() {
                (number, *at) = (number / *at, number % *at);
            }
            index
        })
    }
}

/// The bits of a slot.
pub(crate) fn get(memory: &[u8], bits: usize, slot: usize) -> u128 {
    (0..bits).fold(0, |number, bit| {
        let at = slot * bits + bit;
        number | u128::from(memory[at / 8] >> (at % 8) & 1) << bit
    })
}

/// Writes the bits of a slot.
pub(crate) fn set(memory: &mut [u8], bits: usize, slot: usize, value: u128) {
    for bit in 0..bits {
        let at = slot * bits + bit;
        memory[at / 8] = memory[at / 8] & !(1 << (at % 8)) | ((value >> bit & 1) as u8) << (at % 8);
    }
}

/// The array in another layout; elements that become wider get zeros, and padding is zero.
pub(crate) fn converted(memory: &[u8], [from, to]: [&Naive; 2]) -> Vec<u8> {
    assert!(from.bits <= to.bits && memory.len() == from.bytes());
    let mut new = vec![0; to.bytes()];
    let bytes = if from.bits == to.bits { to.bits / 8 } else { 0 };
    for index in to.indices() {
        let [a, b] = [from, to].map(|layout| layout.slot(&index));
        match bytes {
            0 => set(&mut new, to.bits, b, get(memory, from.bits, a)),
            _ => new[b * bytes..][..bytes].copy_from_slice(&memory[a * bytes..][..bytes]),
        }
    }
    new
}
