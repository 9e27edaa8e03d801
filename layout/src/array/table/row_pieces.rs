//! The elements of a layout in row-major order, with their offsets.
//!
//! A `const` walks over them fast: offsets are computed once for each row, and an element costs one
//! addition. This needs offsets in which the last dimension's part does not depend on the other
//! coordinates. A `*` can combine the last dimension with others; then each element's offset is
//! computed.

use layout_copy::__private::Dependencies;
use layout_core::__private::native;
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size};

/// Length of a piece of a row: the parts of its elements' offsets are kept together.
const CHUNK: usize = 1024;

/// Whether the offset is the sum of a part that depends only on the last coordinate and a part that depends only on the
/// others.
const fn last_is_separate(digits: &Digits) -> bool {
    if digits.rank() == 0 || !digits.swizzle().is_none() {
        return false;
    }
    let last = 1u32 << (digits.rank() - 1);
    let dependencies = Dependencies::new(digits.sums());
    each!(for term in digits.terms() {
        let set = dependencies.of(&term.digit);
        if set & last != 0 && set != last {
            return false;
        }
    });
    true
}

/// Walks over the elements in row-major order, in pieces of rows.
pub(super) struct RowPieces<'a> {
    digits: &'a Digits,
    /// Length of a row.
    len: Size,
    /// Number of elements in a piece; the last one of a row can be shorter.
    chunk: usize,
    separate: bool,
    index: [Size; MAX_DIMS],
    /// First element of the row.
    row: Size,
    /// Parts of the offset, for the elements of this piece.
    pub(super) parts: [Size; CHUNK],
    /// The part of the other coordinates, which is added to each of them.
    pub(super) base: Size,
    /// Row-major number of the piece's first element.
    pub(super) first: Size,
    /// Elements in the piece.
    pub(super) count: usize,
}

impl<'a> RowPieces<'a> {
    pub(super) const fn new(digits: &'a Digits) -> RowPieces<'a> {
        let rank = digits.rank();
        let len = if rank == 0 { 1 } else { digits.dim(rank - 1) };
        RowPieces {
            digits,
            len,
            chunk: if len < CHUNK as Size { native(len) } else { CHUNK },
            separate: last_is_separate(digits),
            index: [0; MAX_DIMS],
            row: 0,
            parts: [0; CHUNK],
            base: 0,
            first: 0,
            count: 0,
        }
    }

    /// Goes on to the next piece: all rows' pieces at one place of the row, then the next place.
    pub(super) const fn next(&mut self) -> bool {
        let digits = self.digits;
        let rank = digits.rank();
        if digits.elements() == 0 {
            return false;
        }
        let mut start = 0;
        if self.count > 0 {
            start = self.first - self.row;
            self.row += self.len;
            each!(for dim in (0..rank.saturating_sub(1)).rev() {
                self.index[dim] += 1;
                if self.index[dim] < digits.dim(dim) {
                    break;
                }
                self.index[dim] = 0;
            });
            if self.row == digits.elements() {
                self.row = 0;
                start += self.count as Size;
                if start == self.len {
                    return false;
                }
            }
        }
        let fresh = self.count == 0 || self.row == 0;
        self.first = self.row + start;
        let left = self.len - start;
        self.count = if left < self.chunk as Size { native(left) } else { self.chunk };
        if self.separate {
            if fresh {
                self.fill([0; MAX_DIMS], start);
            }
            self.base = digits.offset_unchecked(part(&self.index, rank));
        } else {
            self.fill(self.index, start);
        }
        true
    }

    const fn fill(&mut self, mut index: [Size; MAX_DIMS], start: Size) {
        let rank = self.digits.rank();
        each!(for i in 0..self.count {
            if rank > 0 {
                index[rank - 1] = start + i as Size;
            }
            self.parts[i] = self.digits.offset_unchecked(part(&index, rank));
        });
    }
}

const fn part(index: &[Size; MAX_DIMS], rank: usize) -> &[Size] {
    index.split_at(rank).0
}

/// The largest offset of an element; 0 without elements. Walks over all elements.
pub(crate) const fn largest_offset(digits: &Digits) -> Size {
    let mut largest = 0;
    let mut rows = RowPieces::new(digits);
    while rows.next() {
        each!(for i in 0..rows.count {
            if rows.base + rows.parts[i] > largest {
                largest = rows.base + rows.parts[i];
            }
        });
    }
    largest
}
