//! The general path: for layouts that share no split, and for parts of arrays that are cut anywhere.

mod line;

use core::array::from_fn;

use crate::loops::Plan;
use layout_core::Size;
use layout_core::analysis::{Digit, DigitsView};
use layout_core::base::width::{native, wrapped};
use layout_core::limits::MAX_DIMS;

use crate::kernel::block::{Mover, add};
use crate::kernel::general::line::Line;
use crate::kernel::stretches::{Piece, Stretches};

/// Pieces that are found at a time.
const PIECES: usize = 256;
/// Rows that are found at a time: so few that what their pieces share of a line stays in the cache.
const ROWS: usize = 16;
/// The unit of a dimension that is not divided into units.
const WHOLE: Size = Size::MAX;

/// Moves every element, by stretches along one dimension.
///
/// Sums tie some dimensions to that one. Their indices are divided into units, `i = i / unit · unit + i % unit`, so that an offset is
/// f(all `i % unit`) + g(all `i / unit`). Stretches are found once, for the indices within a unit, and used in each unit. A dimension
/// that is not tied has units of 1; one that no unit divides is a single unit.
///
/// `origin[dim]`: the index in the source minus that in the destination, modulo 2⁶⁴.
pub(crate) fn copy<M: Mover>(
    plan: &Plan,
    digits: [DigitsView<'_>; 2],
    origin: &[Size; MAX_DIMS],
    mover: &mut M,
) {
    let units = from_fn(|dim| unit(plan, &digits, origin[dim], dim));
    // What begins or ends within a unit is copied apart.
    for (dim, &unit) in units.iter().enumerate() {
        let (start, end) = (plan.starts[dim], plan.sizes[dim]);
        let before = start % unit;
        let at = if before > 0 { (start - before).saturating_add(unit) } else { end - end % unit };
        if unit != WHOLE && start < at && at < end {
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
fn move_rows<M: Mover>(walk: &mut LineWalk<'_>, pieces: &[Piece], mover: &mut M) {
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
    if dim == usize::from(plan.dim) {
        return WHOLE;
    }
    let terms = digits.iter().flat_map(|digits| digits.terms);
    let candidates = terms.filter(|term| term.digit.source == dim).map(|term| term.digit.div);
    let is_unit = |unit: &Size| {
        origin.cast_signed().rem_euclid(unit.cast_signed()) == 0
            && digits.iter().all(|digits| divides(digits, dim, *unit))
    };
    candidates.filter(is_unit).min().unwrap_or(WHOLE)
}

/// Whether an offset is the sum of what a coordinate's units give and of what the rest gives, with the other coordinates.
fn divides(digits: &DigitsView<'_>, dim: usize, unit: Size) -> bool {
    let is_of_rest = |digit: &Digit| {
        let end = digit.div.saturating_mul(digit.modulus);
        digit.source != dim || digit.is_zero() || end > 0 && unit.is_multiple_of(end)
    };
    digits.swizzle.is_none()
        && digits.sums.iter().all(|sum| is_of_rest(&sum.major) && is_of_rest(&sum.minor))
        && digits
            .terms
            .iter()
            .all(|term| term.digit.div.is_multiple_of(unit) || is_of_rest(&term.digit))
}

/// The walk within the units, and the one over all units.
#[inline(always)]
fn walks<'a>(
    plan: &Plan,
    digits: [DigitsView<'a>; 2],
    units: &[Size; MAX_DIMS],
    origin: &[Size; MAX_DIMS],
) -> [LineWalk<'a>; 2] {
    let rank = digits[0].rank();
    let [within, all]: [[DimRange; MAX_DIMS]; 2] = [true, false].map(|is_within| {
        from_fn(|dim| {
            let (start, unit) = (plan.starts[dim], units[dim]);
            // A scalar has one index.
            let end = if dim < rank { plan.sizes[dim] } else { 1 };
            let at = start % unit;
            let origin = if is_within == (unit == WHOLE) { origin[dim] } else { 0 };
            if is_within {
                return DimRange { start: at, end: at + unit.min(end - start), step: 1, origin };
            }
            DimRange { start: start - at, end, step: unit, origin }
        })
    });
    // `bounds` takes strides above 0 only. Other copies are never cut into parts, so they skip nothing.
    let less = match plan.skipped {
        0 => 0,
        skipped => {
            let bounds = [all.map(|axis| axis.start), all.map(|axis| axis.end)];
            digits[1].bounds(&bounds[0], &bounds[1])[0].min(skipped)
        }
    };
    let [src, dst] = plan.first.map(wrapped);
    let firsts =
        [[src, dst.wrapping_sub(wrapped(plan.skipped - less))], [0, wrapped(less).wrapping_neg()]];
    let stride = |dim: &usize| {
        let DimRange { start, end, step, .. } = all[*dim];
        let mut line = Line::along(digits[1], *dim, step);
        line.begin(&[0; MAX_DIMS]);
        if end - start > step { line.stretch().stride.wrapping_sub(1) } else { Size::MAX }
    };
    let across = (0..rank).rev().min_by_key(stride).unwrap_or(0);
    [
        LineWalk::new(digits, within, plan.dim.into(), firsts[0]),
        LineWalk::new(digits, all, across, firsts[1]),
    ]
}

/// What a walk goes through along a dimension.
#[derive(Clone, Copy)]
struct DimRange {
    start: Size,
    end: Size,
    step: Size,
    /// The index in the source minus that in the destination.
    origin: Size,
}

/// Indices of a box, line by line, as evenly spaced elements of both layouts.
struct LineWalk<'a> {
    axes: [DimRange; MAX_DIMS],
    along: usize,
    index: [Size; MAX_DIMS],
    lines: [Line<'a>; 2],
    /// Added to the offsets, modulo the size of numbers.
    first: [usize; 2],
}

impl<'a> LineWalk<'a> {
    // Inline, since it is large.
    #[inline(always)]
    fn new(
        digits: [DigitsView<'a>; 2],
        axes: [DimRange; MAX_DIMS],
        along: usize,
        first: [usize; 2],
    ) -> LineWalk<'a> {
        let line = |of: usize| Line::along(digits[of], along, axes[along].step);
        let lines = [line(0), line(1)];
        let mut walk = LineWalk { axes, along, index: axes.map(|axis| axis.start), lines, first };
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
        let DimRange { end, step, .. } = self.axes[self.along];
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
        let DimRange { start, end, step, .. } = self.axes[self.along];
        let next = self.index[self.along].saturating_add(step.saturating_mul(length as Size));
        if next < end {
            self.index[self.along] = next;
            self.lines.iter_mut().for_each(|line| line.skip(length as Size));
            return true;
        }
        self.index[self.along] = start;
        let has_next = (0..MAX_DIMS).rev().filter(|dim| *dim != self.along).any(|dim| {
            let DimRange { start, end, step, .. } = self.axes[dim];
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
