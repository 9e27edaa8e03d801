//! Where the generator writes: a window of the text, so that one pass measures and others fill.

use crate::base::text::part;

/// The bytes of a text from `start` on, as many as there is room for; the others are counted alone.
///
/// All that is written is ASCII, so that a window never splits a character.
pub(crate) struct Sink<'a> {
    window: &'a mut [u8],
    start: usize,
    len: usize,
}

impl<'a> Sink<'a> {
    pub(crate) const fn new(window: &'a mut [u8], start: usize) -> Self {
        Sink { window, start, len: 0 }
    }

    /// Bytes written so far, inside of the window or not.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn str(&mut self, text: &str) {
        let end = self.len + text.len();
        let from = if self.len > self.start { self.len } else { self.start };
        let room = self.start + self.window.len();
        let to = if end < room { end } else { room };
        if from < to {
            let (_, rest) = self.window.split_at_mut(from - self.start);
            let (place, _) = rest.split_at_mut(to - from);
            place.copy_from_slice(part(text.as_bytes(), from - self.len, to - self.len));
        }
        self.len = end;
    }

    /// Writes a number in decimal digits.
    pub(crate) const fn number(&mut self, number: u64) {
        let mut digits = [0u8; 20];
        let mut left = number;
        let mut at = digits.len();
        loop {
            at -= 1;
            digits[at] = b'0' + (left % 10) as u8;
            left /= 10;
            if left == 0 {
                break;
            }
        }
        if let Ok(text) = core::str::from_utf8(digits.split_at(at).1) {
            self.str(text);
        }
    }
}
