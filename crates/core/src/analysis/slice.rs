//! Parts of an array that are one range of bytes: slices at an index, tiles, rows.

use core::ops::Range;

use crate::analysis::digit::{Digit, Term};
use crate::analysis::digits::Digits;
use crate::analysis::size::Index;
use crate::analysis::unknown::Amount;
use crate::base::{HELP, MAX_DIMS, PerDim, Piece, Size, Text, least};
use crate::shape::{ArrayShape, UnknownSize};

errors! {
    /// Why a part of an array is not a range of bytes.
    pub enum NotAddressable {
        /// A size is needed that is known at run time only.
        UnknownSize(error: UnknownSize) => &error.line();
        /// The index has too many coordinates, or too few.
        Coordinates { given: usize, rank: usize } => "the index has length ", given, ", but the array has rank ", rank;
        /// A coordinate is outside of its dimension.
        OutOfBounds { dim: usize, coordinate: Size, size: Size } => "coordinate ", coordinate,
            " is out of bounds for dimension ", dim, " of size ", size;
        /// Elements of other parts lie between those of this one. `first` and `last` are the offsets of the part's first and last
        /// element in memory, `offset` and `other` those and the index of the first other element between them; offsets count
        /// elements. `dim` is the first dimension along which that element lies outside of the part.
        Interleaved { first: Size, last: Size, offset: Size, other: Index, dim: usize } => "not one stretch of memory: [",
            Piece::List(other.as_slice(), ", "), "] is at offset ", offset, ", between elements at ", first, " and ", last,
            HELP, "copy the elements, or choose a layout in which dimension ", dim,
            " is more major and outside of the tiles";
        /// The first tile combines dimensions (`*`), so that tiles are not boxes of the array.
        CombinedTile => "`*` in the first tile combines dimensions, so that tiles are not boxes of the array";
        /// The part begins within a byte, or shares its last byte with another element. `start` is the part's first bit, `end`
        /// the end of its bits.
        WithinByte { start: u128, end: u128 } => "not whole bytes: bits ", &bits(start), " to ", &bits(end),
            " begin or end within a byte that has other elements", HELP, "read the elements one by one, or widen them to bytes: leave out `E`";
    }
}

/// A number of bits, which `Size` may not hold.
#[inline]
const fn bits(number: u128) -> Text<40> {
    let mut text = if number < 10 { Text::new() } else { bits(number / 10) };
    text.byte(b'0' + (number % 10) as u8);
    text
}

/// Which parts of an array can be addressed in its memory without a copy, and where.
///
/// A part begins at its first element in memory. Padding after its last element belongs to it, up to the next
/// element of another part and no further than the least distance between the first elements of two parts. So all slices
/// `[i]` of an array have the same number of bytes where tiles end at their borders, and no two parts share a byte. The
/// padding of `L` belongs to no part. Bytes count from the element at offset 0, without the prefix of `M(n)`. A
/// bounded dimension counts with its bound.
///
/// With some `*`, with tiles that do not divide one another and with a swizzle, these functions visit every slot of
/// memory; with other layouts they take about a microsecond for arrays of any size.
#[allow(clippy::result_large_err, reason = "the error names an element, and needs no heap")]
impl ArrayShape {
    /// Whether memory holds the elements and nothing else: no padding, of elements neither. `None` if a size is known
    /// only at run time.
    ///
    /// # Examples
    /// ```
    /// let is_contiguous = |text: &str| text.parse::<layout::ArrayShape>().unwrap().is_contiguous();
    /// assert_eq!(is_contiguous("bf16[16,256]{1,0:T(8,128)(2,1)}"), Some(true));
    /// assert_eq!(is_contiguous("bf16[16,200]{1,0:T(8,128)(2,1)}"), Some(false));
    /// assert_eq!(is_contiguous("bf16[16,200]{0,1}"), Some(true));
    /// ```
    #[inline]
    pub const fn is_contiguous(&self) -> Option<bool> {
        match (self.elements(), self.padded_elements()) {
            (Some(elements), Some(slots)) => {
                Some(elements == slots && self.element_bits() == self.unpadded_element_bits())
            }
            _ => None,
        }
    }

    /// The bytes of a slice: all elements whose index begins with these coordinates. No coordinates are the whole array.
    ///
    /// # Errors
    /// If the slice is not one stretch of memory, or is not whole bytes; if a coordinate is out of bounds, or a size
    /// unknown.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    ///
    /// let pages: ArrayShape = "bf16[512,3,2048]{2,1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(pages.slice_bytes(&[2]), Ok(2 * 32768..3 * 32768));
    ///
    /// let inside: ArrayShape = "bf16[512,3,2048]{2,0,1:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(inside.slice_bytes(&[0]).unwrap_err().to_string(), "\
    /// not one stretch of memory: [1, 0, 0] is at offset 1, between elements at 0 and 2112766
    ///   = help: copy the elements, or choose a layout in which dimension 0 is more major and outside of the tiles");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[inline]
    pub const fn slice_bytes(&self, index: &[Size]) -> Result<Range<Size>, NotAddressable> {
        let mut size = [Size::MAX; MAX_DIMS];
        each!(for dim in 0..self.rank() {
            if dim < index.len() {
                size[dim] = 1;
            }
        });
        self.part_bytes(index, 0, &size)
    }

    /// The bytes of the row of an element: of all elements along the most minor dimension that have its other
    /// coordinates.
    ///
    /// # Errors
    /// Those of [`slice_bytes`](Self::slice_bytes).
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[5,300]{1,0:T(1,128)}".parse()?;
    /// assert_eq!(shape.row_bytes(&[2, 17]), Ok(2 * 1536..3 * 1536));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[inline]
    pub const fn row_bytes(&self, index: &[Size]) -> Result<Range<Size>, NotAddressable> {
        let mut size = [1; MAX_DIMS];
        if self.rank() > 0 {
            size[self.ordered_dim(0)] = Size::MAX;
        }
        self.part_bytes(index, self.rank(), &size)
    }

    /// The bytes of the tile of an element, in the outermost tiling. Without tiles, the whole array is one tile.
    ///
    /// # Errors
    /// Those of [`slice_bytes`](Self::slice_bytes), and if the first tile combines dimensions.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "bf16[20,300]{1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(shape.tile_bytes(&[9, 130]), Ok(4 * 2048..5 * 2048));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[inline]
    pub const fn tile_bytes(&self, index: &[Size]) -> Result<Range<Size>, NotAddressable> {
        match self.tile_sizes() {
            Some(size) => self.part_bytes(index, self.rank(), &size),
            None => Err(NotAddressable::CombinedTile),
        }
    }

    /// The bytes of one of the boxes of a size that the array is cut into: of the box that has an index, of which at least
    /// `least_given` coordinates are given.
    #[inline]
    const fn part_bytes(
        &self,
        index: &[Size],
        least_given: usize,
        size: &PerDim,
    ) -> Result<Range<Size>, NotAddressable> {
        if index.len() < least_given || index.len() > self.rank() {
            return Err(NotAddressable::Coordinates { given: index.len(), rank: self.rank() });
        }
        let digits = match self.digits() {
            Ok(digits) => digits,
            Err(error) => return Err(NotAddressable::UnknownSize(error)),
        };
        let mut corner = [0; MAX_DIMS];
        each!(for dim in 0..index.len() {
            let (coordinate, length) = (index[dim], digits.dim(dim));
            if coordinate >= length {
                return Err(NotAddressable::OutOfBounds { dim, coordinate, size: length });
            }
            corner[dim] = coordinate - coordinate % size[dim];
        });
        if digits.elements() == 0 {
            return Ok(0..0);
        }
        let part = match digits.cut_at(size) {
            Some(digits) => digits.box_span(&corner, size),
            None => digits.box_span_by_slot(&corner, size),
        };
        let BoxSpan { first, last, next, pitch } = part;
        if let Some(offset) = next
            && offset < last
            && let Some(other) = digits.index(offset)
        {
            let mut dim = 0;
            while other.as_slice()[dim] / size[dim] == corner[dim] / size[dim] {
                dim += 1;
            }
            return Err(NotAddressable::Interleaved { first, last, offset, other, dim });
        }
        let end = match next {
            Some(next) => next,
            None => digits.end(),
        };
        let reach = first.saturating_add(pitch);
        let end = least(end, if reach > last { reach } else { last + 1 });
        let bits = self.element_bits() as u128;
        let (start, stop) = (first as u128 * bits, end as u128 * bits);
        let bytes = stop.div_ceil(8);
        let is_shared = match next {
            Some(next) => (next as u128 * bits) < 8 * bytes,
            None => false,
        };
        if is_shared || !start.is_multiple_of(8) {
            return Err(NotAddressable::WithinByte { start, end: stop });
        }
        Ok((start / 8) as Size..bytes as Size)
    }
}

/// The place of a box of elements in memory, in elements.
struct BoxSpan {
    /// Its first element in memory.
    first: Size,
    /// Its last one.
    last: Size,
    /// The first element after `first` that is of another box.
    next: Option<Size>,
    /// The least distance between the corners of two boxes.
    pitch: Size,
}

impl Digits {
    /// The terms, cut at the borders of boxes of a size, so that each digit counts either boxes or elements within a box.
    /// `None` if that is impossible: if boxes begin within digits, if digits are taken of sums, and with a swizzle.
    #[inline]
    const fn cut_at(&self, size: &PerDim) -> Option<Digits> {
        if self.sum_count > 0 || !self.swizzle.is_none() {
            return None;
        }
        let mut cut = *self;
        cut.count = 0;
        each!(for i in 0..self.count {
            let mut term = self.terms[i];
            let Digit { div, modulus, limit, .. } = term.digit;
            let size = size[term.dim()];
            if div < size && size < self.dims[term.dim()] {
                let inner = size / div;
                if !size.is_multiple_of(div) {
                    return None;
                }
                if modulus == 0 || modulus > inner {
                    if !modulus.is_multiple_of(inner) {
                        return None;
                    }
                    let stride = Amount::of(term.stride.factor * inner);
                    let (modulus, limit) = (modulus / inner, limit.div_ceil(inner));
                    let digit = Digit { div: size, modulus, limit, ..term.digit };
                    cut.terms[cut.count] = Term { digit, stride, ..term };
                    cut.count += 1;
                    (term.digit.modulus, term.digit.limit) = (inner, inner);
                }
            }
            cut.terms[cut.count] = term;
            cut.count += 1;
        });
        Some(cut)
    }

    /// The place in memory of the box at a corner, from digits that are cut at its borders.
    #[inline]
    const fn box_span(&self, corner: &PerDim, size: &PerDim) -> BoxSpan {
        let (mut last, mut pitch) = (*corner, Size::MAX);
        each!(for i in 0..self.count {
            let Digit { div, limit, .. } = self.terms[i].digit;
            let dim = self.terms[i].dim();
            if div < size[dim] {
                let room = (self.dims[dim] - 1 - last[dim]) / div;
                last[dim] += least(limit - 1, room) * div;
            }
        });
        // From the first corner to the last one of those that the more minor digits count.
        let mut below = 0;
        each!(for i in (0..self.count).rev() {
            let Term { digit, stride, .. } = &self.terms[i];
            if digit.div >= size[self.terms[i].dim()] {
                if digit.limit > 1 {
                    pitch = least(pitch, stride.factor.saturating_sub(below));
                }
                below += (digit.limit - 1) * stride.factor;
            }
        });
        let (first, last) = (self.offset_unchecked(corner), self.offset_unchecked(&last));
        BoxSpan { first, last, next: self.next_other(corner, size), pitch }
    }

    /// The first element after a corner that is of another box: the most minor digit that can count up so that a digit
    /// of boxes changes, those below it back at 0.
    #[inline]
    const fn next_other(&self, corner: &PerDim, size: &PerDim) -> Option<Size> {
        let mut index = *corner;
        let mut is_other = false;
        each!(for i in (0..self.count).rev() {
            let Digit { div, modulus, .. } = self.terms[i].digit;
            let dim = self.terms[i].dim();
            let whole = corner[dim] / div;
            let value = if modulus == 0 { whole } else { whole % modulus };
            index[dim] -= value * div;
            let counts_boxes = div >= size[dim];
            let up = index[dim] + (value + 1) * div;
            if (counts_boxes || is_other)
                && (modulus == 0 || value + 1 < modulus)
                && up < self.dims[dim]
            {
                index[dim] = up;
                return Some(self.offset_unchecked(&index));
            }
            is_other |= counts_boxes && value > 0;
        });
        None
    }

    /// The box at a corner, slot by slot.
    #[inline]
    const fn box_span_by_slot(&self, corner: &PerDim, size: &PerDim) -> BoxSpan {
        let mut part = BoxSpan { first: Size::MAX, last: 0, next: None, pitch: Size::MAX };
        let mut corner_before = None;
        each!(for slot in 0..self.end() {
            if let Some(index) = self.index(slot) {
                let (mut is_inside, mut is_corner) = (true, true);
                each!(for dim in 0..self.rank {
                    let coordinate = index.as_slice()[dim];
                    is_inside &= coordinate / size[dim] == corner[dim] / size[dim];
                    is_corner &= coordinate % size[dim] == 0;
                });
                if is_corner {
                    if let Some(before) = corner_before {
                        part.pitch = least(part.pitch, slot - before);
                    }
                    corner_before = Some(slot);
                }
                if is_inside {
                    part.first = least(part.first, slot);
                    part.last = slot;
                } else if part.next.is_none() && part.first < slot {
                    part.next = Some(slot);
                }
            }
        });
        part
    }
}
