//! Memory without the type of its layout: what compares with it is compiled once, and not for each layout.

use std::ops::Range;

use layout::dynamic::{Coordinates, DynBuffer, DynSlice, DynSliceMut, DynView};
use layout::types::IndexArray;
use layout::walks::Run;
use layout::{AnyLayout, Buffer, MemoryError, Slice, SliceMut, View, ViewMut};

pub(crate) use layout_tests::copies::Numbers;

/// Something with the index where it is.
pub(crate) type At<T> = (Vec<usize>, T);

/// The numbers of slots that lie in memory in which each slot holds its own number.
pub(crate) fn numbers(count: usize) -> Vec<u32> {
    (0..count as u32).collect()
}

/// An index of a layout.
pub(crate) fn index<I: IndexArray>(coordinates: &[usize]) -> I {
    let mut index = I::ORIGIN;
    index.as_mut().copy_from_slice(coordinates);
    index
}

/// Indices one past the end of each dimension.
pub(crate) fn outside(dims: &[usize]) -> Vec<Vec<usize>> {
    let past = |dim| (0..dims.len()).map(|i| if i == dim { dims[dim] } else { 0 }).collect();
    (0..dims.len()).map(past).collect()
}

/// An iterator without its many methods, each of which would be compiled for each layout.
pub(crate) trait Steps<T> {
    fn step(&mut self) -> Option<T>;
    fn hint(&self) -> (usize, Option<usize>);
}

impl<I: Iterator> Steps<I::Item> for I {
    fn step(&mut self) -> Option<I::Item> {
        self.next()
    }

    fn hint(&self) -> (usize, Option<usize>) {
        self.size_hint()
    }
}

/// What a walk finds, and whether it says before each step how many are left.
pub(crate) fn walk<I: Coordinates, T>(steps: &mut dyn Steps<(I, T)>) -> (Vec<At<T>>, bool) {
    let (mut found, mut hints) = (Vec::new(), vec![steps.hint()]);
    while let Some((index, item)) = steps.step() {
        found.push((index.as_ref().to_vec(), item));
        hints.push(steps.hint());
    }
    let is_exact = |(left, hint): (usize, &_)| *hint == (left, Some(left));
    let is_exact = hints.iter().rev().enumerate().all(is_exact) && steps.step().is_none();
    (found, is_exact)
}

/// Elements that follow one another, of which the memory says where they are.
#[derive(Debug, PartialEq)]
pub(crate) struct Stretch {
    pub(crate) index: Vec<usize>,
    pub(crate) offset: usize,
    pub(crate) slots: Vec<u32>,
}

pub(crate) fn stretches<I: Coordinates>(runs: &mut dyn Steps<(Run<I>, &[u32])>) -> Vec<Stretch> {
    let mut found = Vec::new();
    while let Some((run, slots)) = runs.step() {
        assert_eq!(run.length, slots.len());
        let (index, offset) = (run.index.as_ref().to_vec(), run.offset);
        found.push(Stretch { index, offset, slots: slots.to_vec() });
    }
    found
}

/// The length that memory should have, and the one that it has.
pub(crate) fn lengths(error: MemoryError) -> (usize, usize) {
    match error {
        MemoryError::TooShort { needed, given, .. }
        | MemoryError::WrongLength { needed, given } => (needed, given),
        _ => panic!("{error}"),
    }
}

/// What can be read by an index and element by element.
pub(crate) trait Reads {
    fn dims(&self) -> Vec<usize>;
    fn get(&self, coordinates: &[usize]) -> Option<u32>;
    fn indexed(&self, coordinates: &[usize]) -> u32;
    fn elements(&self) -> Vec<At<u32>>;
    fn runs(&self) -> Vec<Stretch>;
    fn to_vec(&self) -> Vec<u32>;
}

/// What can be written by an index and element by element.
pub(crate) trait Writes: Reads {
    fn get_mut(&mut self, coordinates: &[usize]) -> Option<&mut u32>;
    fn indexed_mut(&mut self, coordinates: &[usize]) -> &mut u32;
    fn elements_mut(&mut self) -> Vec<At<&mut u32>>;
    fn runs_mut(&mut self) -> Vec<&mut [u32]>;
}

/// What can be cut.
pub(crate) trait Parts: Reads {
    fn part(&self, ranges: &[Range<usize>]) -> Box<dyn Parts + '_>;
    fn split(&self, dim: usize, at: usize) -> [Box<dyn Parts + '_>; 2];
    fn axis(&self, dim: usize) -> Vec<Box<dyn Parts + '_>>;
}

/// Implements a trait for memories of types of layouts and for those of values: how each takes an index, ranges, and gives its tiles.
macro_rules! memories {
    ($implement:ident: $($typed:ty),*; $($dynamic:ty),*) => {
        $($implement! {
            [L: AnyLayout<Index = [usize; R]> + Numbers<R>, const R: usize] $typed,
            |given| index(given),
            |ranges| <[Range<usize>; R]>::try_from(ranges.to_vec()).expect("a range for each"),
            |tiles| tiles
        })*
        $($implement! {
            [] $dynamic, |given| given, |ranges| ranges, |tiles| tiles.expect("they are blocks")
        })*
    };
}

pub(crate) use memories;

macro_rules! reads {
    ([$($generics:tt)*] $memory:ty, |$given:ident| $index:expr, $($other:tt)*) => {
        impl<$($generics)*> Reads for $memory {
            fn dims(&self) -> Vec<usize> {
                self.dims().to_vec()
            }

            fn get(&self, $given: &[usize]) -> Option<u32> {
                self.get($index).copied()
            }

            fn indexed(&self, $given: &[usize]) -> u32 {
                self[$index]
            }

            fn elements(&self) -> Vec<At<u32>> {
                let mut found = Vec::new();
                for (index, x) in self.indexed_iter() {
                    found.push((index.to_vec(), *x));
                }
                found
            }

            fn runs(&self) -> Vec<Stretch> {
                stretches(&mut self.runs())
            }

            fn to_vec(&self) -> Vec<u32> {
                self.to_row_major()
            }
        }
    };
}

memories! {
    reads: View<'_, L, u32>, ViewMut<'_, L, u32>, Buffer<L, u32>, Slice<'_, L, u32>, SliceMut<'_, L, u32>;
    DynView<'_, u32>, DynBuffer<u32>, DynSlice<'_, u32>, DynSliceMut<'_, u32>
}

macro_rules! writes {
    ([$($generics:tt)*] $memory:ty, |$given:ident| $index:expr, $($other:tt)*) => {
        impl<$($generics)*> Writes for $memory {
            fn get_mut(&mut self, $given: &[usize]) -> Option<&mut u32> {
                self.get_mut($index)
            }

            fn indexed_mut(&mut self, $given: &[usize]) -> &mut u32 {
                &mut self[$index]
            }

            fn elements_mut(&mut self) -> Vec<At<&mut u32>> {
                walk(&mut self.indexed_iter_mut()).0
            }

            fn runs_mut(&mut self) -> Vec<&mut [u32]> {
                let mut found = Vec::new();
                for (_, run) in self.runs_mut() {
                    found.push(run);
                }
                found
            }
        }
    };
}

memories! {
    writes: ViewMut<'_, L, u32>, Buffer<L, u32>, SliceMut<'_, L, u32>;
    DynBuffer<u32>, DynSliceMut<'_, u32>
}

macro_rules! parts {
    ([$($generics:tt)*] $memory:ty, |$given:ident| $index:expr, |$ranges:ident| $cut:expr, $($other:tt)*) => {
        impl<$($generics)*> Parts for $memory {
            fn part(&self, $ranges: &[Range<usize>]) -> Box<dyn Parts + '_> {
                Box::new(self.slice($cut).expect("ranges in bounds"))
            }

            fn split(&self, dim: usize, at: usize) -> [Box<dyn Parts + '_>; 2] {
                let [first, second] = self.split_at(dim, at).expect("a cut in bounds");
                [Box::new(first), Box::new(second)]
            }

            fn axis(&self, dim: usize) -> Vec<Box<dyn Parts + '_>> {
                let mut all = Vec::<Box<dyn Parts>>::new();
                for part in self.iter_axis(dim).expect("a dimension of the array") {
                    all.push(Box::new(part));
                }
                all
            }
        }
    };
}

memories! { parts: View<'_, L, u32>, Slice<'_, L, u32>; DynView<'_, u32>, DynSlice<'_, u32> }
