//! The arrays that a value consists of.

use alloc::rc::Rc;
use alloc::vec::Vec;

use crate::reading::cache::Cache;
use crate::reading::error::ErrorKind;
use layout_core::{ArrayShape, Shape};

/// An array in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// With padding.
    pub bytes: u64,
    pub padding: u64,
    pub space: i8,
}

impl Leaf {
    /// `None`: its size is not known.
    fn new(array: &ArrayShape) -> Option<Leaf> {
        let bytes = array.bytes()? as u64;
        let unpadded = array.unpadded_bytes()? as u64;
        Some(Leaf { bytes, padding: bytes.saturating_sub(unpadded), space: array.memory_space() })
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
    pub(crate) fn new(text: &str) -> Result<Leaves, ErrorKind> {
        if text.is_empty() {
            return Err(ErrorKind::NoShape);
        }
        let (mut new, mut is_known) = (Leaves::default(), true);
        let read = Shape::for_each_array(text, |place, array| {
            if let Some(part) = place.first() {
                // Parts that are not arrays have no leaves.
                let start = new.leaves.len() as u32;
                new.starts.resize(new.starts.len().max(part + 1), start);
            }
            let leaf = Leaf::new(array);
            is_known &= leaf.is_some();
            new.leaves.push(leaf.unwrap_or_default());
        });
        read.map_err(ErrorKind::Shape)?;
        if is_known { Ok(new) } else { Err(ErrorKind::NoSize) }
    }

    /// The leaves of one part of a tuple.
    pub(crate) fn part(&self, part: usize) -> core::ops::Range<usize> {
        let start =
            |part: usize| self.starts.get(part).map_or(self.leaves.len(), |it| *it as usize);
        start(part)..start(part.saturating_add(1))
    }
}

impl Leaves {
    /// The number of the leaf at a place in the tuple.
    pub(crate) fn leaf(&self, place: &[usize]) -> usize {
        // A tuple in a tuple has nothing but arrays in what compilers print.
        let start = place.first().map_or(0, |part| self.part(*part).start);
        start.saturating_add(place.get(1).copied().unwrap_or(0))
    }
}

/// What was made of the shapes of a text.
pub(crate) struct ReadShapes<'a>(Cache<'a, Rc<Leaves>>);

impl<'a> ReadShapes<'a> {
    pub(crate) fn new() -> ReadShapes<'a> {
        ReadShapes(Cache::new())
    }

    pub(crate) fn read(&mut self, text: &'a str) -> Result<Rc<Leaves>, ErrorKind> {
        if let Some(known) = self.0.get(text) {
            return Ok(Rc::clone(known));
        }
        let new = Rc::new(Leaves::new(text)?);
        self.0.insert(text, Rc::clone(&new));
        Ok(new)
    }
}
