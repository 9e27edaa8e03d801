//! Layouts from digits with strides, as CuTe and Mosaic give them.

use crate::digit_order::{DigitOrder, DigitOrderError, DimDigit, MAX_DIGITS};
use crate::limits::{MAX_DIMS, MAX_SIZE, Size};
use crate::notation::error::LayoutError;
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;
use crate::shape::tiles::TileDim;
use crate::shape::unknown_size::UnknownSize;

/// `i / weight % size · stride` of the coordinate `i` of a dimension.
#[derive(Clone, Copy)]
struct Strided {
    dim: usize,
    weight: Size,
    size: Size,
    stride: Size,
}

/// Digits of the dimensions of an array, each with its distance in memory.
pub(super) struct StridedDigits {
    list: [Strided; MAX_DIGITS],
    len: usize,
    /// Elements that the digits of each dimension count.
    sizes: [Size; MAX_DIMS],
    rank: usize,
}

impl StridedDigits {
    pub(super) fn new(rank: usize) -> StridedDigits {
        let none = Strided { dim: 0, weight: 1, size: 1, stride: 0 };
        StridedDigits { list: [none; MAX_DIGITS], len: 0, sizes: [1; MAX_DIMS], rank }
    }

    /// Adds the next digit of a dimension, from the least significant one on.
    pub(super) fn push(&mut self, dim: usize, size: Size, stride: Size) -> Result<(), LayoutError> {
        if size == 1 {
            return Ok(());
        }
        let weight = self.sizes[dim];
        let end = weight.checked_mul(size).filter(|end| *end <= MAX_SIZE);
        self.sizes[dim] = end.ok_or(DigitOrderError::Size { dim })?;
        let place = self.list.get_mut(self.len).ok_or(DigitOrderError::TooManyDigits)?;
        *place = Strided { dim, weight, size, stride };
        self.len += 1;
        Ok(())
    }

    /// The array with each element at the sum of its digits times their strides. A dimension whose digits count
    /// more than its size is padded, and so is one that ends before the next stride: by tiles where these do it,
    /// or else by `PAD`.
    pub(super) fn layout(mut self, array: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        if array.rank() != self.rank {
            return Err(LayoutError::Rank { text: self.rank, array: array.rank() });
        }
        for dim in 0..self.rank {
            match array.dim(dim).size() {
                None => return Err(LayoutError::UnknownSize(UnknownSize { dim })),
                Some(size) if size > self.sizes[dim] => {
                    return Err(LayoutError::Size { dim, text: self.sizes[dim], array: size });
                }
                Some(_) => {}
            }
        }
        self.fill_holes()?;
        let mut digits = [DimDigit { dim: 0, weight: 1, size: Some(1) }; MAX_DIGITS];
        for (digit, of) in digits.iter_mut().zip(self.list[..self.len].iter().rev()) {
            *digit = DimDigit { dim: of.dim, weight: of.weight, size: Some(of.size) };
        }
        let order = DigitOrder::new(self.rank, &digits[..self.len])?;
        let mut padded = *array.fields();
        for dim in 0..self.rank {
            padded.dims[dim] = Dim::Static(self.sizes[dim]);
        }
        let padded = order.layout(&padded.checked().map_err(LayoutError::Shape)?)?;
        self.cut(array, &padded)
    }

    /// Sorts the digits by their strides, smallest first, and widens the last digit of a dimension up to the next
    /// stride.
    fn fill_holes(&mut self) -> Result<(), LayoutError> {
        let digits = &mut self.list[..self.len];
        digits.sort_unstable_by_key(|digit| digit.stride);
        let mut span: Size = 1;
        for i in 0..digits.len() {
            let Strided { dim, stride, .. } = digits[i];
            if stride == 0 {
                return Err(LayoutError::Broadcast { dim });
            }
            if stride < span {
                return Err(LayoutError::Overlap { dim, stride, span });
            }
            if stride > span {
                let hole = LayoutError::Hole { dim, stride, span };
                let before = i.checked_sub(1).map(|before| &mut digits[before]);
                let before = before.filter(|before| {
                    before.weight * before.size == self.sizes[before.dim]
                        && stride.is_multiple_of(before.stride)
                });
                let before = before.ok_or(hole)?;
                before.size = stride / before.stride;
                let end = before.weight.checked_mul(before.size).filter(|end| *end <= MAX_SIZE);
                self.sizes[before.dim] = end.ok_or(hole)?;
            }
            let end = stride.checked_mul(digits[i].size).filter(|end| *end <= MAX_SIZE);
            span = end.ok_or(DigitOrderError::Size { dim })?;
        }
        Ok(())
    }

    /// The padded array cut to the array's sizes, in the same places in memory.
    fn cut(&self, array: &ArrayShape, padded: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        let mut shape = *padded.fields();
        shape.dims = array.fields().dims;
        let covered = if shape.tiles.is_empty() { 0 } else { shape.tiles.len_of(0) };
        for physical in 0..self.rank {
            let dim = shape.minor_to_major[physical];
            let block = match covered.checked_sub(1 + physical) {
                Some(entry) => match shape.tiles.dim(0, entry) {
                    TileDim::Size(size) => size,
                    TileDim::Combined => 1,
                },
                None => 1,
            };
            let size = array.dim(dim).size().unwrap_or(0);
            let tiled = size.checked_next_multiple_of(block);
            let is_padded = tiled == Some(self.sizes[dim]);
            shape.padded_dims[dim] = if is_padded { size } else { self.sizes[dim] };
            shape.has_padding |= !is_padded;
        }
        match shape.has_padding {
            true => shape.fill = array.fill(),
            false => shape.padded_dims = [0; MAX_DIMS],
        }
        shape.checked().map_err(LayoutError::Shape)
    }
}
