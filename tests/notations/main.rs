//! Layouts in other notations: what the library prints, evaluated as its own system would, against the naive model;
//! what it reads, against memory that those systems made; and there and back, over every small layout and random ones.

mod chains;
mod cute;
mod einops;
mod jax;
mod mosaic;
mod numpy;
mod of_data;
mod packed;
mod packs;
mod pasted;
mod round_trips;
mod tags;
mod vectors;
mod worked;
mod wrong;

use layout::ArrayShape;
use layout::shape::Size;
use layout_tests::amount::Part;
use layout_tests::lists::{array, permutations};
use layout_tests::naive::{Naive, sizes, slots, tiles};
use layout_tests::pairs::pair;
use layout_tests::random::Random;

/// A layout, parsed, beside the naive model of it.
struct Case {
    naive: Naive,
    shape: ArrayShape,
    /// In each slot the row-major number of its element.
    memory: Vec<Option<Size>>,
}

impl Case {
    fn new(naive: Naive) -> Case {
        let shape = array(&naive.text("f32"));
        let is_empty = naive.dims.contains(&0);
        let memory = if is_empty { Vec::new() } else { naive.memory() };
        Case { naive, shape, memory }
    }

    /// Whether `PAD` widens a dimension or `L` adds slots.
    fn is_padded_outside_tiles(&self) -> bool {
        let Naive { dims, padded, .. } = &self.naive;
        let tiled = Naive { tail_alignment: 1, ..self.naive.clone() };
        padded.as_ref().is_some_and(|widths| widths != dims)
            || !self.memory.is_empty() && tiled.memory().len() != self.memory.len()
    }

    /// The offset of each element in row-major order.
    fn offsets(&self) -> Vec<Size> {
        sizes(&slots(&self.memory))
    }
}

fn small(each: &mut impl FnMut(Naive)) {
    let mut one = |dims: &[Size], order: &[usize], tiles: &[&[Option<Size>]]| {
        each(Naive::new(dims, order, tiles));
    };
    let (pairs, triples) = (tiles(2, 4), tiles(3, 3));
    one(&[], &[], &[]);
    for dim in 0..=9 {
        one(&[dim], &[0], &[]);
        for first in &pairs {
            one(&[dim], &[0], &[first]);
            for second in &pairs {
                one(&[dim], &[0], &[first, second]);
            }
        }
    }
    let seconds = tiles(3, 2);
    for dims in [[1, 1], [1, 4], [3, 2], [4, 4], [6, 3], [2, 8], [0, 3]] {
        for order in [[1, 0], [0, 1]] {
            one(&dims, &order, &[]);
            for first in &triples {
                one(&dims, &order, &[first]);
                for second in &seconds {
                    one(&dims, &order, &[first, second]);
                }
            }
        }
    }
    for order in permutations(3) {
        for dims in [[2, 3, 4], [4, 1, 2]] {
            one(&dims, &order, &[]);
            for first in &triples {
                one(&dims, &order, &[first]);
            }
        }
    }
    for first in &tiles(2, 3) {
        for second in &tiles(2, 3) {
            for third in &tiles(2, 3) {
                one(&[4, 6], &[1, 0], &[first, second, third]);
            }
        }
    }
}

/// Every small layout, and random ones with padding, tails and large tiles.
fn all_layouts(each: &mut impl FnMut(Naive)) {
    small(each);
    let mut random = Random::new(23);
    for _ in 0..2000 {
        pair(&mut random, 5000).into_iter().for_each(&mut *each);
    }
}

/// The part of them that runs.
fn cases(each: &mut impl FnMut(Case)) {
    let mut part = Part::new();
    all_layouts(&mut |naive| {
        if part.takes() {
            each(Case::new(naive));
        }
    });
}
