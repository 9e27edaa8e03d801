//! Columns of long lines.

/// A byte of a line whose column is known, so that columns of a long line are not counted from its start each time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    at: usize,
    column: usize,
}

impl Mark {
    /// Bytes after a mark that are counted again rather than marked.
    const FAR: usize = 256;

    pub(crate) const fn line_start(at: usize) -> Mark {
        Mark { at, column: 1 }
    }

    /// The column of a byte that follows on the same line.
    pub(crate) fn column(self, text: &str, at: usize) -> usize {
        self.column + text.get(self.at..at).map_or(0, |before| before.chars().count())
    }

    /// The mark for what stands at `at`, on the same line.
    pub(crate) fn near(self, text: &str, at: usize) -> Mark {
        if at.saturating_sub(self.at) < Mark::FAR {
            return self;
        }
        Mark { at, column: self.column(text, at) }
    }
}
