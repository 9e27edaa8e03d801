//! What the general path moves: rows of evenly spaced pieces.

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

impl Stretches<'_> {
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
