//! Walking over the elements in the order of memory.

pub(crate) mod counted;

use crate::analysis::digit::{Digit, DigitSource, Term};
use crate::analysis::digits::Digits;
use crate::base::{List, MAX_DIMS, PerDim, Size, native, subslice};
use crate::shape::ArrayShape;

/// The state of a walk: at the first element of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// Coordinates of the run's first element.
    pub index: PerDim,
    /// Its offset.
    pub offset: Size,
    /// Elements of the run; 0 at the end of the walk.
    pub length: Size,
}

impl Position {
    /// Before the first element; the length is not known yet.
    pub const START: Position = Position { index: [0; MAX_DIMS], offset: 0, length: 0 };

    /// The index in numbers of the target.
    #[inline(always)]
    pub fn coordinates(&self, rank: usize) -> List<MAX_DIMS, usize> {
        List::of(&self.index.map(native), rank)
    }
}

/// How to walk over a layout: run by run, or row by row. The elements of a row are evenly spaced in memory; those
/// of a run are in consecutive slots.
#[derive(Clone, Copy, Debug)]
pub struct Walk {
    pub(crate) digits: Digits,
    /// The dimension along which runs go.
    dim: usize,
    /// Most elements of a run: more than one if a digit counts through them.
    longest: Size,
    /// Slots from one element of a run to the next.
    stride: Size,
    /// The digit that counts through a run, by its place in `digits.terms`; past the last where each run is one element.
    run_digit: usize,
    /// Number of digits that count from run to run; 0 if runs are found slot by slot.
    outer_digits: usize,
    /// Whether runs are found by visiting every slot, since digits are taken of sums, the layout is swizzled, or two
    /// runs can be adjacent in memory and so be one.
    scans_slots: bool,
}

/// Why a layout is not walked by rows, and what to use instead.
pub const NO_EVEN_ROWS: &str = "the layout is swizzled, combines dimensions (`*`), or a tile cuts another, so elements of a row are not evenly spaced: use `runs()`";

impl Walk {
    /// Prepares the walk over a layout. Runs go along the dimension whose next element is in the next slot,
    /// or along `minor`, the most minor dimension, if no dimension has that.
    pub const fn new(digits: &Digits, minor: usize) -> Walk {
        let mut walk = Walk::of_single(digits, minor);
        if let Some(last) = digits.count.checked_sub(1)
            && digits.terms[last].stride.is_one()
            && let Some(dim) = digits.dim_of_units(&digits.terms[last].digit)
        {
            walk.dim = dim;
            if !walk.scans_slots {
                walk.go_along(last);
            }
        }
        walk.scans_slots = walk.scans_slots || digits.may_join_at_wrap(walk.dim);
        if walk.scans_slots {
            walk.outer_digits = 0;
        }
        walk
    }

    /// This walk for an array whose unknown sizes are now known. Runs go along the same dimension as before, also where it
    /// has one element and the next element in memory is along another dimension.
    pub const fn with_sizes(&self, digits: &Digits, minor: usize) -> Walk {
        let walk = Walk::new(digits, minor);
        if walk.dim == self.dim { walk } else { Walk::of_single(digits, self.dim) }
    }

    /// Prepares the walk by rows: elements along dimension `minor`, the most minor one, up to the next digit of it. `None`
    /// if a digit is taken of a sum or the layout is swizzled, so that the elements of a row need not be evenly spaced.
    pub const fn rows(digits: &Digits, minor: usize) -> Option<Walk> {
        let mut walk = Walk::of_single(digits, minor);
        if walk.scans_slots {
            return None;
        }
        each!(for i in 0..digits.count {
            let Term { digit, stride, .. } = &digits.terms[i];
            if digit.source == minor && digit.div == 1 && stride.known().is_some() {
                walk.go_along(i);
            }
        });
        Some(walk)
    }

    /// A walk from element to element.
    // The coordinates themselves are the counter: a digit that would leave its range or its dimension goes back
    // to 0 and the next one counts, so ragged edges are no case of their own. Slots are looked at one by one
    // where digits are taken of sums, or where runs could touch across digits.
    const fn of_single(digits: &Digits, dim: usize) -> Walk {
        let mut walk = Walk {
            digits: *digits,
            dim,
            longest: 1,
            stride: 1,
            run_digit: digits.count,
            outer_digits: digits.count,
            scans_slots: !digits.swizzle.is_none(),
        };
        each!(for i in 0..digits.count {
            walk.scans_slots |= digits.terms[i].digit.source >= MAX_DIMS;
        });
        walk
    }

    /// Lets runs go along a digit.
    const fn go_along(&mut self, run_digit: usize) {
        let term = &self.digits.terms[run_digit];
        (self.longest, self.stride, self.run_digit) =
            (term.digit.limit, term.stride.factor, run_digit);
        self.outer_digits = self.digits.count - 1;
    }

    /// The digits of the layout.
    pub const fn digits(&self) -> &Digits {
        &self.digits
    }

    /// The dimension along which runs go.
    pub const fn dim(&self) -> usize {
        self.dim
    }

    /// Most elements of a run; runs that are not found slot by slot begin at multiples of it.
    pub const fn longest(&self) -> Size {
        self.longest
    }

    /// Slots from one element of a run to the next: 1 but for rows.
    pub const fn stride(&self) -> Size {
        self.stride
    }

    /// Largest `n` for which each aligned block of `n` elements along dimension `minor` is contiguous; 1 if
    /// runs are found slot by slot.
    pub const fn contiguous(&self, minor: usize) -> Size {
        if self.dim == minor && !self.scans_slots { self.longest } else { 1 }
    }

    /// The walk, slot by slot, over an array whose unknown sizes are now known; `digits` are its digits.
    pub const fn slots_of(&self, digits: &Digits) -> Walk {
        Walk { outer_digits: 0, scans_slots: true, ..Walk::of_single(digits, self.dim) }
    }

    /// Whether runs are found slot by slot.
    pub const fn scans_slots(&self) -> bool {
        self.scans_slots
    }

    /// How many digits count from run to run.
    pub const fn counters(&self) -> usize {
        self.outer_digits
    }

    /// A digit that counts from run to run, the most minor in memory being 0.
    pub const fn counter(&self, number: usize) -> Term {
        *self.counting(number)
    }

    /// [`counter`](Self::counter), not copied.
    #[inline(always)]
    pub(crate) const fn counting(&self, number: usize) -> &Term {
        let digit = self.outer_digits - 1 - number;
        // The one that counts through a run is left out.
        &self.digits.terms[if digit < self.run_digit { digit } else { digit + 1 }]
    }

    /// The first run.
    pub const fn start(&self) -> Position {
        if self.digits.elements() == 0 {
            return Position::START;
        }
        if self.scans_slots {
            return self.scan(0);
        }
        let mut position = Position::START;
        self.measure(&mut position, &self.digits.dims);
        position
    }

    /// The next run. The current one is not the end.
    pub const fn next(&self, mut position: Position) -> Position {
        if self.scans_slots {
            return self.scan(position.offset + position.length);
        }
        self.count(&mut position, 0, &self.digits.dims);
        position
    }

    /// Advances counter `from`, or the next one that has a further value: the run after all those that share the digits from
    /// there on. No coordinate reaches its limit.
    #[inline(always)]
    pub(crate) const fn count(&self, position: &mut Position, from: usize, limits: &PerDim) {
        each!(for number in from..self.outer_digits {
            let counter = self.counting(number);
            if counter.count(position, limits[counter.dim()], counter.stride.factor) {
                return self.measure(position, limits);
            }
        });
        position.length = 0;
    }

    /// Measures the run at a position, which ends at the limit of its dimension.
    #[inline(always)]
    pub(crate) const fn measure(&self, position: &mut Position, limits: &PerDim) {
        // A scalar has no dimension.
        let left = if self.digits.rank() == 0 { 1 } else { limits[self.dim] };
        position.length = self.length(left - position.index[self.dim]);
    }

    /// Length of a run with `left` elements of its dimension left, if runs are not found slot by slot.
    #[inline(always)]
    pub const fn length(&self, left: Size) -> Size {
        // A scalar has no dimension.
        if self.longest == 1 || left >= self.longest { self.longest } else { left }
    }

    /// The first run at or after a slot, found slot by slot.
    pub const fn scan(&self, mut slot: Size) -> Position {
        let mut position = Position { offset: slot, ..Position::START };
        while slot < self.digits.end() {
            if let Some(first) = self.digits.index(slot) {
                let rank = self.digits.rank();
                position.index.split_at_mut(rank).0.copy_from_slice(first.as_slice());
                position.offset = slot;
                position.length = 1;
                let mut next = position.index;
                while rank > 0 && next[self.dim] + 1 < self.digits.dim(self.dim) {
                    next[self.dim] += 1;
                    if self.digits.offset_unchecked(subslice(&next, 0, rank))
                        != slot + position.length
                    {
                        break;
                    }
                    position.length += 1;
                }
                return position;
            }
            slot += 1;
        }
        position
    }
}

impl Term {
    /// The dimension that it is a digit of, if that is not a sum.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn dim(&self) -> usize {
        self.digit.source
    }

    /// The value of the digit at a position.
    #[inline(always)]
    pub(crate) const fn value(&self, position: &Position) -> Size {
        let value = position.index[self.dim()] / self.digit.div;
        if self.digit.modulus != 0 { value % self.digit.modulus } else { value }
    }

    /// Adds one to the digit, given the size of the dimension and the stride. False if the digit was at its last value and
    /// is 0 again: then the next digit counts.
    ///
    /// The coordinate is the counter. Digits more minor than this one are 0 when it counts, so that
    /// if it leaves the dimension, every larger value would leave it too.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn count(&self, position: &mut Position, size: Size, stride: Size) -> bool {
        let Digit { div, modulus, .. } = self.digit;
        let coordinate = position.index[self.dim()];
        let value = self.value(position);
        let has_next = modulus == 0 || value + 1 < modulus;
        if has_next && coordinate + div < size {
            position.index[self.dim()] = coordinate + div;
            position.offset += stride;
            return true;
        }
        position.index[self.dim()] = coordinate - value * div;
        position.offset -= value * stride;
        false
    }

    /// How many further values it has at a position.
    #[doc(hidden)]
    #[inline(always)]
    pub const fn further(&self, position: &Position, size: Size) -> Size {
        let Digit { div, modulus, .. } = self.digit;
        let in_dim = (size - 1 - position.index[self.dim()]) / div;
        if modulus == 0 {
            return in_dim;
        }
        let in_digit = modulus - 1 - self.value(position);
        if in_digit < in_dim { in_digit } else { in_dim }
    }
}

impl Digits {
    /// The dimension that counts up by 1 where the digit does.
    const fn dim_of_units(&self, digit: &Digit) -> Option<usize> {
        let mut digit = *digit;
        while digit.div == 1 {
            match digit.source() {
                DigitSource::Dim(dim) => return Some(dim),
                DigitSource::Sum(sum) => digit = self.sums[sum].minor,
            }
        }
        None
    }

    /// Whether the next element along a dimension can be in the next slot where a digit of its coordinate
    /// goes back to 0. False with unknown strides.
    const fn may_join_at_wrap(&self, dim: usize) -> bool {
        // From the digit that counts single elements up to the largest: what the offset loses when
        // those before go back, against what this one adds.
        let mut lost = 0;
        let mut div = 1;
        loop {
            let mut found = None;
            each!(for i in 0..self.count {
                let term = &self.terms[i];
                if term.digit.source == dim && term.digit.div == div {
                    found = Some(term);
                }
            });
            let Some(Term { digit, stride, .. }) = found else { return false };
            let Some(stride) = stride.known() else { return false };
            if div > 1 && stride == lost + 1 {
                return true;
            }
            if digit.modulus == 0 {
                return false;
            }
            lost += (digit.modulus - 1) * stride;
            div *= digit.modulus;
        }
    }
}

/// Neighbours along one dimension that are contiguous in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContiguousRun {
    /// The dimension.
    pub dim: usize,
    /// Elements of a run; fewer at the end of the dimension.
    pub length: Size,
}

impl ContiguousRun {
    /// The dimension whose neighbours are contiguous in memory, and how many of them are.
    ///
    /// `None` if a dimension has no bound, if no dimension is larger than 1, and where finding out would take
    /// a look at every slot: with some `*`, and where runs touch.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::analysis::ContiguousRun;
    ///
    /// let run = |text: &str| ContiguousRun::of(&text.parse().unwrap()).unwrap();
    /// assert_eq!((run("f32[20,300]").dim, run("f32[20,300]").length), (1, 300));
    /// let tiled = run("bf16[20,300]{1,0:T(8,128)(2,1)}");
    /// assert_eq!((tiled.dim, tiled.length), (0, 2));
    /// ```
    pub const fn of(shape: &ArrayShape) -> Option<ContiguousRun> {
        match shape.digits() {
            Ok(digits) if digits.elements() > 1 => {
                let walk = Walk::new(&digits, shape.ordered_dim(0));
                if walk.scans_slots {
                    return None;
                }
                Some(ContiguousRun { dim: walk.dim, length: walk.longest })
            }
            _ => None,
        }
    }
}
