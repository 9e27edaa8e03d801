//! The general path: for layouts that share no split.

use layout_core::__private::{DigitsView, Plan, Stretch, native};
use layout_core::Size;
use layout_core::limits::MAX_DIMS;

use crate::relayout::kernel::nest::Mover;

/// Stretches that are found at a time.
const PIECES: usize = 256;

/// Elements along one dimension that are evenly spaced in both layouts.
#[derive(Clone, Copy)]
struct Piece {
    at: [usize; 2],
    step: [usize; 2],
    length: usize,
}

/// Moves every element, by stretches along one dimension.
///
/// Offsets are sums of what the dimensions give that are tied to that one and what the others give.
/// So stretches are found for each index of the tied ones, and used for all indices of the others.
pub(crate) fn copy<M: Mover>(plan: &Plan, [from, to]: [DigitsView<'_>; 2], mover: &mut M) {
    let along = usize::from(plan.dim);
    let is_tied = |dim: usize| plan.tied >> dim & 1 == 1;
    let mut index = [0; MAX_DIMS];
    let mut pieces = [Piece { at: [0; 2], step: [0; 2], length: 0 }; PIECES];
    loop {
        let mut count = 0;
        while count < PIECES && index[along] < from.dim(along) {
            let (a, b) = (from.stretch(&index, along), to.stretch(&index, along));
            let mut piece = piece(a, b);
            if count > 0 && continues(&pieces[count - 1], &piece) {
                count -= 1;
                piece = Piece { length: pieces[count].length + piece.length, ..pieces[count] };
            }
            pieces[count] = piece;
            count += 1;
            index[along] += a.length.min(b.length);
        }
        // The others, while the tied ones are 0.
        let mut row = [0; MAX_DIMS];
        loop {
            let base = [from, to].map(|digits| native(digits.stretch(&row, along).offset));
            for piece in &pieces[..count] {
                mover.elements(
                    [0, 1].map(|side| base[side] + piece.at[side]),
                    piece.length,
                    piece.step,
                );
            }
            if !count_up(&mut row, &from, |dim| !is_tied(dim)) {
                break;
            }
        }
        if index[along] == from.dim(along) {
            index[along] = 0;
            if !count_up(&mut index, &from, |dim| is_tied(dim) && dim != along) {
                return;
            }
        }
    }
}

fn piece(a: Stretch, b: Stretch) -> Piece {
    let pair = |of: fn(&Stretch) -> Size| [native(of(&a)), native(of(&b))];
    let length = native(a.length.min(b.length));
    Piece { at: pair(|a| a.offset), step: pair(|a| a.stride), length }
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

/// Counts up through some of the dimensions, the last fastest. False past the last index.
fn count_up(
    index: &mut [Size; MAX_DIMS],
    digits: &DigitsView<'_>,
    counts: impl Fn(usize) -> bool,
) -> bool {
    for dim in (0..digits.rank()).rev().filter(|&dim| counts(dim)) {
        index[dim] += 1;
        if index[dim] < digits.dim(dim) {
            return true;
        }
        index[dim] = 0;
    }
    false
}
