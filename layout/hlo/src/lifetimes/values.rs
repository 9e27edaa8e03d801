//! The arrays that a value consists of.

use alloc::rc::Rc;
use alloc::vec::Vec;

use crate::reading::cache::Cache;
use layout_core::{ArrayShape, Shape};

/// An array in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// With padding. 0 if a size is not known.
    pub bytes: u64,
    pub padding: u64,
    pub space: i8,
}

impl Leaf {
    fn new(array: &ArrayShape) -> Leaf {
        let bytes = array.bytes().unwrap_or(0) as u64;
        let unpadded = array.unpadded_bytes().unwrap_or(0) as u64;
        Leaf { bytes, padding: bytes.saturating_sub(unpadded), space: array.memory_space() }
    }
}

/// The arrays of a shape, those of a tuple's parts one after the other.
#[derive(Clone, Debug, Default)]
pub(crate) struct Leaves {
    pub leaves: Vec<Leaf>,
    /// Where each part of the tuple begins, and the end; empty if it is not a tuple.
    starts: Vec<u32>,
}

impl Leaves {
    pub(crate) fn new(text: &str) -> Leaves {
        let mut new = Leaves::default();
        let _ = Shape::for_each_array(text, |place, array| {
            if let Some(part) = place.first() {
                // Parts that are not arrays have no leaves.
                let start = new.leaves.len() as u32;
                new.starts.resize(new.starts.len().max(part + 1), start);
            }
            new.leaves.push(Leaf::new(array));
        });
        new
    }

    /// The leaves of one part of a tuple.
    pub(crate) fn part(&self, part: usize) -> core::ops::Range<usize> {
        let start =
            |part: usize| self.starts.get(part).map_or(self.leaves.len(), |it| *it as usize);
        start(part)..start(part + 1)
    }
}

impl Leaves {
    /// The number of the leaf at a place in the tuple.
    pub(crate) fn leaf(&self, place: &[usize]) -> usize {
        // A tuple in a tuple has nothing but arrays in what compilers print.
        place.first().map_or(0, |part| self.part(*part).start) + place.get(1).copied().unwrap_or(0)
    }
}

/// What was made of the shapes of a text.
pub(crate) struct ReadShapes<'a>(Cache<'a, Rc<Leaves>>);

impl<'a> ReadShapes<'a> {
    pub(crate) fn new() -> ReadShapes<'a> {
        ReadShapes(Cache::new())
    }

    pub(crate) fn read(&mut self, text: &'a str) -> Rc<Leaves> {
        if let Some(known) = self.0.get(text) {
            return Rc::clone(known);
        }
        let new = Rc::new(Leaves::new(text));
        self.0.insert(text, Rc::clone(&new));
        new
    }
}
