//! The general path: for layouts that share no split, and for parts of arrays that are cut anywhere.

use core::array::from_fn;

use crate::plan::Plan;
use crate::stretch::Line;
use layout_core::Size;
use layout_core::analysis::{Digit, DigitsView};
use layout_core::base::width::{native, wrapped};
use layout_core::limits::MAX_DIMS;

use crate::kernel::block::{Mover, add};
use crate::kernel::stretches::{Piece, Stretches};

/// Pieces that are found at a time.
const PIECES: usize = 256;
/// Rows that are found at a time: so few that what their pieces share of a line stays in the cache.
const ROWS: usize = 16;
/// The unit of a dimension that is not divided into units.
const WHOLE: Size = Size::MAX;

/// Moves every element, by stretches along one dimension.
///
/// Of the dimensions that sums tie to that one, indices are divided into units: `i = i / unit · unit + i % unit`. Offsets are sums of
/// what all `i % unit` give together and of what the `i / unit` give. So stretches are found for each index within the units, and
/// used for all units. A dimension that is not tied has units of 1, one with no such division is a unit itself.
///
/// `origin` is what indices are larger in the source than in the destination, modulo 2⁶⁴.
pub(crate) fn copy<M: Mover>(
    plan: &Plan,
    digits: [DigitsView<'_>; 2],
    origin: &[Size; MAX_DIMS],
    mover: &mut M,
) {
    let units = from_fn(|dim| unit(plan, &digits, origin[dim], dim));
    // What begins or ends within a unit is copied apart.
    for dim in 0..digits[0].rank() {
        let (start, end) = (plan.starts[dim], plan.sizes[dim]);
        let before = start % units[dim];
        let at = if before > 0 { start - before + units[dim] } else { end - end % units[dim] };
        if units[dim] != WHOLE && start < at && at < end {
            let mut parts = [*plan; 2];
            parts[0].sizes[dim] = at;
            parts[1].starts[dim] = at;
            return parts.iter().for_each(|part| copy(part, digits, origin, mover));
        }
    }
    let [mut within, mut rows] = walks(plan, digits, &units, origin);
    let mut pieces = [Piece { at: [0; 2], step: [0; 2], length: 0 }; PIECES];
    let mut count = 0;
    let mut is_done = false;
    while !is_done {
        let piece = within.piece(usize::MAX);
        match pieces[..count].last_mut() {
            Some(before) if continues(before, &piece) => before.length += piece.length,
            _ => {
                pieces[count] = piece;
                count += 1;
            }
        }
        is_done = !within.skip(piece.length);
        if is_done || count == PIECES {
            move_rows(&mut rows, &pieces[..count], mover);
            count = 0;
        }
    }
}

/// Moves pieces of all rows.
fn move_rows<M: Mover>(walk: &mut Walk<'_>, pieces: &[Piece], mover: &mut M) {
    let mut rows = [[0; 2]; ROWS];
    let mut is_done = false;
    while !is_done {
        let mut count = 0;
        while count < ROWS && !is_done {
            let Piece { at, step, length } = walk.piece(ROWS - count);
            for (i, row) in rows[count..count + length].iter_mut().enumerate() {
                *row = add(at, step, i);
            }
            count += length;
            is_done = !walk.skip(length);
        }
        mover.stretches(&Stretches { rows: &rows[..count], pieces });
    }
}

/// The least unit of a dimension by which both layouts divide it.
fn unit(plan: &Plan, digits: &[DigitsView<'_>; 2], origin: Size, dim: usize) -> Size {
    if plan.coupled_dims >> dim & 1 == 0 {
        return 1;
    }
    let is_of_dim = move |digit: &&Digit| digit.source == dim && !digit.is_zero();
    let terms = |of: usize| digits[of].terms.iter().map(|term| &term.digit).filter(is_of_dim);
    let of_sums = |of: usize| {
        digits[of].sums.iter().flat_map(|sum| [&sum.major, &sum.minor]).filter(is_of_dim)
    };
    let is_unit = |&unit: &Size| {
        let is_within = |digit: &Digit| {
            digit.modulus > 0 && unit.is_multiple_of(digit.div.saturating_mul(digit.modulus))
        };
        let is_divided = |of: usize| {
            digits[of].swizzle.is_none()
                && of_sums(of).all(is_within)
                && terms(of).all(|digit| digit.div.is_multiple_of(unit) || is_within(digit))
        };
        dim != usize::from(plan.dim)
            && origin.cast_signed().rem_euclid(unit.cast_signed()) == 0
            && is_divided(0)
            && is_divided(1)
    };
    terms(0).chain(terms(1)).map(|digit| digit.div).filter(is_unit).min().unwrap_or(WHOLE)
}

/// The walk within the units, and the one over all units.
fn walks<'a>(
    plan: &Plan,
    digits: [DigitsView<'a>; 2],
    units: &[Size; MAX_DIMS],
    origin: &[Size; MAX_DIMS],
) -> [Walk<'a>; 2] {
    let rank = digits[0].rank();
    let [within, all]: [[Axis; MAX_DIMS]; 2] = [true, false].map(|is_within| {
        from_fn(|dim| {
            let (start, unit) = (plan.starts[dim], units[dim]);
            // A scalar has one index.
            let end = if dim < rank { plan.sizes[dim] } else { 1 };
            let at = start % unit;
            let origin = if is_within == (unit == WHOLE) { origin[dim] } else { 0 };
            if is_within {
                return Axis { start: at, end: at + unit.min(end - start), step: 1, origin };
            }
            Axis { start: start - at, end, step: unit, origin }
        })
    });
    // What offsets of the destination are less. What all units give is 0 where there is one: the bound may be less than what the
    // others give, as under a swizzle.
    let bounds = [within.map(|axis| axis.start), within.map(|axis| axis.end)];
    let lowest = digits[1].bounds(&bounds[0], &bounds[1])[0].min(plan.skipped);
    let is_one = units[..rank].iter().all(|unit| *unit == WHOLE);
    let less = if is_one { plan.skipped } else { lowest };
    let first = plan.first.map(wrapped);
    let stride = |dim: &usize| {
        let Axis { start, end, step, .. } = all[*dim];
        let mut line = Line::along(digits[1], *dim, step);
        line.begin(&[0; MAX_DIMS]);
        if end - start > step { line.stretch().stride.wrapping_sub(1) } else { Size::MAX }
    };
    let across = (0..rank).rev().min_by_key(stride).unwrap_or(0);
    let less_first = [first[0], first[1].wrapping_sub(wrapped(less))];
    [
        Walk::new(digits, within, plan.dim.into(), less_first),
        Walk::new(digits, all, across, [0, wrapped(less).wrapping_sub(wrapped(plan.skipped))]),
    ]
}

/// What a walk goes through along a dimension.
#[derive(Clone, Copy)]
struct Axis {
    start: Size,
    end: Size,
    step: Size,
    /// What the index is larger in the source.
    origin: Size,
}

/// Indices of a box, line by line, as evenly spaced elements of both layouts.
struct Walk<'a> {
    axes: [Axis; MAX_DIMS],
    along: usize,
    index: [Size; MAX_DIMS],
    lines: [Line<'a>; 2],
    /// What offsets are larger, modulo the size of numbers.
    first: [usize; 2],
}

impl<'a> Walk<'a> {
    fn new(
        digits: [DigitsView<'a>; 2],
        axes: [Axis; MAX_DIMS],
        along: usize,
        first: [usize; 2],
    ) -> Walk<'a> {
        let lines = digits.map(|digits| Line::along(digits, along, axes[along].step));
        let mut walk = Walk { axes, along, index: axes.map(|axis| axis.start), lines, first };
        walk.begin();
        walk
    }

    /// Begins a line.
    fn begin(&mut self) {
        let source = from_fn(|dim| self.index[dim].wrapping_add(self.axes[dim].origin));
        self.lines[0].begin(&source);
        self.lines[1].begin(&self.index);
    }

    /// The next elements that are evenly spaced in both layouts, `most` at most.
    fn piece(&self, most: usize) -> Piece {
        let stretches = self.lines.each_ref().map(Line::stretch);
        let Axis { end, step, .. } = self.axes[self.along];
        let left = (end - self.index[self.along]).div_ceil(step);
        let length = native(stretches.iter().fold(left, |left, stretch| left.min(stretch.length)));
        let length = length.min(most);
        let step =
            if length == 1 { [1; 2] } else { stretches.map(|stretch| wrapped(stretch.stride)) };
        Piece {
            at: add(stretches.map(|stretch| wrapped(stretch.offset)), self.first, 1),
            step,
            length,
        }
    }

    /// Goes on by the elements of a piece. False at the end, where it begins anew.
    fn skip(&mut self, length: usize) -> bool {
        let Axis { start, end, step, .. } = self.axes[self.along];
        let next = self.index[self.along].saturating_add(step.saturating_mul(length as Size));
        if next < end {
            self.index[self.along] = next;
            self.lines.iter_mut().for_each(|line| line.skip(length as Size));
            return true;
        }
        self.index[self.along] = start;
        let has_next =
            (0..self.lines[0].rank()).rev().filter(|dim| *dim != self.along).any(|dim| {
                let Axis { start, end, step, .. } = self.axes[dim];
                let next = self.index[dim].saturating_add(step);
                self.index[dim] = if next < end { next } else { start };
                next < end
            });
        self.begin();
        has_next
    }
}

/// Whether a piece goes on where another ends.
fn continues(before: &Piece, piece: &Piece) -> bool {
    before.length > 1
        && (piece.length == 1 || piece.step == before.step)
        && add(before.at, before.step, before.length) == piece.at
}
