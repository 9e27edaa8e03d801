//! Layouts from digits with strides, as CuTe and Mosaic give them.

use crate::digit_order::NotThisLayout;
use crate::digit_order::{DigitOrder, MAX_DIGITS};
use layout_core::analysis::DimDigit;
use layout_core::limits::{MAX_DIMS, MAX_SIZE, Size};
use layout_core::{ArrayShape, Dim, Swizzle, Tiles};

/// Digits of the dimensions of an array, each with its distance in memory.
pub(super) struct StridedDigits {
    list: [(DimDigit, Size); MAX_DIGITS],
    len: usize,
    /// Elements that the digits of each dimension count.
    sizes: [Size; MAX_DIMS],
    rank: usize,
}

impl StridedDigits {
    pub(super) fn new(rank: usize) -> StridedDigits {
        StridedDigits { list: [(DimDigit::ONE, 0); MAX_DIGITS], len: 0, sizes: [1; MAX_DIMS], rank }
    }

    /// Elements that the digits of a dimension count so far.
    pub(super) fn size(&self, dim: usize) -> Size {
        self.sizes[dim]
    }

    /// Adds the next digit of a dimension, from the least significant one on.
    pub(super) fn push(
        &mut self,
        dim: usize,
        size: Size,
        stride: Size,
    ) -> Result<(), NotThisLayout> {
        self.add(DimDigit { dim, weight: self.sizes[dim], size: Some(size) }, stride)
    }

    /// Adds a digit.
    pub(super) fn add(&mut self, digit: DimDigit, stride: Size) -> Result<(), NotThisLayout> {
        let (dim, size) = (digit.dim, digit.values());
        if size == 1 {
            return Ok(());
        }
        let end = digit.weight.checked_mul(size).filter(|end| *end <= MAX_SIZE);
        self.sizes[dim] = self.sizes[dim].max(end.ok_or(NotThisLayout::DigitSize { dim })?);
        *self.list.get_mut(self.len).ok_or(NotThisLayout::TooManyDigits)? = (digit, stride);
        self.len += 1;
        Ok(())
    }

    /// The array with each element at the sum of its digits times their strides. A dimension whose digits count
    /// more than its size is padded, and so is one that ends before the next stride: by tiles where these do it,
    /// or else by `PAD`.
    pub(super) fn layout(mut self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        NotThisLayout::same_rank(self.rank, array)?;
        for dim in 0..self.rank {
            match array.dims()[dim].size() {
                None => return Err(NotThisLayout::unknown(dim)),
                Some(size) if size > self.sizes[dim] => {
                    return Err(NotThisLayout::Size { dim, given: self.sizes[dim], array: size });
                }
                Some(_) => {}
            }
        }
        self.fill_holes()?;
        let mut digits = self.list.map(|(digit, _)| digit);
        digits[..self.len].reverse();
        let order = DigitOrder::new(self.rank, &digits[..self.len])?;
        // Of the array's own layout nothing stays.
        let mut padded = *array.laid_out(array.minor_to_major(), &Tiles::NONE)?.fields();
        for dim in 0..self.rank {
            padded.dims[dim] = Dim::Static(self.sizes[dim]);
        }
        let padded = order.layout(&padded.checked()?)?;
        self.cut(array, &padded)
    }

    /// Like [`layout`](Self::layout), under a swizzle of elements. Where its blocks reach past the last element, memory is
    /// padded to whole ones.
    pub(super) fn swizzled_layout(
        self,
        array: &ArrayShape,
        swizzle: Swizzle,
    ) -> Result<ArrayShape, NotThisLayout> {
        let linear = self.layout(array)?;
        let mut fields = linear.fields().with_swizzle(swizzle);
        let slots = linear.padded_elements().unwrap_or(0);
        if !slots.is_multiple_of(swizzle.block()) {
            fields.tail_alignment = swizzle.block();
        }
        Ok(fields.checked()?)
    }

    /// Sorts the digits by their strides, smallest first, and widens the last digit of a dimension up to the next
    /// stride.
    fn fill_holes(&mut self) -> Result<(), NotThisLayout> {
        let digits = &mut self.list[..self.len];
        digits.sort_unstable_by_key(|(_, stride)| *stride);
        let mut span: Size = 1;
        for i in 0..digits.len() {
            let (DimDigit { dim, .. }, stride) = digits[i];
            if stride == 0 {
                return Err(NotThisLayout::Broadcast { dim });
            }
            if stride < span {
                return Err(NotThisLayout::Overlap { dim, stride, span });
            }
            if stride > span {
                let hole = NotThisLayout::Hole { dim, stride, span };
                let (before, unit) = digits[..i].last_mut().ok_or(hole)?;
                let is_top = before.end() == Some(self.sizes[before.dim]);
                if !is_top || !stride.is_multiple_of(*unit) {
                    return Err(hole);
                }
                let size = stride / *unit;
                before.size = Some(size);
                let end = before.weight.checked_mul(size).filter(|end| *end <= MAX_SIZE);
                self.sizes[before.dim] = end.ok_or(hole)?;
            }
            let end = stride.checked_mul(digits[i].0.values()).filter(|end| *end <= MAX_SIZE);
            span = end.ok_or(NotThisLayout::DigitSize { dim })?;
        }
        Ok(())
    }

    /// The padded array cut to the array's sizes, in the same places in memory.
    fn cut(&self, array: &ArrayShape, padded: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        let mut shape = *padded.fields();
        shape.dims = array.fields().dims;
        let covered = if shape.tiles.is_empty() { 0 } else { shape.tiles.len_of(0) };
        for physical in 0..self.rank {
            let dim = shape.minor_to_major[physical];
            let block = match covered.checked_sub(1 + physical) {
                Some(entry) => shape.tiles.dim(0, entry).size(),
                None => 1,
            };
            let size = array.dims()[dim].size().unwrap_or(0);
            let tiled = Tiles::covering(size, block).checked_mul(block);
            let is_padded = tiled == Some(self.sizes[dim]);
            shape.padded_dims[dim] = if is_padded { size } else { self.sizes[dim] };
            shape.has_padding |= !is_padded;
        }
        match shape.has_padding {
            true => shape.fill = array.fill(),
            false => shape.padded_dims = [0; MAX_DIMS],
        }
        Ok(shape.checked()?)
    }
}
