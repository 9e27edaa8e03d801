//! What is to be found in memory, from the digits of a layout's value, which other tests compare with the naive model.

use std::ops::Range;

use layout::__private::core::native;
use layout::shape::Size;
use layout::{AnyLayout, ArrayShape, WithDims};
use layout_tests::naive::{Naive, unflatten_native};

use crate::plain::{At, Reads, Steps, Stretch, Writes, outside};

/// The elements of an array, or of a part of it, and their slots.
pub(crate) struct Expected {
    pub(crate) text: String,
    pub(crate) dims: Vec<usize>,
    /// The element of each slot.
    pub(crate) slots: Vec<Option<Vec<usize>>>,
    /// The elements with their slots, in the order of memory and in row-major order.
    pub(crate) in_memory: Vec<At<usize>>,
    pub(crate) row_major: Vec<At<usize>>,
    pub(crate) minor: Option<usize>,
}

/// How a layout finds its elements.
pub(crate) struct Offsets<'a> {
    pub(crate) index: &'a dyn Fn(usize) -> Option<Vec<usize>>,
    pub(crate) is_padding: &'a dyn Fn(usize) -> bool,
    pub(crate) offset: &'a dyn Fn(&[usize]) -> usize,
    pub(crate) checked: &'a dyn Fn(&[usize]) -> Option<usize>,
}

impl Expected {
    pub(crate) fn of<L: AnyLayout>(a: &WithDims<L>) -> Expected {
        Expected::of_shape(format!("{a:?}"), &a.shape(), a.dims().as_ref())
    }

    fn of_shape(text: String, shape: &ArrayShape, dims: &[usize]) -> Expected {
        let digits = shape.digits().expect("all sizes are known");
        let count = native(shape.padded_elements().expect("all sizes are known"));
        let is_valid = |index: &Vec<usize>| index.iter().zip(dims).all(|(i, dim)| i < dim);
        let element = |slot| Some(digits.index(slot as Size)?.to_native().to_vec());
        let slots = (0..count).map(|slot| element(slot).filter(is_valid)).collect();
        Expected::of_slots(text, dims.to_vec(), slots, shape.minor_to_major().first().copied())
    }

    /// The elements of a layout of the naive model.
    pub(crate) fn of_naive(naive: &Naive) -> Expected {
        // An array without elements has no memory.
        let memory = if naive.dims.contains(&0) { Vec::new() } else { naive.memory() };
        let dims = naive.dims.iter().map(|size| native(*size)).collect::<Vec<_>>();
        let index = |number: &Option<Size>| Some(unflatten_native(native((*number)?), &dims));
        let slots = memory.iter().map(index).collect();
        Expected::of_slots(naive.text("u32"), dims, slots, naive.minor_to_major.first().copied())
    }

    fn of_slots(
        text: String,
        dims: Vec<usize>,
        slots: Vec<Option<Vec<usize>>>,
        minor: Option<usize>,
    ) -> Expected {
        let with_slot = |(slot, index): (usize, &Option<Vec<usize>>)| Some((index.clone()?, slot));
        let in_memory = slots.iter().enumerate().filter_map(with_slot).collect::<Vec<_>>();
        let mut row_major = in_memory.clone();
        row_major.sort();
        Expected { text, dims, slots, in_memory, row_major, minor }
    }

    /// A part of the array in the same memory. Its indices begin at 0.
    pub(crate) fn part(&self, ranges: &[Range<usize>]) -> Expected {
        let local = |index: &Vec<usize>| {
            let mut pairs = index.iter().zip(ranges);
            pairs.all(|(i, range)| range.contains(i)).then(|| {
                index.iter().zip(ranges).map(|(i, range)| i - range.start).collect::<Vec<_>>()
            })
        };
        let slots = self.slots.iter().map(|index| index.as_ref().and_then(local)).collect();
        let dims = ranges.iter().map(|range| range.len()).collect();
        Expected::of_slots(format!("{} {ranges:?}", self.text), dims, slots, self.minor)
    }

    /// All of the array but of one dimension.
    pub(crate) fn along(&self, dim: usize, range: Range<usize>) -> Expected {
        let mut ranges = self.dims.iter().map(|&size| 0..size).collect::<Vec<_>>();
        ranges[dim] = range;
        self.part(&ranges)
    }

    pub(crate) fn slot(&self, index: &[usize]) -> Option<usize> {
        let found = self.row_major.binary_search_by(|(other, _)| other[..].cmp(index));
        found.ok().map(|at| self.row_major[at].1)
    }

    pub(crate) fn paddings(&self) -> Vec<usize> {
        (0..self.slots.len()).filter(|&slot| self.slots[slot].is_none()).collect()
    }

    /// Every slot to its index and back.
    pub(crate) fn assert_offsets(&self, found: &Offsets<'_>) {
        let Expected { text, slots, .. } = self;
        for (slot, index) in slots.iter().enumerate() {
            assert_eq!((found.index)(slot), *index, "{text} slot {slot}");
            assert_eq!((found.is_padding)(slot), index.is_none(), "{text} slot {slot}");
            if let Some(index) = index {
                assert_eq!((found.offset)(index), slot, "{text} {index:?}");
                assert_eq!((found.checked)(index), Some(slot), "{text} {index:?}");
            }
        }
        let past = slots.len();
        assert_eq!(((found.index)(past), (found.is_padding)(past)), (None, false), "{text}");
        for index in outside(&self.dims) {
            assert_eq!((found.checked)(&index), None, "{text} {index:?}");
        }
    }

    /// Walks over the elements, which know their lengths, and over padding.
    pub(crate) fn assert_walks(
        &self,
        in_memory: (Vec<At<usize>>, bool),
        row_major: (Vec<At<usize>>, bool),
        paddings: &mut dyn Steps<Range<usize>>,
    ) {
        assert_eq!(in_memory, (self.in_memory.clone(), true), "{}", self.text);
        assert_eq!(row_major, (self.row_major.clone(), true), "{}", self.text);
        let paddings = std::iter::from_fn(|| paddings.step()).collect::<Vec<_>>();
        assert!(paddings.iter().cloned().flatten().eq(self.paddings()), "{}", self.text);
        let touching = paddings.windows(2).any(|pair| pair[0].end == pair[1].start);
        assert!(!touching, "{}: ranges of padding are as long as they can be", self.text);
    }

    /// The offset of each element is the sum of its coordinates, each times its stride.
    pub(crate) fn assert_strides(&self, strides: &[usize]) {
        for (index, slot) in &self.in_memory {
            let sum = index.iter().zip(strides).map(|(i, stride)| i * stride).sum::<usize>();
            assert_eq!(*slot, sum, "{} {index:?}", self.text);
        }
        // Where there is no next index there is no distance to it.
        let mut pairs = self.dims.iter().zip(strides);
        assert!(pairs.all(|(dim, stride)| *dim > 1 || *stride == 0), "{}", self.text);
    }

    /// Every way to read memory in which each slot holds its own number.
    pub(crate) fn assert_reads(&self, memory: &dyn Reads) {
        let Expected { text, row_major, .. } = self;
        assert_eq!(memory.dims(), self.dims, "{text}");
        let elements = memory.elements();
        let slots = elements.into_iter().map(|(index, slot)| (index, slot as usize));
        assert_eq!(slots.collect::<Vec<_>>(), *row_major, "{text}");
        let slots = memory.to_vec().into_iter().map(|slot| slot as usize);
        assert!(slots.eq(row_major.iter().map(|(_, slot)| *slot)), "{text}");
        for (index, slot) in row_major {
            let slot = *slot as u32;
            let found = (memory.get(index), memory.indexed(index));
            assert_eq!(found, (Some(slot), slot), "{text} {index:?}");
        }
        for index in
            outside(&self.dims).into_iter().chain(outside(&vec![usize::MAX; self.dims.len()]))
        {
            assert_eq!(memory.get(&index), None, "{text} {index:?}");
        }
        self.assert_runs(&memory.runs());
    }

    /// Runs that are the array's elements in the order of memory.
    pub(crate) fn assert_runs(&self, runs: &[Stretch]) {
        for Stretch { index, offset, slots } in runs {
            assert_eq!(self.slot(index), Some(*offset), "{} {index:?}", self.text);
            assert!(slots.iter().map(|&slot| slot as usize).eq(*offset..offset + slots.len()));
            // Of one dimension all, of the others one coordinate.
            let last = self.slots[offset + slots.len() - 1].iter().flatten();
            let gone = index.iter().zip(last).map(|(first, last)| last.abs_diff(*first));
            assert_eq!(gone.sum::<usize>(), slots.len() - 1, "{} {index:?}", self.text);
        }
        let slots = runs.iter().flat_map(|run| &run.slots).map(|&slot| slot as usize);
        assert!(slots.eq(self.in_memory.iter().map(|(_, slot)| *slot)), "{}", self.text);
    }

    /// Every way to write memory in which each slot holds its own number, which it holds again after it.
    pub(crate) fn assert_writes(&self, memory: &mut dyn Writes) {
        let Expected { text, row_major, .. } = self;
        self.assert_reads(memory);
        // All references are there at the same time.
        let mut elements = memory.elements_mut();
        assert_eq!(elements.len(), row_major.len(), "{text}");
        for ((index, x), (expected, slot)) in elements.iter_mut().zip(row_major) {
            assert_eq!((&*index, **x as usize), (expected, *slot), "{text}");
            **x += 1000;
        }
        memory.runs_mut().into_iter().flatten().for_each(|x| *x += 1000);
        for (index, slot) in row_major {
            assert_eq!(memory.indexed(index) as usize, slot + 2000, "{text} {index:?}");
            *memory.indexed_mut(index) -= 1000;
            *memory.get_mut(index).expect("an index of the array") -= 1000;
        }
        for index in outside(&self.dims) {
            assert_eq!(memory.get_mut(&index), None, "{text} {index:?}");
        }
    }

    /// Rows that are the array's elements in the order of memory, evenly spaced along the most minor dimension.
    pub(crate) fn assert_rows(&self, rows: &[Stretch], stride: usize) {
        let text = &self.text;
        let along = |index: &[usize], at: usize| {
            let mut index = index.to_vec();
            match self.minor {
                Some(minor) => index[minor] += at,
                // The row of a scalar has one element.
                None if at > 0 => return None,
                None => {}
            }
            self.slot(&index)
        };
        assert!(rows.windows(2).all(|pair| pair[0].offset < pair[1].offset), "{text}");
        let mut found = Vec::new();
        for Stretch { index, offset, slots } in rows {
            for (at, &slot) in slots.iter().enumerate() {
                let expected = offset + at * stride;
                assert_eq!(slot as usize, expected, "{text} {index:?} + {at}");
                assert_eq!(along(index, at), Some(expected), "{text} {index:?} + {at}");
                found.push(expected);
            }
            let goes_on = along(index, slots.len()) == Some(offset + slots.len() * stride);
            assert!(!goes_on || stride > 1, "{text} {index:?} is longer");
        }
        found.sort_unstable();
        assert!(found.iter().eq(self.in_memory.iter().map(|(_, slot)| slot)), "{text}");
    }

    /// What memory holds in which each element was given a number and padding another one.
    pub(crate) fn assert_memory(
        &self,
        memory: &[u32],
        element: &dyn Fn(usize) -> u32,
        padding: &dyn Fn(usize) -> u32,
    ) {
        for (slot, found) in memory.iter().enumerate() {
            let is_element = self.slots.get(slot).is_some_and(Option::is_some);
            let expected = if is_element { element(slot) } else { padding(slot) };
            assert_eq!(*found, expected, "{} slot {slot}", self.text);
        }
    }
}
