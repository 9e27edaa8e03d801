//! The shapes of a program, each of which is read once.

use alloc::borrow::Cow;
use alloc::collections::BTreeMap;
use alloc::string::ToString as _;
use alloc::vec::Vec;
use core::ops::Range;
use core::slice;

use crate::reading::error::ErrorKind;
use layout_core::{ArrayShape, Shape};

/// A shape of a program: the number of an array, or that of a tuple and of what else is not an array, after all arrays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ShapeId(u32);

/// The first number that is not an array's.
const OTHERS: u32 = 1 << 31;

impl ShapeId {
    /// Of an operation whose shape the text leaves out.
    pub(crate) const NONE: ShapeId = ShapeId(u32::MAX);
}

/// An array of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrayId(u32);

/// An array in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    pub array: ArrayId,
    pub space: i8,
    /// With padding.
    pub bytes: u64,
}

/// Arrays that are kept as values, a kilobyte each; others are read again where they are asked for.
const MOST_ARRAYS: usize = 1 << 10;

#[derive(Clone, Debug, Default)]
pub(crate) struct Shapes<'a> {
    /// By the texts that were read, and by what is printed of parts of tuples.
    by_text: BTreeMap<Cow<'a, str>, ShapeId>,
    arrays: Vec<ArrayEntry<'a>>,
    /// The first ones of `arrays`.
    values: Vec<ArrayShape>,
    /// Shapes that are not an array.
    others: Vec<OtherEntry>,
    /// The arrays of all these, one after the other.
    members: Vec<ArrayId>,
    /// Of each tuple, where its parts begin among its arrays.
    starts: Vec<u32>,
}

#[derive(Clone, Debug)]
struct ArrayEntry<'a> {
    text: Cow<'a, str>,
    /// With padding. `None`: its size is not known.
    bytes: Option<u64>,
    number: ArrayId,
    space: i8,
}

#[derive(Clone, Debug)]
struct OtherEntry {
    members: Range<u32>,
    starts: Range<u32>,
    /// Whether the sizes of all its arrays are known.
    has_size: bool,
    /// The tuples in it, itself included.
    tuples: u32,
}

impl<'a> Shapes<'a> {
    /// The number of the shape of a text.
    pub(crate) fn read(&mut self, text: &'a str) -> Result<ShapeId, layout_core::Error> {
        if text.is_empty() {
            return Ok(ShapeId::NONE);
        }
        if let Some(known) = self.by_text.get(text) {
            return Ok(*known);
        }
        let mut array = None;
        // Until it returns, what it calls with may be wrong.
        Shape::for_each_array(text, |place, own| array = Some(*own).filter(|_| place.is_empty()))?;
        let number = match array {
            Some(array) => ShapeId(self.add(Cow::Borrowed(text), &array).0),
            None => self.other(text),
        };
        self.by_text.insert(Cow::Borrowed(text), number);
        Ok(number)
    }

    /// The number of a shape that is not an array.
    fn other(&mut self, text: &str) -> ShapeId {
        let (first_member, first_start) = (self.members.len(), self.starts.len());
        let mut has_size = true;
        let _ = Shape::for_each_array(text, |place, array| {
            // Parts that are not arrays have no leaves.
            let part = first_start + place.first().map_or(0, |part| part + 1);
            let start = (self.members.len() - first_member) as u32;
            self.starts.resize(self.starts.len().max(part), start);
            let array = self.part(array);
            has_size &= self.arrays[array.0 as usize].bytes.is_some();
            self.members.push(array);
        });
        let members = first_member as u32..self.members.len() as u32;
        let starts = first_start as u32..self.starts.len() as u32;
        self.others.push(OtherEntry { members, starts, has_size, tuples: tuples(text) });
        ShapeId(OTHERS + self.others.len() as u32 - 1)
    }

    /// The number of an array in a tuple.
    fn part(&mut self, array: &ArrayShape) -> ArrayId {
        let text = array.to_string();
        if let Some(ShapeId(known)) = self.by_text.get(&*text) {
            return ArrayId(*known);
        }
        let number = self.add(Cow::Owned(text.clone()), array);
        self.by_text.insert(Cow::Owned(text), ShapeId(number.0));
        number
    }

    fn add(&mut self, text: Cow<'a, str>, array: &ArrayShape) -> ArrayId {
        if self.values.len() < MOST_ARRAYS {
            self.values.push(*array);
        }
        let number = ArrayId(self.arrays.len() as u32);
        let bytes = array.bytes().filter(|_| array.unpadded_bytes().is_some());
        let (bytes, space) = (bytes.map(|bytes| bytes as u64), array.memory_space());
        self.arrays.push(ArrayEntry { text, bytes, number, space });
        number
    }

    /// Forgets the texts, of which there are no more to come.
    pub(crate) fn finish(&mut self) {
        self.by_text = BTreeMap::new();
        self.arrays.shrink_to_fit();
    }

    /// The arrays of a shape, those of a tuple's parts one after the other.
    pub(crate) fn leaves(&self, shape: ShapeId) -> Result<Leaves<'_, 'a>, ErrorKind> {
        let ShapeId(number) = shape;
        let (members, starts, has_size) = if number < OTHERS {
            let array = &self.arrays[number as usize];
            (slice::from_ref(&array.number), &[][..], array.bytes.is_some())
        } else {
            let other = self.others.get((number - OTHERS) as usize).ok_or(ErrorKind::NoShape)?;
            let OtherEntry { members, starts, has_size, .. } = other;
            let members = &self.members[members.start as usize..members.end as usize];
            (members, &self.starts[starts.start as usize..starts.end as usize], *has_size)
        };
        let leaves = Leaves { arrays: &self.arrays, members, starts };
        if has_size { Ok(leaves) } else { Err(ErrorKind::NoSize) }
    }

    /// How many tuples there are in a shape, itself included, and how many parts it has.
    pub(crate) fn tuples(&self, shape: ShapeId) -> (usize, usize) {
        let other = shape.0.checked_sub(OTHERS).and_then(|it| self.others.get(it as usize));
        other.map_or((0, 0), |it| (it.tuples as usize, it.starts.len()))
    }

    /// The first array of a shape.
    pub(crate) fn first(&self, shape: ShapeId) -> Option<ArrayId> {
        if shape.0 < OTHERS {
            return Some(ArrayId(shape.0));
        }
        let first = self.others.get((shape.0 - OTHERS) as usize)?.members.clone().next()?;
        Some(self.members[first as usize])
    }

    /// Whether two arrays are written alike.
    pub(crate) fn is_same(&self, a: Leaf, b: Leaf) -> bool {
        let is_alike = || a.bytes == b.bytes && self.array(a.array) == self.array(b.array);
        a.array.0 == b.array.0 || is_alike()
    }

    /// An array as a value.
    pub(crate) fn array(&self, ArrayId(number): ArrayId) -> ArrayShape {
        let known = self.values.get(number as usize).copied();
        known.unwrap_or_else(|| {
            let read = self.arrays[number as usize].text.parse::<ArrayShape>();
            read.unwrap_or_else(|error| unreachable!("read before: {error}"))
        })
    }
}

/// The arrays of a shape.
#[derive(Clone, Copy)]
pub(crate) struct Leaves<'s, 'a> {
    arrays: &'s [ArrayEntry<'a>],
    members: &'s [ArrayId],
    starts: &'s [u32],
}

impl<'s> Leaves<'s, '_> {
    pub(crate) fn len(self) -> usize {
        self.members.len()
    }

    pub(crate) fn iter(self) -> impl Iterator<Item = Leaf> + use<'s> {
        let arrays = self.arrays;
        self.members.iter().map(move |&array| {
            let ArrayEntry { space, bytes, .. } = arrays[array.0 as usize];
            Leaf { array, space, bytes: bytes.unwrap_or(0) }
        })
    }

    /// The leaves of one part of a tuple.
    pub(crate) fn part(self, part: usize) -> Range<usize> {
        let start = |part: usize| self.starts.get(part).map_or(self.len(), |it| *it as usize);
        start(part)..start(part.saturating_add(1))
    }

    /// The number of the leaf at a place in the tuple.
    pub(crate) fn leaf(self, place: &[usize]) -> usize {
        // A tuple in a tuple has nothing but arrays in what compilers print.
        let start = place.first().map_or(0, |part| self.part(*part).start);
        start.saturating_add(place.get(1).copied().unwrap_or(0))
    }
}

/// The tuples in a shape: parentheses that open where a shape begins, and not after the letter or the tile before.
fn tuples(text: &str) -> u32 {
    let mut before = ' ';
    let mut count = 0;
    for it in text.chars() {
        count += u32::from(it == '(' && matches!(before, ' ' | '(' | ',' | '/'));
        before = it;
    }
    count
}

/// A shape without its tiles.
pub(crate) fn short(shape: &str) -> &str {
    shape.split('{').next().unwrap_or_default()
}
