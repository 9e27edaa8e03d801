//! Where the generator writes: a window of the text, so that one pass measures and others fill.

// A pass without a window measures the text, so that a `const` has an array of its length; `Display` passes
// over it once for every 4,096 bytes, without a heap.

/// The bytes of a text from `start` on, as many as there is room for; the others are counted alone.
///
/// All that is written is ASCII, so that a window never splits a character.
pub(crate) struct Window<'a> {
    room: &'a mut [u8],
    start: usize,
    len: usize,
}

impl<'a> Window<'a> {
    pub(crate) const fn new(room: &'a mut [u8], start: usize) -> Self {
        Window { room, start, len: 0 }
    }

    /// Bytes written so far, inside of the window or not.
    pub(crate) const fn len(&self) -> usize {
        self.len
    }

    pub(crate) const fn str(&mut self, text: &str) {
        let text = text.as_bytes();
        let begin = self.len;
        self.len += text.len();
        let end = self.start + self.room.len();
        // Byte for byte: a `const` pays by the call.
        let mut i = self.start.saturating_sub(begin);
        while i < text.len() && begin + i < end {
            self.room[begin + i - self.start] = text[i];
            i += 1;
        }
    }
}
