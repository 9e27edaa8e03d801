//! Walks under way, over layouts that are values.

use core::iter::FusedIterator;
use core::ops::Range;

use crate::analysis::digits::Digits;
use crate::analysis::region::Region;
use crate::analysis::run::{Position, Walk};
use crate::analysis::size::Index;
use crate::base::limits::{MAX_DIMS, Size};
use crate::base::list::List;
use crate::base::width::{least, native};

/// Where a walk over all runs or rows of a layout is.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    /// The next run.
    position: Position,
    /// How often the most minor counter can still count up before another one does.
    left: Size,
    /// That counter: its dimension, what it adds to the coordinate, and to the offset.
    dim: usize,
    div: Size,
    stride: Size,
}

impl Cursor {
    /// Before the first run.
    pub fn new(walk: &Walk) -> Cursor {
        let mut cursor = Cursor { position: walk.start(), left: 0, dim: 0, div: 0, stride: 0 };
        if walk.counters() > 0 {
            let counter = walk.counter(0);
            (cursor.dim, cursor.div) = (counter.dim(), counter.digit.div);
            cursor.stride = counter.stride.factor;
            cursor.count_left(walk);
        }
        cursor
    }

    /// The next run.
    #[inline(always)]
    pub fn next(&mut self, walk: &Walk) -> Option<Position> {
        let run = self.position;
        if run.length == 0 {
            return None;
        }
        if self.left > 0 {
            self.left -= 1;
            self.position.index[self.dim] += self.div;
            self.position.offset += self.stride;
            if self.dim == walk.dim() {
                let size = walk.digits.dim(self.dim);
                self.position.length = walk.length(size - self.position.index[self.dim]);
            }
        } else {
            self.turn(walk);
        }
        Some(run)
    }

    /// The next run is one at which another counter counts.
    #[inline(never)]
    fn turn(&mut self, walk: &Walk) {
        self.position = walk.next(self.position);
        if walk.counters() > 0 {
            self.count_left(walk);
        }
    }

    fn count_left(&mut self, walk: &Walk) {
        let counter = walk.counter(0);
        let last = walk.digits.dim(self.dim).saturating_sub(1);
        let in_dim = last.saturating_sub(self.position.index[self.dim]) / self.div;
        self.left = match counter.digit.modulus() {
            Some(modulus) => least(modulus - 1 - counter.value(&self.position), in_dim),
            None => in_dim,
        };
    }
}

/// Where a walk over the runs or rows of a region is.
#[derive(Clone, Copy, Debug)]
pub struct RegionCursor {
    /// The next run of the layout, not cut to the region.
    position: Position,
    region: Region,
}

impl RegionCursor {
    /// Before the first run.
    pub fn new(walk: &Walk, region: Region) -> RegionCursor {
        RegionCursor { position: walk.start_within(&region), region }
    }

    /// The next run, cut to the region. Its index counts from the start of the region on.
    pub fn next(&mut self, walk: &Walk) -> Option<Position> {
        if self.position.length == 0 {
            return None;
        }
        let mut run = walk.clip(self.position, &self.region);
        self.position = walk.next_within(self.position, &self.region);
        for (coordinate, start) in run.index.iter_mut().zip(&self.region.start) {
            *coordinate = coordinate.saturating_sub(*start);
        }
        Some(run)
    }
}

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
        let (walk, rank) = (self.walk(), self.rank());
        let mut cursor = Cursor::new(&walk);
        core::iter::from_fn(move || {
            let run = cursor.next(&walk)?;
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
        let (walk, rank) = (self.walk(), self.rank());
        let mut cursor = Cursor::new(&walk);
        core::iter::from_fn(move || cursor.next(&walk)).fuse().flat_map(move |run| {
            (0..run.length).map(move |at| {
                let mut index = run.index;
                index[walk.dim()] += at;
                (Index::of(&index, rank), run.offset + at)
            })
        })
    }

    /// Where no dimension has its next element in the next slot, each run is one element, whatever dimension it goes along.
    fn walk(&self) -> Walk {
        let minor = self.terms().last().map_or(0, |term| term.dim());
        Walk::new(self, if minor < self.rank() { minor } else { 0 })
    }
}

impl Position {
    /// The index in numbers of the target.
    #[inline(always)]
    pub fn coordinates(&self, rank: usize) -> List<MAX_DIMS, usize> {
        List::of(&self.index.map(native), rank)
    }
}
