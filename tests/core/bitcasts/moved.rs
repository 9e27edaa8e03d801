//! Reshapes and transposes against the naive model: whether they move a byte, and the first element that they move.

use layout::__private::copies::difference_reshaped;
use layout::__private::core::native;
use layout::bitcast::{
    NotBitcast, check_reshape_is_bitcast, check_transpose_is_bitcast, reshape_is_bitcast,
    transpose_is_bitcast,
};
use layout::shape::Size;
use layout_tests::lists::{array, list};
use layout_tests::naive::{self, Naive, flatten, sizes, unflatten};
use layout_tests::pairs;
use layout_tests::random::Random;

/// The slot of each element, in row-major order, and how many slots there are.
fn slots(naive: &Naive) -> (Vec<Size>, Size) {
    let memory = if naive.dims.contains(&0) { Vec::new() } else { naive.memory() };
    (sizes(&naive::slots(&memory)), memory.len() as Size)
}

/// Whether a reshape, or a transpose by a permutation, is a bitcast: if each element stays in its slot, and there are as
/// many. If not, the first element that lies elsewhere is named.
fn compare(a: &Naive, b: &Naive, by: Option<&[usize]>) -> bool {
    let (from, to) = (array(&a.text("f32")), array(&b.text("f32")));
    let ((x, slots_of_a), (y, slots_of_b)) = (slots(a), slots(b));
    let source = |number: Size, index: &[Size]| match by {
        None => unflatten(number, &a.dims),
        Some(by) => {
            let mut source = vec![0; index.len()];
            by.iter().zip(index).for_each(|(&dim, at)| source[dim] = *at);
            source
        }
    };
    let moved = (0..y.len() as Size).find_map(|number| {
        let index = unflatten(number, &b.dims);
        let source = source(number, &index);
        let offsets = [x[native(flatten(&source, &a.dims))], y[native(number)]];
        (offsets[0] != offsets[1]).then_some((source, index, offsets))
    });
    let is_bitcast = moved.is_none() && slots_of_a == slots_of_b;
    let (found, checked) = match by {
        None => {
            let digits = [&from, &to].map(|shape| shape.digits().unwrap());
            let first = difference_reshaped(&digits[0], &digits[1], Size::MAX).map(|moved| {
                let [i, j] = [&moved.from[..a.dims.len()], &moved.to[..b.dims.len()]];
                (i.to_vec(), j.to_vec(), moved.offsets)
            });
            assert_eq!(first, moved, "{from} {to}");
            (reshape_is_bitcast(&from, &to), check_reshape_is_bitcast(&from, &to))
        }
        Some(by) => {
            let checked = check_transpose_is_bitcast(&from, &to, by);
            (transpose_is_bitcast(&from, &to, by), checked)
        }
    };
    assert_eq!(found, is_bitcast, "{from} {to} {by:?}");
    match checked {
        Ok(()) => assert!(is_bitcast, "{from} {to} {by:?}"),
        Err(NotBitcast::Moved { from: i, to: j, offsets }) => {
            assert_eq!(Some((i.to_vec(), j.to_vec(), offsets)), moved, "{from} {to} {by:?}");
        }
        Err(NotBitcast::Size { padded_elements }) => {
            assert_eq!(padded_elements, [slots_of_a, slots_of_b], "{from} {to} {by:?}");
            assert!(moved.is_none() && !is_bitcast, "{from} {to} {by:?}");
        }
        Err(other) => panic!("{from} {to} {by:?}: {other}"),
    }
    is_bitcast
}

/// Every shape of that many elements with at most three dimensions.
fn shapes(elements: Size) -> Vec<Vec<Size>> {
    let mut shapes = vec![vec![elements]];
    for a in 1..=elements {
        if !elements.is_multiple_of(a) {
            continue;
        }
        shapes.push(vec![a, elements / a]);
        let left = elements / a;
        for b in 1..=left {
            if left.is_multiple_of(b) {
                shapes.push(vec![a, b, left / b]);
            }
        }
    }
    shapes
}

fn orders(rank: usize) -> Vec<Vec<usize>> {
    match rank {
        1 => vec![vec![0]],
        2 => vec![vec![1, 0], vec![0, 1]],
        _ => vec![vec![2, 1, 0], vec![1, 2, 0], vec![0, 1, 2], vec![2, 0, 1]],
    }
}

/// A layout with the text of its tiles.
fn naive(dims: &[Size], order: &[usize], tiles: &str) -> Naive {
    Naive::of(&array(&format!("f32[{}]{{{}{tiles}}}", list(dims), list(order))), dims)
}

#[test]
fn every_pair_of_small_layouts() {
    let tiles =
        ["", ":T(2)", ":T(2,2)", ":T(2,3)", ":T(2,4)(2,1)", ":T(4)(3)", ":T(*,4)", ":T(4,4)(*,2)"];
    let mut found = 0;
    for elements in [1, 6, 8, 12] {
        let mut layouts = Vec::new();
        for dims in shapes(elements) {
            for order in orders(dims.len()) {
                for tiles in tiles {
                    layouts.push(naive(&dims, &order, tiles));
                }
            }
        }
        // A part of the pairs of many layouts, each layout with itself and with its neighbours included.
        let step = 1 + layouts.len() / 31;
        for (i, a) in layouts.iter().enumerate() {
            for (j, b) in layouts.iter().enumerate() {
                if i.abs_diff(j) < 12 || (i + j).is_multiple_of(step) {
                    found += usize::from(compare(a, b, None));
                }
            }
        }
    }
    assert!(found > 3000, "{found}");
}

/// The order in which a transpose moves no element.
fn permuted(from: &Naive, permutation: &[usize]) -> Vec<usize> {
    let new = |old: &usize| permutation.iter().position(|dim| dim == old).unwrap();
    from.minor_to_major.iter().map(new).collect()
}

/// The same elements in other dimensions: neighbours joined, sizes taken apart, ones put in.
fn reshaped(random: &mut Random, dims: &[Size]) -> Vec<Size> {
    let mut dims = dims.to_vec();
    for _ in 0..1 + random.below(3) {
        match random.below(3) {
            0 if dims.len() > 1 => {
                let at = random.below(dims.len() - 1);
                let joined = dims.remove(at);
                dims[at] *= joined;
            }
            1 if !dims.is_empty() => {
                let at = random.below(dims.len());
                let divisors =
                    (1..=dims[at]).filter(|n| dims[at].is_multiple_of(*n)).collect::<Vec<_>>();
                let part = *random.pick(&divisors);
                dims[at] /= part;
                dims.insert(at + 1, part);
            }
            _ => dims.insert(random.below(dims.len() + 1), 1),
        }
    }
    dims
}

fn dims(random: &mut Random) -> Vec<Size> {
    let rank = random.below(5);
    let largest = [1, 60, 24, 12, 8][rank];
    let size = |random: &mut Random| match random.below(3) {
        0 => 1 + random.below_size(largest),
        _ => *random.pick(&[1, 2, 4, 8]),
    };
    (0..rank).map(|_| size(random)).collect()
}

/// Any layouts with padding and tiles, by reshapes and by transposes.
#[test]
fn random_layouts() {
    let random = &mut Random::new(6);
    let mut found = [[0; 2]; 2];
    while found[0][0] < 1000 || found[1][0] < 1500 || found[0][1] < 4000 || found[1][1] < 1500 {
        let is_transpose = random.below(2) == 1;
        let is_wild = random.below(3) == 0;
        let from = dims(random);
        let permutation = random.order(from.len());
        let to = match is_transpose {
            true => permutation.iter().map(|&dim| from[dim]).collect(),
            false => reshaped(random, &from),
        };
        let [mut a, mut b] = [&from, &to].map(|dims| pairs::layout(random, dims, is_wild));
        if random.below(3) == 0 {
            // The layout whose elements stay, and sometimes a neighbour of it: tiles that do not divide the dimensions too.
            b.tiles.clone_from(&a.tiles);
            if is_transpose {
                b.minor_to_major = permuted(&a, &permutation);
                let widths = |all: &Vec<Size>| permutation.iter().map(|&dim| all[dim]).collect();
                b.padded = a.padded.as_ref().map(widths);
            } else {
                for naive in [&mut a, &mut b] {
                    naive.minor_to_major = (0..naive.dims.len()).rev().collect();
                    if random.below(4) > 0 {
                        naive.padded = None;
                    }
                }
            }
        }
        if [&a, &b].iter().any(|naive| naive.size_within(1 << 12).is_none()) {
            continue;
        }
        let by = is_transpose.then_some(&permutation[..]);
        let is_bitcast = compare(&a, &b, by);
        found[usize::from(is_transpose)][usize::from(!is_bitcast)] += 1;
    }
}
