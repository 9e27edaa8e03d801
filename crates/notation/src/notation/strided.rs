//! Layouts from digits with strides, as CuTe and Mosaic give them.

use crate::digit_order::NotThisLayout;
use crate::digit_order::{DigitOrder, MAX_DIGITS};
use layout_core::analysis::{DigitSequence, DimDigit};
use layout_core::limits::{MAX_DIMS, MAX_SIZE, Size};
use layout_core::{ArrayShape, Dim, Swizzle, TileDim, Tiles};

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
    /// or else by `PAD`. Other slots before the next stride are the padding of further tiles.
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
        self.widen()?;
        let mut digits = self.list.map(|(digit, _)| digit);
        digits[..self.len].reverse();
        let order = DigitOrder::new(self.rank, &digits[..self.len])?;
        // Of the array's own layout nothing stays.
        let mut padded = *array.laid_out(array.minor_to_major(), &Tiles::NONE)?.fields();
        for dim in 0..self.rank {
            padded.dims[dim] = Dim::Static(self.sizes[dim]);
        }
        let padded = order.layout(&padded.checked()?)?;
        let tiles = self.padding_tiles(&padded).ok_or(NotThisLayout::TooManyTiles)?;
        self.cut(array, &padded, tiles)
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
    /// stride, if this is a multiple of its own.
    fn widen(&mut self) -> Result<(), NotThisLayout> {
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
            let ends_before = |(before, unit): &&mut (DimDigit, Size)| {
                before.end() == Some(self.sizes[before.dim]) && stride.is_multiple_of(*unit)
            };
            let before = digits[..i].last_mut().filter(|_| stride > span).filter(ends_before);
            if let Some((before, unit)) = before {
                let size = stride / *unit;
                before.size = Some(size);
                let end = before.weight.checked_mul(size).filter(|end| *end <= MAX_SIZE);
                self.sizes[before.dim] = end.ok_or(NotThisLayout::DigitSize { dim: before.dim })?;
            }
            let end = stride.checked_mul(digits[i].0.values()).filter(|end| *end <= MAX_SIZE);
            span = end.ok_or(NotThisLayout::DigitSize { dim })?;
        }
        Ok(())
    }

    /// The tiles of a layout with the same digits without slots between them, and the tiles that add these. `None` if they
    /// are too many.
    fn padding_tiles(&self, dense: &ArrayShape) -> Option<Tiles> {
        let mut bounds = DigitOrder::bounds(dense, true).ok()?;
        let (mut tiles, mut span) = (*dense.tiles(), 1);
        for (digit, stride) in &self.list[..self.len] {
            if *stride > span {
                pad(&mut bounds, &mut tiles, span, *stride)?;
            }
            span = stride * digit.values();
        }
        Some(tiles)
    }

    /// The padded array cut to the array's sizes, in the same places in memory.
    fn cut(
        &self,
        array: &ArrayShape,
        padded: &ArrayShape,
        tiles: Tiles,
    ) -> Result<ArrayShape, NotThisLayout> {
        let mut shape = *padded.fields();
        shape.dims = array.fields().dims;
        shape.tiles = tiles;
        // A tile that joins dimensions pads none of them to a multiple of its own.
        let first = tiles.first();
        let covered = if first.contains(&TileDim::Combined) { 0 } else { first.len() };
        for physical in 0..self.rank {
            let dim = shape.minor_to_major[physical];
            let block = match covered.checked_sub(1 + physical) {
                Some(entry) => first[entry].size(),
                None => 1,
            };
            let size = array.dims()[dim].size().unwrap_or(0);
            let tiled = Tiles::covering(size, block).checked_mul(block);
            let is_padded = size == self.sizes[dim] || tiled == Some(self.sizes[dim]);
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

/// Adds the tiles that make `pitch` slots of each `span` most minor slots; `None` if there is no room for them.
fn pad(bounds: &mut DigitSequence, tiles: &mut Tiles, span: Size, pitch: Size) -> Option<()> {
    // How many of the most minor bounds have these slots; the most major one of them may have more.
    let (mut slots, mut count) = (1, 0);
    let last = loop {
        let values = bounds.as_slice()[bounds.len().checked_sub(count + 1)?].values();
        count += 1;
        if slots * values >= span {
            break values;
        }
        slots *= values;
    };
    if slots * last > span {
        let inner = bounds.as_slice()[bounds.len() + 1 - count..].iter().map(DimDigit::values);
        add(tiles, core::iter::once(span / slots).chain(inner).map(TileDim::Size))?;
        bounds.tile(&tiles.get(tiles.len() - 1)).then_some(())?;
    }
    let joined = core::iter::repeat_n(TileDim::Combined, count - 1);
    add(tiles, joined.chain([TileDim::Size(pitch)]))?;
    for _ in 0..count {
        bounds.remove(bounds.len() - 1);
    }
    bounds.push(DimDigit::ONE);
    bounds.push(DimDigit { size: Some(pitch), ..DimDigit::ONE });
    Some(())
}

fn add(tiles: &mut Tiles, mut sizes: impl Iterator<Item = TileDim>) -> Option<()> {
    (tiles.begin() && sizes.all(|size| tiles.push(size))).then_some(())
}
