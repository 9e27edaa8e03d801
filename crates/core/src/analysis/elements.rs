//! The elements of a layout one after another, in the order of memory.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::analysis::digits::Digits;
use crate::analysis::run::Walk;
use crate::analysis::run::counted::{CountedWalk, RunCursor};
use crate::analysis::size::Index;
use crate::base::Size;

impl Digits {
    /// The runs of the layout in the order of memory: elements that follow one another both in memory and along one
    /// dimension. Each is the index of its first element, and the offsets of all of them.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let digits = shape.digits()?;
    /// let runs = digits.runs().map(|(index, offsets)| (index.to_vec(), offsets)).collect::<Vec<_>>();
    /// assert_eq!(runs[..3], [(vec![0, 0], 0..2), (vec![1, 0], 2..4), (vec![0, 2], 4..6)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn runs(&self) -> impl FusedIterator<Item = (Index, Range<Size>)> + use<> {
        let (walk, rank) = (CountedWalk::new(&self.walk()), self.rank());
        let (mut cursor, mut counters) = RunCursor::new(&walk);
        core::iter::from_fn(move || {
            let run = cursor.next(&walk, &mut counters)?;
            Some((Index::of(&run.index, rank), run.offset..run.offset + run.length))
        })
        .fuse()
    }

    /// The indices of the elements with their offsets, in the order of memory.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// let digits = shape.digits()?;
    /// assert!(digits.indices().all(|(index, offset)| digits.offset(&index) == Some(offset)));
    /// assert_eq!(digits.indices().count(), 15);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn indices(&self) -> impl FusedIterator<Item = (Index, Size)> + use<> {
        let dim = self.walk().dim();
        self.runs().flat_map(move |(first, offsets)| {
            offsets.zip(0..).map(move |(offset, at)| {
                let mut index = first;
                if let Some(start) = first.get(dim) {
                    index.set(dim, start + at);
                }
                (index, offset)
            })
        })
    }

    /// Where no dimension has its next element in the next slot, each run is one element, along any dimension.
    fn walk(&self) -> Walk {
        let minor = self.terms().last().map_or(0, |term| term.dim());
        Walk::new(self, if minor < self.rank() { minor } else { 0 })
    }
}
