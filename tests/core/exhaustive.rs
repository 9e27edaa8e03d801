//! Every small layout, or a part of them, against the naive model.

use layout::shape::Size;
use layout_tests::agree;
use layout_tests::amount::Part;
use layout_tests::corpus;
use layout_tests::lists::{array, dims, permutations};
use layout_tests::naive::{Naive, tiles};
use layout_tests::table;

fn check(dims: &[Size], minor_to_major: &[usize], tiles: &[&[Option<Size>]]) {
    agree::check(&Naive::new(dims, minor_to_major, tiles));
}

/// The layouts that the tests of memory, copies and code run too. A bound is what memory is laid out for.
#[test]
fn the_corpus() {
    for (shape, dims) in corpus::shapes() {
        let bounds = shape.dims().iter().zip(&dims).map(|(dim, size)| dim.size().unwrap_or(*size));
        agree::check(&Naive::of(&shape, &bounds.collect::<Vec<_>>()));
    }
}

/// With `L`, which swizzles need.
#[test]
fn swizzles() {
    for text in table::texts("layouts", "swizzled") {
        let shape = array(&text);
        agree::check(&Naive::of(&shape, &dims(&shape)));
    }
}

/// The last tile of a row is shorter in memory than the others, since later tiles combine dimensions.
#[test]
fn tiles_of_several_lengths_in_memory() {
    let last: &[Option<Size>] = &[Some(2), Some(1), None, Some(5), Some(2)];
    check(&[1, 2, 9], &[2, 0, 1], &[&[Some(4)], &[Some(2)], last]);
}

#[test]
fn one_dimension_two_tiles() {
    let tiles = tiles(2, 4);
    for dim in 0..=9 {
        for first in &tiles {
            check(&[dim], &[0], &[first]);
            for second in &tiles {
                check(&[dim], &[0], &[first, second]);
            }
        }
    }
}

/// Every pair of tiles, in both orders of two dimensions.
fn check_pairs(dims: &[[Size; 2]], firsts: &[Vec<Option<Size>>], seconds: &[Vec<Option<Size>>]) {
    let mut part = Part::new();
    for dims in dims {
        for first in firsts {
            for second in seconds {
                if part.takes() {
                    check(dims, &[1, 0], &[first, second]);
                    check(dims, &[0, 1], &[first, second]);
                }
            }
        }
    }
}

#[test]
fn two_dimensions_two_tiles() {
    let dims = [[1, 1], [1, 4], [3, 2], [2, 5], [4, 4], [0, 3], [5, 0]];
    let firsts = tiles(3, 3);
    for dims in &dims {
        for first in &firsts {
            check(dims, &[1, 0], &[first]);
        }
    }
    check_pairs(&dims, &firsts, &tiles(3, 2));
}

/// Digits that carry, and add up to strides nevertheless.
#[test]
fn strides_by_coincidence() {
    let star = |tile: &[Size]| tile.iter().map(|&n| (n > 0).then_some(n)).collect::<Vec<_>>();
    let check = |dims: &[Size], order: &[usize], tiles: &[&[Size]]| {
        let tiles = tiles.iter().map(|tile| star(tile)).collect::<Vec<_>>();
        check(dims, order, &tiles.iter().map(Vec::as_slice).collect::<Vec<_>>());
    };
    check(&[1, 4], &[1, 0], &[&[8, 2, 0, 1], &[0, 6, 3, 6], &[0, 2, 5], &[5]]);
    check(&[26], &[0], &[&[3, 9], &[4, 1], &[7], &[4, 0, 0, 0, 2]]);
    check(&[10, 4], &[0, 1], &[&[4], &[8, 4, 4, 7], &[0, 0, 7], &[2, 23, 4]]);
    check(&[4, 6, 1, 3], &[2, 0, 3, 1], &[&[8], &[0, 5, 6, 5], &[6, 0, 0, 6]]);
}

/// Where few elements let tiles that cross dimensions go unnoticed.
#[test]
fn small_dimensions_two_tiles() {
    let dims = (0..9).map(|number| [1 + number / 3, 1 + number % 3]).collect::<Vec<_>>();
    check_pairs(&dims, &tiles(3, 3), &tiles(2, 3));
}

#[test]
fn three_dimensions_one_tile() {
    let orders = permutations(3);
    for tile in &tiles(4, 3) {
        for order in &orders {
            for dims in [[2, 3, 5], [4, 1, 3]] {
                check(&dims, order, &[tile]);
            }
        }
    }
}

#[test]
fn three_tiles() {
    let mut part = Part::new();
    let tiles = tiles(2, 3);
    for first in &tiles {
        for second in &tiles {
            for third in &tiles {
                if part.takes() {
                    check(&[3, 5], &[1, 0], &[first, second, third]);
                }
            }
        }
    }
}
