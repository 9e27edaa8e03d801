//! Walks under way, over layouts that are values.

use crate::analysis::digit::Term;
use crate::analysis::run::{Position, Walk};
use crate::base::{MAX_BOUNDS, MAX_DIMS, Size, least};

/// A walk with the numbers of its counters side by side.
#[derive(Clone, Copy, Debug)]
pub struct CountedWalk {
    walk: Walk,
    /// The most minor one first.
    counters: [Counter; MAX_BOUNDS],
    /// Whether the most minor one counts along the dimension of runs.
    is_along: bool,
}

/// A digit that counts from run to run.
#[derive(Clone, Copy, Debug)]
struct Counter {
    dim: usize,
    /// The steps by which it increases the coordinate, and the offset.
    div: Size,
    stride: Size,
    /// Its values are below this, and the coordinate below the size of the dimension.
    limit: Size,
    size: Size,
}

impl CountedWalk {
    /// The numbers of a walk.
    pub fn new(walk: &Walk) -> CountedWalk {
        let none = Counter { dim: 0, div: 0, stride: 0, limit: 1, size: 0 };
        let mut counters = [none; MAX_BOUNDS];
        for (number, counter) in counters.iter_mut().enumerate().take(walk.counters()) {
            let Term { digit, stride, .. } = walk.counter(number);
            let dim = digit.source;
            let limit = digit.modulus().unwrap_or(Size::MAX);
            let size = walk.digits().dim(dim);
            *counter = Counter { dim, div: digit.div, stride: stride.factor, limit, size };
        }
        let is_along = walk.counters() > 0 && counters[0].dim == walk.dim();
        CountedWalk { walk: *walk, counters, is_along }
    }

    /// The walk.
    pub const fn walk(&self) -> &Walk {
        &self.walk
    }
}

/// The position of a walk over all runs or rows of a layout: the numbers that change from run to run. The others are in
/// `Counters`.
// They are apart so that loops keep these in registers: LLVM keeps no field of a struct with a list there.
#[derive(Clone, Copy, Debug)]
// Five numbers, and the index and the other counters in memory of their own: LLVM splits no struct that has a
// list indexed by a variable, and then keeps nothing of it in registers.
pub struct RunCursor {
    /// Offset and length of the next run; 0 at the end.
    offset: Size,
    length: Size,
    /// The value of the most minor counter, and how many more times it can count.
    counted: Size,
    left: Size,
    /// The step by which it increases the offset.
    stride: Size,
}

/// The counters of a walk.
#[derive(Clone, Copy, Debug)]
pub struct Counters {
    /// The next run while the most minor counter was 0.
    position: Position,
    /// Their values but for the most minor one's, and how often that can count from 0 on.
    values: [Size; MAX_BOUNDS],
    most: Size,
}

impl RunCursor {
    /// Before the first run.
    #[inline]
    pub fn new(walk: &CountedWalk) -> (RunCursor, Counters) {
        let position = walk.walk.start();
        let mut counters = Counters { position, values: [0; MAX_BOUNDS], most: 0 };
        counters.most = counters.most(walk);
        let Position { offset, length, .. } = position;
        let stride = walk.counters[0].stride;
        (RunCursor { offset, length, counted: 0, left: counters.most, stride }, counters)
    }

    /// The next run.
    #[inline(always)]
    pub fn next(&mut self, walk: &CountedWalk, counters: &mut Counters) -> Option<Position> {
        if self.length == 0 {
            return None;
        }
        let RunCursor { offset, length, counted, .. } = *self;
        // Where nobody reads the index, all of this is left out, as long as nothing is read back from it.
        let mut run = Position { index: counters.position.index, offset, length };
        let dim = walk.counters[0].dim % MAX_DIMS;
        run.index[dim] = counters.position.index[dim] + counted * walk.counters[0].div;
        if self.left > 0 {
            (self.counted, self.left) = (counted + 1, self.left - 1);
            self.offset += self.stride;
            if walk.is_along {
                self.length = counters.length(walk, counted + 1);
            }
        } else {
            (self.offset, self.length) = counters.turn(walk, length);
            (self.counted, self.left) = (0, counters.most);
        }
        Some(run)
    }
}

impl Counters {
    /// Goes to the next run at which another counter than the most minor one counts: its offset and its length, given the
    /// length of the one before.
    #[inline(never)]
    fn turn(&mut self, walk: &CountedWalk, length: Size) -> (Size, Size) {
        if walk.walk.scans_slots() {
            self.position = walk.walk.next(Position { length, ..self.position });
            return (self.position.offset, self.position.length);
        }
        let mut is_same_dim = false;
        for number in 1..walk.walk.counters() {
            let Counter { dim, div, stride, limit, size } = walk.counters[number];
            is_same_dim |= dim == walk.counters[0].dim;
            let (value, coordinate) = (self.values[number], self.position.index[dim]);
            if value + 1 < limit && coordinate + div < size {
                self.values[number] += 1;
                self.position.index[dim] += div;
                self.position.offset += stride;
                if is_same_dim {
                    self.most = self.most(walk);
                }
                return (self.position.offset, self.length(walk, 0));
            }
            self.values[number] = 0;
            self.position.index[dim] -= value * div;
            self.position.offset -= value * stride;
        }
        (self.position.offset, 0)
    }

    /// The length of a run, after the most minor counter has counted so often.
    #[inline(always)]
    fn length(&self, walk: &CountedWalk, counted: Size) -> Size {
        let dim = walk.walk.dim();
        let within = if walk.is_along { counted * walk.counters[0].div } else { 0 };
        walk.walk.length(walk.walk.digits().dim(dim) - self.position.index[dim] - within)
    }

    /// How often the most minor counter can count from 0 on.
    fn most(&self, walk: &CountedWalk) -> Size {
        if walk.walk.counters() == 0 {
            return 0;
        }
        let Counter { dim, div, limit, size, .. } = walk.counters[0];
        let to_go = size.saturating_sub(1 + self.position.index[dim]) / div;
        least(limit - 1, to_go)
    }
}
