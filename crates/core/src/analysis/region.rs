//! A box of elements: walking over it in the order of memory, and whether it is laid out like an array.

use crate::analysis::digit::{Digit, Term};
use crate::analysis::digits::view::DigitsView;
use crate::analysis::run::{Position, Walk};
use crate::base::{MAX_DIMS, MAX_TILE_DIMS, PerDim, Size, least};

/// Ranges of coordinates, one for each dimension.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The first coordinate along each dimension, dimension 0 first.
    pub start: PerDim,
    /// The end of each range.
    pub limit: PerDim,
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
    /// The first run of the layout with elements in a box; a run of length 0 if the box has no elements.
    pub const fn start_within(&self, region: &Region) -> Position {
        if region.is_empty(self.digits.rank()) {
            return Position::START;
        }
        if self.scans_slots() {
            let [lowest, _] = self.digits.view().bounds(&region.start, &region.limit);
            return self.seek_slot(self.scan(lowest), region);
        }
        let mut position = Position::START;
        self.measure(&mut position, &region.limit);
        self.seek(position, region)
    }

    /// The run that follows; after the end there is none.
    pub const fn next_within(&self, mut position: Position, region: &Region) -> Position {
        if position.length == 0 {
            return position;
        }
        if self.scans_slots() {
            return self.seek_slot(self.next(position), region);
        }
        self.count(&mut position, 0, &region.limit);
        self.seek(position, region)
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
        let [_, highest] = self.digits.view().bounds(&region.start, &region.limit);
        while position.length > 0 && self.clip(position, region).length == 0 {
            position = self.next(position);
            if position.offset > highest {
                position.length = 0;
            }
        }
        position
    }

    /// The first run, from one on, that reaches the box. Of a run below it, the counter that can change this makes all
    /// the steps it takes at once. So the time depends on the number of digits, and not on where the box is. Only where
    /// a dimension's larger digit is more minor in memory than a smaller one, values of the smaller one are tried one by
    /// one.
    const fn seek(&self, mut position: Position, region: &Region) -> Position {
        'from_the_run: while position.length > 0 {
            // How far the coordinates go up from here while the digits below `number`, which are 0, count.
            let mut reach = [0; MAX_DIMS];
            if self.digits.rank() > 0 {
                reach[self.dim()] = position.length - 1;
            }
            if !self.is_below(&position, &reach, region) {
                return position;
            }
            each!(for number in 0..self.counters() {
                let counter = self.counting(number);
                let Term { digit: Digit { div, limit, .. }, stride, .. } = *counter;
                let (dim, value) = (counter.dim(), counter.value(&position));
                let highest = position.index[dim] + reach[dim];
                position.index[dim] -= value * div;
                position.offset -= value * stride.factor;
                reach[dim] += (limit - 1) * div;
                if !self.is_below(&position, &reach, region) {
                    // All values before this one are below the box, along this dimension alone.
                    let value = value + (region.start[dim] - highest).div_ceil(div);
                    let coordinate = position.index[dim] + value * div;
                    if coordinate < region.limit[dim] {
                        position.index[dim] = coordinate;
                        position.offset += value * stride.factor;
                        self.measure(&mut position, &region.limit);
                    } else {
                        self.count(&mut position, number + 1, &region.limit);
                    }
                    continue 'from_the_run;
                }
            });
            position.length = 0;
        }
        position
    }

    const fn is_below(&self, position: &Position, reach: &PerDim, region: &Region) -> bool {
        each!(for dim in 0..self.digits.rank() {
            if position.index[dim] + reach[dim] < region.start[dim] {
                return true;
            }
        });
        false
    }
}

impl DigitsView<'_> {
    /// The lowest and the highest offset that elements of a box of indices may have. Between them there may be offsets of
    /// others; those of one element are its own.
    pub const fn bounds(&self, starts: &PerDim, ends: &PerDim) -> [Size; 2] {
        let mut sources = [[0; 2]; MAX_DIMS + MAX_TILE_DIMS];
        each!(for dim in 0..self.rank() {
            sources[dim] = [starts[dim], ends[dim] - 1];
        });
        each!(for i in 0..self.sums.len() {
            let sum = &self.sums[i];
            let (major, minor) = (range(&sources, &sum.major), range(&sources, &sum.minor));
            let factor = sum.factor.factor;
            sources[MAX_DIMS + i] = [major[0] * factor + minor[0], major[1] * factor + minor[1]];
        });
        let mut bounds = [0; 2];
        each!(for term in self.terms {
            let digit = range(&sources, &term.digit);
            bounds[0] += digit[0] * term.stride.factor;
            bounds[1] += digit[1] * term.stride.factor;
        });
        if !self.swizzle.is_none() {
            // It stays within aligned blocks.
            let within = self.swizzle.block() - 1;
            bounds = [bounds[0] & !within, bounds[1] | within];
        }
        bounds
    }
}

/// The least and the greatest value of a digit, by those of what it is taken of.
const fn range(sources: &[[Size; 2]; MAX_DIMS + MAX_TILE_DIMS], digit: &Digit) -> [Size; 2] {
    if digit.is_zero() {
        return [0; 2];
    }
    let [low, high] = sources[digit.source];
    let [low, high] = [low / digit.div, high / digit.div];
    match digit.modulus {
        0 => [low, high],
        modulus if low / modulus == high / modulus => [low % modulus, high % modulus],
        modulus => [0, least(modulus, digit.limit) - 1],
    }
}
