//! Copies that make something of elements, and from and to planes, against the naive model.

use std::panic::{AssertUnwindSafe, catch_unwind};

use layout::shape::Size;
use layout::types::{SameArray, SameDims};
use layout::{Copier, CopyError, Padding, WithDims};

use super::types::{Numbers, memory, some_sizes};
use crate::naive::unflatten;
use crate::random::Random;

const PADDINGS: [(Padding<u32>, u32); 4] =
    [(Padding::Leave, 7), (Padding::Declared, 7), (Padding::Zero, 0), (Padding::Fill(3), 3)];

fn numbers(of: &[Option<Size>], padding: u32) -> Vec<u32> {
    of.iter().map(|number| number.map_or(padding, |number| number as u32)).collect()
}

/// A function of index and element: each index is that of its element.
pub(super) fn mapped<A, B, const R: usize>(a: &WithDims<A>, b: &WithDims<B>)
where
    A: SameDims<B> + Numbers<R>,
    B: Numbers<R>,
{
    let dims = a.dims().map(|size| size as Size);
    let (source, to) = (numbers(&memory(a), u32::MAX), memory(b));
    let right = |index: [usize; R], number: u32| {
        assert!(index.map(|at| at as Size)[..] == unflatten(number as Size, &dims)[..]);
        number ^ 0x8000_0000
    };
    for (padding, of_padding) in PADDINGS {
        let expected =
            to.iter().map(|number| number.map_or(of_padding, |number| number as u32 ^ 0x8000_0000));
        let expected = expected.chain([7; 9]).collect::<Vec<_>>();
        let mut dst = vec![7; expected.len()];
        Copier::<A, B>::new().map(a.dims(), &source, &mut dst, padding, right).unwrap();
        assert!(dst == expected, "map: {a:?} to {b:?}, {padding:?}");
    }
    // A function that panics: what is there was there before, or is what the function made.
    let mut calls = 0;
    let mut dst = vec![7; b.padded_elements()];
    let caught = catch_unwind(AssertUnwindSafe(|| {
        Copier::<A, B>::new().map(a.dims(), &source, &mut dst, Padding::Leave, |_, number| {
            calls += 1;
            assert!(calls <= a.elements() / 2, "halfway");
            number ^ 0x8000_0000
        })
    }));
    assert_eq!(caught.is_err(), a.elements() > 0);
    let mut written = 0;
    for (found, number) in dst.iter().zip(&to) {
        written += usize::from(*found != 7);
        let number = number.map(|number| number as u32 ^ 0x8000_0000);
        assert!(*found == 7 || Some(*found) == number, "a map that panics: {a:?} to {b:?}");
    }
    assert_eq!(written, a.elements() / 2);
}

/// From planes of `A`, and to planes of it, which lie one after the other there, along a dimension.
pub(super) fn planes<A, B, const R: usize>(random: &mut Random, limit: usize)
where
    A: SameArray<B> + Numbers<R>,
    B: SameArray<A> + Numbers<R>,
{
    let Some((a, b)) = some_sizes::<A, B, R>(random, limit) else { return };
    let dim = *a.shape().minor_to_major().last().expect("a dimension");
    let (of_a, of_b) = (memory(&a), memory(&b));
    let count = a.dims()[dim];
    let slots = of_a.len() / count.max(1);
    let source = numbers(&of_a, u32::MAX);
    let parts = (0..count).map(|plane| &source[plane * slots..][..slots]).collect::<Vec<_>>();
    for (padding, of_padding) in PADDINGS {
        let mut expected = numbers(&of_b, of_padding);
        expected.extend([7; 9]);
        let mut dst = vec![7; expected.len()];
        Copier::<A, B>::new().gather(a.dims(), &parts, &mut dst, padding).unwrap();
        assert!(dst == expected, "from planes: {a:?} to {b:?}, {padding:?}");

        let (source, expected) = (numbers(&of_b, u32::MAX), numbers(&of_a, of_padding));
        let mut parts = vec![vec![7; slots + 3]; count];
        let mut slices = parts.iter_mut().map(Vec::as_mut_slice).collect::<Vec<_>>();
        Copier::<B, A>::new().scatter(a.dims(), &source, &mut slices, padding).unwrap();
        for (number, part) in parts.iter().enumerate() {
            let expected = [&expected[number * slots..][..slots], &[7; 3]].concat();
            assert!(*part == expected, "to plane {number}: {b:?} to {a:?}, {padding:?}");
        }
    }
    let none: &mut [u32] = &mut [];
    let error = Copier::<A, B>::new().gather(a.dims(), &[[0; 0]; 400], none, Padding::Leave);
    assert_eq!(error, Err(CopyError::Planes { needed: count, given: 400 }));
}
