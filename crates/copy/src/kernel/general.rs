//! The general path: for layouts that share no split, and for parts of arrays that are cut anywhere.

use crate::plan::Plan;
use crate::stretch::{Line, Stretch};
use layout_core::Size;
use layout_core::analysis::{Amount, DigitsView};
use layout_core::base::width::{native, wrapped};
use layout_core::limits::MAX_DIMS;

use crate::kernel::block::{Mover, add};
use crate::kernel::stretches::{Piece, Stretches};

/// Pieces that are found at a time.
const PIECES: usize = 256;
/// Rows that are found at a time: so few that what their pieces share of a line stays in the cache.
const ROWS: usize = 16;

/// Moves every element, by stretches along one dimension.
///
/// Offsets are sums of what the dimensions give that are tied to that one and what the others give.
/// So stretches are found for each index of the tied ones, and used for all indices of the others.
///
/// `origin` is what indices are larger in the source than in the destination, modulo 2⁶⁴.
pub(crate) fn copy<M: Mover>(
    plan: &Plan,
    digits: [DigitsView<'_>; 2],
    origin: &[Size; MAX_DIMS],
    mover: &mut M,
) {
    if plan.is_scattered {
        return one_by_one(plan, digits, origin, mover);
    }
    let general = General::new(plan, digits, origin);
    let along = usize::from(plan.dim);
    let mut walk = general.walk(true, along);
    let mut pieces = [Piece { at: [0; 2], step: [0; 2], length: 0 }; PIECES];
    let mut count = 0;
    let mut is_done = false;
    while !is_done {
        let piece = walk.piece(Size::MAX);
        match pieces[..count].last_mut() {
            Some(before) if continues(before, &piece) => before.length += piece.length,
            _ => {
                pieces[count] = piece;
                count += 1;
            }
        }
        is_done = !walk.skip(piece.length);
        if is_done || count == PIECES {
            general.rows(&pieces[..count], mover);
            count = 0;
        }
    }
}

/// Moves every element by itself, wherever it lies: strides may be 0, and below.
#[cold]
#[inline(never)]
fn one_by_one<M: Mover>(
    plan: &Plan,
    digits: [DigitsView<'_>; 2],
    origin: &[Size; MAX_DIMS],
    mover: &mut M,
) {
    // Offsets of these wrap around.
    let [src, dst] = digits.map(|digits| digits.to_digits(Amount::ONE));
    let mut index = plan.starts;
    loop {
        let of_source: [_; MAX_DIMS] =
            core::array::from_fn(|dim| index[dim].wrapping_add(origin[dim]));
        let slots = [src.offset_unchecked(&of_source), dst.offset_unchecked(&index)].map(wrapped);
        mover.elements(add(plan.first.map(native), slots, 1), 1, [1, 1]);
        if !count_up(&mut index, plan, (0..src.rank()).rev()) {
            return;
        }
    }
}

/// Both layouts, and which of their elements are copied.
struct General<'a> {
    plan: &'a Plan,
    digits: [DigitsView<'a>; 2],
    origin: &'a [Size; MAX_DIMS],
    /// The dimension of those that are not tied which is the most minor of the destination.
    across: Option<usize>,
    /// What offsets of the destination are less: those that the other dimensions give, and those of the tied ones.
    skipped: [usize; 2],
}

impl<'a> General<'a> {
    fn new(
        plan: &'a Plan,
        digits: [DigitsView<'a>; 2],
        origin: &'a [Size; MAX_DIMS],
    ) -> General<'a> {
        let mut general = General { plan, digits, origin, across: None, skipped: [0; 2] };
        if plan.skipped > 0 {
            let first = general.first(true);
            let mut end = first.map(|at| at + 1);
            general.dims(true).for_each(|dim| end[dim] = plan.sizes[dim]);
            let [lowest, _] = digits[1].bounds(&first, &end);
            // If all are tied, they give all of it: `lowest` may be less under a swizzle.
            let has_others = general.dims(false).next().is_some();
            let tied = if has_others { lowest.min(plan.skipped) } else { plan.skipped };
            general.skipped = [plan.skipped - tied, tied].map(native);
        }
        let distance = |dim: &usize| {
            let stretch = Stretch::of(&digits[1], &[0; MAX_DIMS], *dim);
            if stretch.length > 1 { stretch.stride } else { Size::MAX }
        };
        general.across = general.dims(false).rev().min_by_key(distance);
        general
    }

    fn is_tied(&self, dim: usize) -> bool {
        self.plan.coupled_dims >> dim & 1 == 1
    }

    /// The dimensions that are tied, or the others: the last one first.
    fn dims(&self, are_tied: bool) -> impl DoubleEndedIterator<Item = usize> {
        (0..self.digits[0].rank()).rev().filter(move |&dim| self.is_tied(dim) == are_tied)
    }

    /// The first index of these dimensions, 0 for the others.
    fn first(&self, are_tied: bool) -> [Size; MAX_DIMS] {
        let mut index = [0; MAX_DIMS];
        self.dims(are_tied).for_each(|dim| index[dim] = self.plan.starts[dim]);
        index
    }

    /// A walk over the indices of the tied dimensions, or of the others, by lines along one of them.
    fn walk(&self, are_tied: bool, along: usize) -> Walk<'_> {
        let mut walk = Walk {
            general: self,
            are_tied,
            along,
            index: self.first(are_tied),
            lines: self.digits.map(|digits| Line::along(digits, along)),
        };
        walk.begin();
        walk
    }

    /// Moves pieces of all rows: of all indices of the dimensions that are not tied.
    fn rows<M: Mover>(&self, pieces: &[Piece], mover: &mut M) {
        let Some(across) = self.across else {
            return mover.stretches(&Stretches { rows: &[[0; 2]], pieces });
        };
        let mut walk = self.walk(false, across);
        let mut rows = [[0; 2]; ROWS];
        let mut is_done = false;
        while !is_done {
            let mut count = 0;
            while count < ROWS && !is_done {
                let Piece { at, step, length } = walk.piece((ROWS - count) as Size);
                for (i, row) in rows[count..count + length].iter_mut().enumerate() {
                    *row = [at[0] + i * step[0], at[1] + i * step[1]];
                }
                count += length;
                is_done = !walk.skip(length);
            }
            mover.stretches(&Stretches { rows: &rows[..count], pieces });
        }
    }
}

/// Indices of some dimensions, line by line, as evenly spaced elements of both layouts.
struct Walk<'a> {
    general: &'a General<'a>,
    are_tied: bool,
    along: usize,
    index: [Size; MAX_DIMS],
    lines: [Line<'a>; 2],
}

impl Walk<'_> {
    /// Begins a line.
    fn begin(&mut self) {
        let mut source = self.index;
        for dim in self.general.dims(self.are_tied) {
            source[dim] = source[dim].wrapping_add(self.general.origin[dim]);
        }
        self.lines[0].begin(&source);
        self.lines[1].begin(&self.index);
    }

    /// The next elements that are evenly spaced in both layouts, `most` at most.
    fn piece(&self, most: Size) -> Piece {
        let stretches = self.lines.each_ref().map(Line::stretch);
        let left = self.general.plan.sizes[self.along] - self.index[self.along];
        let [a, b] = stretches.map(|stretch| stretch.length);
        let length = native(a.min(b).min(left).min(most));
        let step =
            if length == 1 { [1; 2] } else { stretches.map(|stretch| native(stretch.stride)) };
        let mut at = stretches.map(|stretch| native(stretch.offset));
        at[1] -= self.general.skipped[usize::from(self.are_tied)];
        Piece { at, step, length }
    }

    /// Goes on by the elements of a piece. False at the end.
    fn skip(&mut self, length: usize) -> bool {
        let (plan, along) = (self.general.plan, self.along);
        self.index[along] += length as Size;
        if self.index[along] < plan.sizes[along] {
            self.lines.iter_mut().for_each(|line| line.skip(length as Size));
            return true;
        }
        self.index[along] = plan.starts[along];
        let dims = self.general.dims(self.are_tied).filter(|dim| *dim != along);
        let has_next = count_up(&mut self.index, plan, dims);
        if has_next {
            self.begin();
        }
        has_next
    }
}

/// Counts up through some dimensions of a plan's box, the first of them fastest. False past the last index.
fn count_up(
    index: &mut [Size; MAX_DIMS],
    plan: &Plan,
    mut dims: impl Iterator<Item = usize>,
) -> bool {
    dims.any(|dim| {
        index[dim] += 1;
        let has_next = index[dim] < plan.sizes[dim];
        if !has_next {
            index[dim] = plan.starts[dim];
        }
        has_next
    })
}

/// Whether a piece goes on where another ends.
fn continues(before: &Piece, piece: &Piece) -> bool {
    let side = |side: usize| {
        let step = before.step[side];
        (piece.length == 1 || piece.step[side] == step)
            && before.at[side] + before.length * step == piece.at[side]
    };
    before.length > 1 && side(0) && side(1)
}
