//! Reshapes and transposes that move no element, against the naive model.

use layout::__private::core::native;
use layout::Size;
use layout::bitcast::{NotBitcast, check_transpose_is_bitcast};
use layout::{ArrayShape, Digits};
use layout_tests::naive::{Naive, unflatten};
use layout_tests::pairs;
use layout_tests::random::Random;

fn array(text: &str) -> ArrayShape {
    text.parse().unwrap()
}

fn digits(text: &str) -> Digits {
    array(text).digits().unwrap()
}

/// The offset of each element, in row-major order.
fn offsets(naive: &Naive) -> Vec<Size> {
    let mut offsets = vec![0; native(naive.dims.iter().product())];
    for (slot, number) in naive.memory().iter().enumerate() {
        if let Some(number) = number {
            offsets[native(*number)] = slot as Size;
        }
    }
    offsets
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

#[test]
fn reshapes_find_the_first_element_that_moves() {
    let random = &mut Random::new(6);
    let (mut same, mut others) = (0, 0);
    while same < 200 || others < 1000 {
        let from = dims(random);
        let to = reshaped(random, &from);
        let is_wild = random.below(3) == 0;
        let [a, b] = [&from, &to].map(|dims| pairs::layout(random, dims, is_wild));
        if [&a, &b].iter().any(|naive| naive.size_within(1 << 12).is_none()) {
            continue;
        }
        let expected =
            offsets(&a).into_iter().zip(offsets(&b)).enumerate().find(|(_, (a, b))| a != b).map(
                |(n, (a, b))| (unflatten(n as Size, &from), unflatten(n as Size, &to), [a, b]),
            );
        if expected.is_some() {
            others += 1
        } else {
            same += 1
        }
        let (a, b) = (a.text("f32"), b.text("f32"));
        let found =
            layout::__private::copies::difference_reshaped(&digits(&a), &digits(&b), Size::MAX)
                .map(|moved| {
                    (
                        moved.from[..from.len()].to_vec(),
                        moved.to[..to.len()].to_vec(),
                        moved.offsets,
                    )
                });
        assert_eq!(found, expected, "{a} to {b}");
    }
}

#[test]
fn transposes_find_the_first_element_that_moves() {
    let random = &mut Random::new(7);
    let (mut same, mut others) = (0, 0);
    while same < 100 || others < 1000 {
        let from = dims(random);
        let mut permutation = (0..from.len()).collect::<Vec<_>>();
        for i in (1..from.len()).rev() {
            permutation.swap(i, random.below(i + 1));
        }
        let to = permutation.iter().map(|&dim| from[dim]).collect::<Vec<_>>();
        let is_wild = random.below(3) == 0;
        let a = pairs::layout(random, &from, is_wild);
        let mut b = pairs::layout(random, &to, is_wild);
        if random.below(3) == 0 {
            // The layout whose elements stay, and sometimes a neighbour of it.
            b.tiles.clone_from(&a.tiles);
            let new = |old: &usize| permutation.iter().position(|dim| dim == old).unwrap();
            b.minor_to_major = a.minor_to_major.iter().map(new).collect();
            b.padded = a
                .padded
                .as_ref()
                .map(|widths| permutation.iter().map(|&dim| widths[dim]).collect());
        }
        if [&a, &b].iter().any(|naive| naive.size_within(1 << 12).is_none()) {
            continue;
        }
        let source = |index: &[Size]| {
            let mut source = vec![0; index.len()];
            permutation.iter().zip(index).for_each(|(&dim, i)| source[dim] = *i);
            source
        };
        let before = offsets(&a);
        let number = |index: &[Size]| index.iter().zip(&from).fold(0, |n, (i, dim)| n * dim + i);
        let expected = offsets(&b).into_iter().enumerate().find_map(|(n, offset)| {
            let to = unflatten(n as Size, &to);
            let from = source(&to);
            let old = before[native(number(&from))];
            (old != offset).then_some((from, to, [old, offset]))
        });
        if expected.is_some() {
            others += 1
        } else {
            same += 1
        }
        let (a, b) = (a.text("f32"), b.text("f32"));
        let found = match check_transpose_is_bitcast(&array(&a), &array(&b), &permutation) {
            Err(NotBitcast::Moved { from, to, offsets }) => {
                Some((from.to_vec(), to.to_vec(), offsets))
            }
            Ok(()) | Err(NotBitcast::Size { .. }) => None,
            Err(other) => panic!("{a} to {b} by {permutation:?}: {other}"),
        };
        assert_eq!(found, expected, "{a} to {b} by {permutation:?}");
    }
}
