//! A direct-mapped cache of what texts were read as, so that a shape that a text repeats is read once.

use alloc::boxed::Box;

/// Texts that are remembered; a power of two.
const SLOTS: usize = 1024;

/// For each hash the text that was seen last, and what was made of it. Its size does not depend on the number of texts.
#[derive(Clone, Debug)]
pub(crate) struct Cache<'a, T>(Box<[Option<(&'a str, T)>]>);

impl<'a, T> Cache<'a, T> {
    pub(crate) fn new() -> Cache<'a, T> {
        Cache((0..SLOTS).map(|_| None).collect())
    }

    /// What was made of that text, if it is remembered.
    pub(crate) fn get(&self, text: &str) -> Option<&T> {
        match &self.0[slot(text)] {
            Some((last, value)) if *last == text => Some(value),
            _ => None,
        }
    }

    pub(crate) fn insert(&mut self, text: &'a str, value: T) {
        self.0[slot(text)] = Some((text, value));
    }
}

fn slot(text: &str) -> usize {
    hash(text) as usize % SLOTS
}

/// A hash of the text, eight bytes at a time.
fn hash(text: &str) -> u64 {
    let mut hash = text.len() as u64;
    let mut add = |word| {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(word)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    };
    let (words, rest) = text.as_bytes().as_chunks();
    words.iter().for_each(|word| add(*word));
    if !rest.is_empty() {
        add(core::array::from_fn(|i| rest.get(i).copied().unwrap_or(0)));
    }
    hash >> 32
}
