//! A box of elements: walking over it in the order of memory, and whether it is laid out like an array.

use crate::analysis::digit::Digit;
use crate::analysis::digits::Digits;
use crate::analysis::run::{Position, Walk};
use crate::base::limits::{MAX_DIMS, MAX_TILE_DIMS, Size};
use crate::base::width::least;

/// Ranges of coordinates, one for each dimension.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The first coordinate along each dimension, dimension 0 first.
    pub start: [Size; MAX_DIMS],
    /// The end of each range.
    pub limit: [Size; MAX_DIMS],
}

impl Region {
    const fn is_empty(&self, rank: usize) -> bool {
        each!(for dim in 0..rank {
            if self.start[dim] >= self.limit[dim] {
                return true;
            }
        });
        false
    }
}

impl Walk {
    /// The first run of the layout with elements in a box; its length is 0 if there is no such run.
    pub const fn start_within(&self, region: &Region) -> Position {
        if region.is_empty(self.digits.rank()) {
            return Position::START;
        }
        if self.by_slot() {
            return self.seek_slot(self.scan(0), region);
        }
        self.seek(self.at(Position::START, region), region)
    }

    /// The run that follows.
    pub const fn next_within(&self, position: Position, region: &Region) -> Position {
        if self.by_slot() {
            return self.seek_slot(self.next(position), region);
        }
        self.seek(self.skip(position, 0, region), region)
    }

    /// The part of a run that is inside the box; its length is 0 if it is empty.
    pub const fn clip(&self, mut position: Position, region: &Region) -> Position {
        let rank = self.digits.rank();
        each!(for dim in 0..rank {
            let coordinate = position.index[dim];
            if dim != self.dim()
                && (coordinate < region.start[dim] || coordinate >= region.limit[dim])
            {
                position.length = 0;
            }
        });
        if rank > 0 && position.length > 0 {
            let (first, dim) = (position.index[self.dim()], self.dim());
            let end = least(first + position.length, region.limit[dim]);
            let start = if first > region.start[dim] { first } else { region.start[dim] };
            position.length = end.saturating_sub(start);
            position.offset += (start - first) * self.stride();
            position.index[dim] = start;
        }
        position
    }

    /// The first run, from one on, that has elements in the box, found slot by slot.
    const fn seek_slot(&self, mut position: Position, region: &Region) -> Position {
        while position.length > 0 && self.clip(position, region).length == 0 {
            position = self.next(position);
        }
        position
    }

    /// The position with its run, which ends where the box does.
    const fn at(&self, mut position: Position, region: &Region) -> Position {
        let dim = self.dim();
        let left =
            if self.digits.rank() == 0 { 1 } else { region.limit[dim] - position.index[dim] };
        position.length = self.length(left);
        position
    }

    /// Advances counter `number`, or the next one that has a further value: the run after all those that share the
    /// digits from `number` on. No coordinate leaves the box upwards.
    const fn skip(&self, mut position: Position, number: usize, region: &Region) -> Position {
        each!(for number in number..self.counters() {
            let counter = self.counter(number);
            let stride = counter.stride.factor;
            if counter.count(&mut position, region.limit[counter.dim()], stride) {
                return self.at(position, region);
            }
        });
        position.length = 0;
        position
    }

    /// The first run, from one on, that reaches the box: skips at once all runs that share the more major
    /// digits, if they are below it.
    const fn seek(&self, mut position: Position, region: &Region) -> Position {
        while position.length > 0 {
            // How far the coordinates go up from here while the digits below `number` count.
            let mut reach = [0; MAX_DIMS];
            if self.digits.rank() > 0 {
                reach[self.dim()] = position.length - 1;
            }
            if !self.is_below(&position, &reach, region) {
                return position;
            }
            let mut number = 0;
            while number < self.counters() {
                let counter = self.counter(number);
                if counter.value(&position) != 0 {
                    break;
                }
                reach[counter.dim()] += (counter.digit.limit - 1) * counter.digit.div;
                if !self.is_below(&position, &reach, region) {
                    break;
                }
                number += 1;
            }
            position = self.skip(position, number, region);
        }
        position
    }

    const fn is_below(
        &self,
        position: &Position,
        reach: &[Size; MAX_DIMS],
        region: &Region,
    ) -> bool {
        each!(for dim in 0..self.digits.rank() {
            if position.index[dim] + reach[dim] < region.start[dim] {
                return true;
            }
        });
        false
    }
}

/// A coordinate or a sum along a box: its value at the start, and how far it goes up from 0 along an
/// array of the box's size.
#[derive(Clone, Copy)]
struct Along {
    start: Size,
    reach: Size,
}

impl Digits {
    /// The offset of a box's first element, if from there on the box is laid out like an array of its size
    /// with the same tiles: if its cuts are on tile borders, or cross none.
    pub const fn base(&self, region: &Region) -> Option<Size> {
        let mut sources = [Along { start: 0, reach: 0 }; MAX_DIMS + MAX_TILE_DIMS];
        each!(for dim in 0..self.rank() {
            let start = region.start[dim];
            if start >= region.limit[dim] {
                return Some(0);
            }
            sources[dim] = Along { start, reach: region.limit[dim] - start - 1 };
        });
        if !self.swizzle.is_none() {
            return None;
        }
        each!(for i in 0..self.sum_count {
            let sum = &self.sums[i];
            let (Some(major), Some(minor)) = (of(&sources, &sum.major), of(&sources, &sum.minor))
            else {
                return None;
            };
            sources[MAX_DIMS + i] = Along {
                start: major.start * sum.factor.factor + minor.start,
                reach: major.reach * sum.factor.factor + minor.reach,
            };
        });
        let mut base = 0;
        each!(for term in self.terms() {
            let Some(digit) = of(&sources, &term.digit) else { return None };
            base += digit.start * term.stride.factor;
        });
        Some(base)
    }
}

/// A digit along a box; `None` if it is not what it is at the start plus what it is along an array of
/// the box's size.
const fn of(sources: &[Along; MAX_DIMS + MAX_TILE_DIMS], digit: &Digit) -> Option<Along> {
    if digit.is_zero() {
        return Some(Along { start: 0, reach: 0 });
    }
    let Along { start, reach } = sources[digit.source as usize];
    let past = start % digit.div;
    if past != 0 && past + reach >= digit.div {
        return None;
    }
    let (mut first, mut steps) = (start / digit.div, reach / digit.div);
    if digit.modulus != 0 {
        first %= digit.modulus;
        if first != 0 && first + steps >= digit.modulus {
            return None;
        }
        steps = least(steps, digit.modulus - 1);
    }
    Some(Along { start: first, reach: steps })
}
