//! The distinct shapes of a text, each read once.

use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;

use crate::hlo::error::Error;
use crate::hlo::found::Occurrence;
use crate::shape::Shape;

/// Texts in the table that is looked at first; a power of two.
const SLOTS: usize = 1024;

/// Shapes by their texts.
#[derive(Clone, Debug)]
pub(super) struct Distinct<'a> {
    shapes: Vec<(&'a str, Shape)>,
    /// The number of each text.
    numbers: BTreeMap<&'a str, usize>,
    /// For a hash of the text the number that was asked for last, which is most often the one.
    last: Vec<usize>,
}

impl<'a> Distinct<'a> {
    pub(super) fn new() -> Distinct<'a> {
        Distinct { shapes: Vec::new(), numbers: BTreeMap::new(), last: vec![usize::MAX; SLOTS] }
    }

    /// The number of a shape, which is read if it is new.
    #[allow(clippy::result_large_err, reason = "the error is that of `ArrayShape::parse_const`")]
    pub(super) fn add(&mut self, found: &Occurrence<'a>) -> Result<usize, Error> {
        let text = found.text();
        let slot = slot(text);
        if let Some((last, _)) = self.shapes.get(self.last[slot])
            && *last == text
        {
            return Ok(self.last[slot]);
        }
        let number = match self.numbers.get(text) {
            Some(number) => *number,
            None => {
                let number = self.shapes.len();
                self.shapes.push((text, found.parse()?));
                self.numbers.insert(text, number);
                number
            }
        };
        self.last[slot] = number;
        Ok(number)
    }

    /// The shape of that text, if it was added.
    pub(super) fn find(&self, text: &str) -> Option<&Shape> {
        let (last, shape) = match self.shapes.get(self.last[slot(text)]) {
            Some((last, shape)) if *last == text => return Some(shape),
            _ => self.shapes.get(*self.numbers.get(text)?)?,
        };
        (*last == text).then_some(shape)
    }

    /// The shape to which `add` gave this number.
    pub(super) fn get(&self, number: usize) -> &Shape {
        &self.shapes[number].1
    }

    pub(super) fn len(&self) -> usize {
        self.shapes.len()
    }
}

/// A hash of the text, eight bytes at a time.
fn slot(text: &str) -> usize {
    let mut hash = text.len() as u64;
    for chunk in text.as_bytes().chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
    (hash >> 40) as usize % SLOTS
}
