//! Copies from and to planes, against the naive model.

use layout::shape::Size;
use layout::types::SameArray;
use layout::{Copier, CopyError, Padding};

use super::doors::memory_of;
use super::types::{Numbers, some_sizes};
use crate::naive::sizes;
use crate::random::Random;

const PADDINGS: [(Padding<u32>, u32); 4] =
    [(Padding::Leave, 7), (Padding::Declared, 7), (Padding::Zero, 0), (Padding::Fill(3), 3)];

fn numbers(of: &[Option<Size>], padding: u32) -> Vec<u32> {
    of.iter().map(|number| number.map_or(padding, |number| number as u32)).collect()
}

/// From planes of `A`, and to planes of it, which lie one after the other there, along a dimension.
pub(super) fn planes<A, B, const R: usize>(random: &mut Random, limit: usize)
where
    A: SameArray<B> + Numbers<R>,
    B: SameArray<A> + Numbers<R>,
{
    let Some(dims) = some_sizes::<A, B, R>(random, limit) else { return };
    let [a, b] = [A::with_dims(dims).map(|a| a.shape()), B::with_dims(dims).map(|b| b.shape())]
        .map(|shape| shape.expect("they go with both"));
    let dim = *a.minor_to_major().last().expect("a dimension");
    let (of_a, of_b) = (memory_of(&a, &sizes(&dims)), memory_of(&b, &sizes(&dims)));
    let count = dims[dim];
    let slots = of_a.len() / count.max(1);
    let source = numbers(&of_a, u32::MAX);
    let parts = (0..count).map(|plane| &source[plane * slots..][..slots]).collect::<Vec<_>>();
    for (padding, of_padding) in PADDINGS {
        let mut expected = numbers(&of_b, of_padding);
        expected.extend([7; 9]);
        let mut dst = vec![7; expected.len()];
        Copier::<A, B>::new().gather(dims, &parts, &mut dst, padding).unwrap();
        assert!(dst == expected, "from planes: {a:?} to {b:?}, {padding:?}");

        let (source, expected) = (numbers(&of_b, u32::MAX), numbers(&of_a, of_padding));
        let mut parts = vec![vec![7; slots + 3]; count];
        let mut slices = parts.iter_mut().map(Vec::as_mut_slice).collect::<Vec<_>>();
        Copier::<B, A>::new().scatter(dims, &source, &mut slices, padding).unwrap();
        for (number, part) in parts.iter().enumerate() {
            let expected = [&expected[number * slots..][..slots], &[7; 3]].concat();
            assert!(*part == expected, "to plane {number}: {b:?} to {a:?}, {padding:?}");
        }
    }
    let none: &mut [u32] = &mut [];
    let error = Copier::<A, B>::new().gather(dims, &[[0; 0]; 400], none, Padding::Leave);
    assert_eq!(error, Err(CopyError::Planes { needed: count, given: 400 }));
}
