//! Patterns as einops writes them: `(h 8) (w 128) -> h w 8 128`.

mod read;

use core::fmt;

use crate::digit_order::{DigitOrder, MAX_DIGITS, sequence_of_blocks};
use crate::digit_order::{NotExpressible, NotThisLayout};
use crate::notation::write::separated;
use layout_core::ArrayShape;
use layout_core::analysis::DimDigit;
use layout_core::base::text::Text;
use layout_core::limits::{MAX_DIMS, Size};

/// Longest name of an axis, in bytes.
const MAX_NAME: usize = 16;

/// A layout as a pattern of axes, as einops' `rearrange` takes it: `(h 8) (w 128) -> h w 8 128`.
///
/// Before the arrow are the dimensions, each an axis or several in parentheses, the most significant first. After it are
/// the same axes in the order of memory, most major first; parentheses there have no effect. An axis is a name, a name
/// with its size (`h1=8`), or a size alone. Sizes may also follow the pattern, as in einops: `(h h1) w -> h w h1, h1=8`.
/// Axes that are a size alone are matched in order: the first 8 before the arrow is the first 8 after it.
///
/// A dimension whose first axis has no size is one of any size, padded to whole blocks. If each is, the
/// pattern is for arrays of every size ([`digit_order`](Einops::digit_order)). Otherwise it is for one size.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_notation::notation::Einops;
///
/// let pattern: Einops = "(h 8) (w 128) -> h w 8 128".parse()?;
/// let shape = pattern.layout(&"f32[20,300]".parse()?)?;
/// assert_eq!(shape.to_string(), "f32[20,300]{1,0:T(8,128)}");
/// assert_eq!(Einops::of(&shape)?.to_string(), "(a 8) (b 128) -> a b 8 128");
///
/// let error = "(h 8) w -> h w 4".parse::<Einops>().unwrap_err();
/// assert_eq!(error.to_string(), "\
/// no axis before the arrow is this one
///   | (h 8) w -> h w 4
///   |                ^
///   = help: write the same axes on both sides of the arrow");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Einops {
    /// In the order before the arrow; axes of size 1 are left out.
    axes: [Axis; MAX_DIGITS],
    /// Numbers of the axes, in the order of memory.
    memory: [u8; MAX_DIGITS],
    len: usize,
    rank: usize,
}

/// A part of a dimension.
#[derive(Clone, Copy)]
struct Axis {
    /// Empty if the axis is a size alone.
    name: Text<MAX_NAME>,
    size: Option<Size>,
    dim: usize,
}

impl Axis {
    const NONE: Axis = Axis { name: Text::new(), size: None, dim: 0 };
}

impl Einops {
    const EMPTY: Einops =
        Einops { axes: [Axis::NONE; MAX_DIGITS], memory: [0; MAX_DIGITS], len: 0, rank: 0 };

    /// The pattern of the layout for every size, with names from `a` on; or for its own size, if there is none
    /// for every size.
    ///
    /// # Errors
    /// If the layout is not an order of digits, or `L` adds slots.
    pub fn of(shape: &ArrayShape) -> Result<Einops, NotExpressible> {
        if shape.tail_padding_alignment() != 1 {
            return Err(NotExpressible::Tail);
        }
        let order = DigitOrder::of(shape)
            .or_else(|error| DigitOrder::sized_of(shape).map_err(|_| error))?;
        let mut einops = Einops { rank: order.rank(), ..Einops::EMPTY };
        for dim in 0..order.rank() {
            let mut below = Size::MAX;
            // The next digit by weight; a rest is above all others.
            let weight = |digit: &DimDigit| digit.size.map_or(Size::MAX - 1, |_| digit.weight);
            let next = |below| {
                let digits = order.digits().iter().enumerate();
                let digits = digits.filter(|(_, digit)| digit.dim == dim && weight(digit) < below);
                digits.max_by_key(|(_, digit)| weight(digit))
            };
            while let Some((at, digit)) = next(below) {
                below = weight(digit);
                let mut axis = Axis { size: digit.size, dim, ..Axis::NONE };
                if digit.size.is_none() {
                    axis.name.byte(letter(dim));
                }
                einops.axes[einops.len] = axis;
                einops.memory[at] = einops.len as u8;
                einops.len += 1;
            }
        }
        einops.name_crossing();
        Ok(einops)
    }

    fn axes(&self) -> &[Axis] {
        &self.axes[..self.len]
    }

    /// The order of the digits that the pattern says. A dimension whose axes all have sizes has that size
    /// alone; if no dimension is such a one, the order is for every size.
    ///
    /// # Errors
    /// [`InnerAxis`](NotThisLayout::InnerAxis) if an axis without a size is not the first one of its dimension.
    pub fn digit_order(&self) -> Result<DigitOrder, NotThisLayout> {
        self.order([None; MAX_DIMS])
    }

    /// The array in this layout. Its element type and properties stay, except for `PAD`.
    ///
    /// The layout is the one for every size if there is one, and else that of this size: a pattern such as
    /// `h (w 8) -> 8 h w` has one for each size alone.
    ///
    /// # Errors
    /// - [`Rank`](NotThisLayout::Rank) or [`Size`](NotThisLayout::Size) if the array has other dimensions than the
    ///   pattern.
    /// - [`Blocks`](NotThisLayout::Blocks) if an axis of any size stands after another axis, in its dimension or in
    ///   memory, and the dimension is not a multiple of those axes; [`UnknownSize`](NotThisLayout::UnknownSize) if its
    ///   size is `?`.
    /// - [`TooManyTiles`](NotThisLayout::TooManyTiles) if the pattern takes more tiles than there may be.
    ///
    /// # Examples
    /// ```
    /// let pattern: layout_notation::notation::Einops = "h (w 2) -> 2 h w".parse()?;
    /// let shape = pattern.layout(&"f32[3,8]".parse()?)?;
    /// assert_eq!(shape.to_string(), "f32[3,8]{1,0:T(2)(3,4,1)}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        NotThisLayout::same_rank(self.rank, array)?;
        match self.digit_order().and_then(|order| order.layout(array)) {
            Err(NotThisLayout::InnerAxis { .. } | NotThisLayout::OpenAfterBlock { .. }) => {
                self.order(self.rests(array)?)?.layout(array)
            }
            other => other,
        }
    }

    /// The size of the axis without one, for each dimension that has one.
    fn rests(&self, array: &ArrayShape) -> Result<[Option<Size>; MAX_DIMS], NotThisLayout> {
        let mut rests = [None; MAX_DIMS];
        for (dim, rest) in rests[..self.rank].iter_mut().enumerate() {
            let axes = self.axes().iter().filter(|axis| axis.dim == dim);
            if axes.clone().all(|axis| axis.size.is_some()) {
                continue;
            }
            let size = array.dims()[dim].size().ok_or(NotThisLayout::unknown(dim))?;
            // Sizes of a dimension were multiplied when they were read.
            let block = axes.filter_map(|axis| axis.size).product();
            if size == 0 || !size.is_multiple_of(block) {
                return Err(NotThisLayout::Blocks { dim, size, block });
            }
            *rest = Some(size / block);
        }
        Ok(rests)
    }

    /// The order, with sizes for axes without one.
    fn order(&self, rests: [Option<Size>; MAX_DIMS]) -> Result<DigitOrder, NotThisLayout> {
        let mut blocks = [(0, None); MAX_DIGITS];
        for (block, axis) in blocks.iter_mut().zip(self.axes()) {
            *block = (axis.dim, axis.size.or(rests[axis.dim]));
        }
        let blocks = &blocks[..self.len];
        let inner = blocks.windows(2).find(|pair| pair[0].0 == pair[1].0 && pair[1].1.is_none());
        if let Some(&[(dim, _), _]) = inner {
            return Err(NotThisLayout::InnerAxis { dim });
        }
        let digits = sequence_of_blocks(self.rank, blocks)?;
        let in_memory = self.memory[..self.len].iter().map(|&axis| usize::from(axis));
        DigitOrder::new(self.rank, digits.rearranged(in_memory).as_slice())
    }

    /// Where an axis stands among those after the arrow.
    fn position(&self, axis: usize) -> usize {
        self.memory[..self.len].iter().position(|&number| usize::from(number) == axis).unwrap_or(0)
    }

    /// Names axes that are a size alone where others of that size are in another order in memory.
    fn name_crossing(&mut self) {
        for first in 0..self.len {
            let crosses = |second: usize| {
                let (a, b) = (&self.axes[first], &self.axes[second]);
                b.size.is_some()
                    && a.size == b.size
                    && (first < second) != (self.position(first) < self.position(second))
            };
            if self.axes[first].size.is_some() && (0..self.len).any(crosses) {
                let Axis { dim, size, .. } = self.axes[first];
                let before = self.axes[..first].iter().filter(|axis| axis.dim == dim);
                let mut name = Text::new();
                name.byte(letter(dim));
                say!(name, 1 + before.map(|_| 1).sum::<Size>());
                self.axes[first] = Axis { name, size, dim };
            }
        }
    }
}

/// The name of a dimension: `a` is dimension 0.
fn letter(dim: usize) -> u8 {
    // There are at most 16.
    b'a' + dim as u8
}

impl fmt::Display for Axis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.as_str())?;
        match self.size {
            Some(size) if self.name.is_empty() => write!(f, "{size}"),
            Some(size) => write!(f, "={size}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Einops {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for dim in 0..self.rank {
            let axes = self.axes().iter().filter(|axis| axis.dim == dim);
            match axes.clone().count() {
                0 => f.write_str("1")?,
                1 => separated(f, axes, " ")?,
                _ => {
                    f.write_str("(")?;
                    separated(f, axes, " ")?;
                    f.write_str(")")?;
                }
            }
            f.write_str(" ")?;
        }
        f.write_str("->")?;
        for &axis in &self.memory[..self.len] {
            let axis = &self.axes[usize::from(axis)];
            match axis.name.is_empty() {
                true => write!(f, " {axis}")?,
                false => write!(f, " {}", axis.name.as_str())?,
            }
        }
        Ok(())
    }
}
