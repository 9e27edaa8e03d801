//! What the general path moves: rows of evenly spaced pieces.

use core::ops::Range;

/// Elements along one dimension that are evenly spaced in both layouts, the source first.
#[derive(Clone, Copy)]
pub(crate) struct Piece {
    /// Offset of the first, without what the row gives.
    pub at: [usize; 2],
    /// From one to the next; 1 where there is only one.
    pub step: [usize; 2],
    /// How many; at least 1.
    pub length: usize,
}

/// The pieces of several rows: an offset is the sum of a row's and a piece's.
#[derive(Clone, Copy)]
pub(crate) struct Stretches<'a> {
    /// The offsets that the rows add, in the source and in the destination.
    pub rows: &'a [[usize; 2]],
    /// The pieces, the same ones in every row.
    pub pieces: &'a [Piece],
}

impl<'a> Stretches<'a> {
    /// Parts of the rows and of the pieces, in the order in which the destination is written whole: pieces that
    /// follow one another there, in all rows that come before the next such pieces.
    #[inline(always)]
    pub(crate) fn in_order(&self) -> InOrder<'a> {
        InOrder { all: *self, piece: 0, rows: 0..0, reach: reach(self.pieces) }
    }

    /// Offsets past the last element, in the source (0) or in the destination (1).
    pub(crate) fn end(&self, side: usize) -> usize {
        let row = self.rows.iter().map(|row| row[side]).max();
        let last = |piece: &Piece| {
            let steps = (piece.length - 1).saturating_mul(piece.step[side]);
            piece.at[side].saturating_add(steps).saturating_add(1)
        };
        let piece = self.pieces.iter().map(last).max();
        row.unwrap_or(0).saturating_add(piece.unwrap_or(0))
    }
}

/// Iterates over the parts of `Stretches`. Not an `Iterator`, whose closures are not compiled for the
/// instructions of the kernel that they stand in.
pub(crate) struct InOrder<'a> {
    all: Stretches<'a>,
    /// The first piece of the next part.
    piece: usize,
    rows: Range<usize>,
    reach: usize,
}

impl<'a> InOrder<'a> {
    #[inline(always)]
    pub(crate) fn next_part(&mut self) -> Option<Stretches<'a>> {
        let Stretches { rows, pieces } = self.all;
        if self.piece == 0 {
            let first = self.rows.end;
            if first == rows.len() {
                return None;
            }
            self.rows = first..first + group(&rows[first..], self.reach);
        }
        let first = self.piece;
        let end = first + following(&pieces[first..]);
        self.piece = if end == pieces.len() { 0 } else { end };
        Some(Stretches { rows: &rows[self.rows.clone()], pieces: &pieces[first..end] })
    }
}

/// How many pieces follow one another in the destination.
#[inline(always)]
fn following(pieces: &[Piece]) -> usize {
    let mut count = 1;
    while count < pieces.len() {
        let Piece { at, step, length } = pieces[count - 1];
        if at[1] + length * step[1] != pieces[count].at[1] {
            break;
        }
        count += 1;
    }
    count
}

/// How far rows may lie apart in the destination to come before the second part of the pieces.
pub(crate) fn reach(pieces: &[Piece]) -> usize {
    match pieces.get(following(pieces)) {
        Some(second) => second.at[1].saturating_sub(pieces[0].at[1]).max(1),
        None => usize::MAX,
    }
}

/// How many rows from the first on lie within reach of it.
#[inline(always)]
pub(crate) fn group(rows: &[[usize; 2]], reach: usize) -> usize {
    let mut count = 1;
    // A row before the first one is far away.
    while count < rows.len() && rows[count][1].wrapping_sub(rows[0][1]) < reach {
        count += 1;
    }
    count
}
