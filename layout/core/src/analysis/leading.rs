//! The stretch of memory that one index of dimension 0 takes.

use core::ops::Range;

use crate::analysis::digit::Dependencies;
use crate::base::limits::Size;
use crate::shape::ArrayShape;

impl ArrayShape {
    /// The bytes that the elements of one index of dimension 0 take, with the padding between and after them: what
    /// `array[index]` is of the array's memory.
    ///
    /// `None` if such slices are not one stretch each: if they take turns in memory, share a byte, or are combined
    /// with other dimensions by `*`; also if the index is out of bounds, if the array has no dimensions, or if a size
    /// is not known.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    ///
    /// let pages: ArrayShape = "bf16[4,100,128]{2,1,0:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(pages.leading_range(1), Some(104 * 128 * 2..2 * 104 * 128 * 2));
    ///
    /// // Dimension 0 is tiled: rows of different slices lie in turns.
    /// let heads: ArrayShape = "bf16[512,3,2048]{2,0,1:T(8,128)(2,1)}".parse()?;
    /// assert_eq!(heads.leading_range(0), None);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub fn leading_range(&self, index: Size) -> Option<Range<Size>> {
        let digits = self.digits().ok()?;
        if digits.rank() == 0 || index >= digits.dim(0) {
            return None;
        }
        let depends = Dependencies::new(digits.sums());
        let (mut start, mut slots) = (0, digits.end());
        // Terms are listed major to minor: those of dimension 0 come first, or slices take turns.
        let mut others = false;
        for term in digits.terms() {
            let of = depends.of(&term.digit);
            if of & 1 == 0 {
                others = true;
                continue;
            }
            if others || of != 1 || term.digit.source as usize != 0 {
                return None;
            }
            let value = index / term.digit.div;
            let value = term.digit.modulus().map_or(value, |modulus| value % modulus);
            slots = term.stride.known()?;
            start += value * slots;
        }
        // A swizzle keeps the slots of a block in that block.
        if !digits.swizzle().is_none() && !slots.is_multiple_of(digits.swizzle().block()) {
            return None;
        }
        let [start, end] =
            [start, start + slots].map(|slot| slot as u128 * self.element_bits() as u128);
        let is_bytes = start.is_multiple_of(8) && end.is_multiple_of(8);
        is_bytes.then_some((start / 8) as Size..(end / 8) as Size)
    }
}
