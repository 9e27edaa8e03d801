//! Layouts as orders of digits: what packed formats of other systems are.
//!
//! A packed format takes each dimension apart into digits and puts the digits of all dimensions into an order:
//! memory counts through them as through the digits of a number, the most major digit first. oneDNN's `nChw16c`
//! is the order of `n`, of `C / 16`, of `h`, of `w` and of `C % 16`. [`DigitOrder`] holds such an order, and
//! [`DigitOrder::layout`] finds the order of dimensions and the fewest tiles with the same memory;
//! [`DigitOrder::of`] goes back.

mod dims;
mod error;
mod of_shape;
mod search;
mod tiles;

use core::fmt;

pub use error::{NotExpressible, NotThisLayout};

use layout_core::ArrayShape;
use layout_core::analysis::{DigitSequence, DimDigit};
use layout_core::limits::{MAX_BOUNDS, MAX_DIMS, MAX_SIZE, MAX_TILE_DIMS, Size};

/// Most digits of an order: each takes an entry of a tile, but one of each dimension.
pub const MAX_DIGITS: usize = MAX_TILE_DIMS + MAX_DIMS;

/// An order of digits, from the most major in memory to the most minor.
///
/// The digits of a dimension are all of it: their weights are 1, the size of the digit of weight 1, and so on.
/// The most major one may be a rest, which makes the order one for every size: a dimension is then padded to a
/// multiple of its other digits.
///
/// # Examples
/// ```
/// use layout::shape::analysis::DimDigit;
/// use layout_notation::digit_order::DigitOrder;
///
/// // oneDNN's `Ab16a`: rows in blocks of 16.
/// let order = DigitOrder::of_blocks(2, &[(0, None), (1, None), (0, Some(16))])?;
/// assert_eq!(order.digits()[0], DimDigit { dim: 0, weight: 16, size: None });
/// let array: layout::ArrayShape = "f32[40,3]".parse()?;
/// assert_eq!(order.layout(&array)?.to_string(), "f32[40,3]{1,0:T(16,1)}");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct DigitOrder {
    digits: DigitSequence,
    rank: usize,
}

impl fmt::Debug for DigitOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.digits()).finish()
    }
}

impl DigitOrder {
    /// The order of these digits, the most major in memory first, of an array with `rank` dimensions. A
    /// dimension without digits has size 1.
    ///
    /// # Errors
    /// If the digits of a dimension are not all of it, or overlap; if one has no values; and above the limits
    /// of dimensions, digits and sizes.
    pub fn new(rank: usize, digits: &[DimDigit]) -> Result<DigitOrder, NotThisLayout> {
        if rank > MAX_DIMS {
            return Err(NotThisLayout::TooManyDimensions { rank });
        }
        let mut order = DigitOrder { digits: DigitSequence::EMPTY, rank };
        for &digit in digits {
            let DimDigit { dim, weight, size } = digit;
            if dim >= rank {
                return Err(NotThisLayout::NoSuchDimension { dim, rank });
            }
            let most = size.map_or(MAX_SIZE, |size| MAX_SIZE.checked_div(size).unwrap_or(0));
            if weight == 0 || weight > most {
                return Err(NotThisLayout::DigitSize { dim });
            }
            // A digit of one value counts nothing.
            if size != Some(1) {
                if order.digits.len() == MAX_DIGITS {
                    return Err(NotThisLayout::TooManyDigits);
                }
                order.digits.push(digit);
            }
        }
        order.check()?;
        order.digits.join();
        Ok(order)
    }

    /// The order of blocks of an array with `rank` dimensions, the most major in memory first. A block is its dimension and the
    /// number of blocks below it; without a number it is the rest of its dimension. The most minor block of a dimension has weight 1,
    /// each other one the product of those that are more minor.
    ///
    /// # Errors
    /// Those of [`new`](Self::new).
    ///
    /// # Examples
    /// ```
    /// use layout_notation::digit_order::DigitOrder;
    ///
    /// // oneDNN's `nChw16c`.
    /// let order = [(0, None), (1, None), (2, None), (3, None), (1, Some(16))];
    /// let array = "f32[2,40,5,7]".parse()?;
    /// let shape = DigitOrder::of_blocks(4, &order)?.layout(&array)?;
    /// assert_eq!(shape.to_string(), "f32[2,40,5,7]{3,2,1,0:T(16,1,1)}");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn of_blocks(
        rank: usize,
        blocks: &[(usize, Option<Size>)],
    ) -> Result<DigitOrder, NotThisLayout> {
        DigitOrder::new(rank, sequence_of_blocks(rank, blocks)?.as_slice())
    }

    /// The digits, the most major in memory first. Neighbours that together are one digit are joined, and
    /// digits of one value are left out.
    pub fn digits(&self) -> &[DimDigit] {
        self.digits.as_slice()
    }

    /// Dimensions of the array.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The digits of a dimension.
    fn digits_of(&self, dim: usize) -> impl Iterator<Item = &DimDigit> {
        self.digits().iter().filter(move |digit| digit.dim == dim)
    }

    /// Elements that the digits of a dimension count; a digit of any size is left out.
    fn size_of(&self, dim: usize) -> Size {
        self.digits_of(dim).map(DimDigit::values).product()
    }

    /// Whether a dimension has a digit of any size.
    fn is_open(&self, dim: usize) -> bool {
        self.digits_of(dim).any(|digit| digit.size.is_none())
    }

    /// Whether the digits of each dimension are all of it: each begins where the one below it ends.
    fn check(&self) -> Result<(), NotThisLayout> {
        let mut digits = self.digits;
        digits.as_mut_slice().sort_unstable_by_key(|digit| (digit.dim, digit.weight));
        for digits in digits.as_slice().chunk_by(|a, b| a.dim == b.dim) {
            let mut below = DimDigit { dim: digits[0].dim, ..DimDigit::ONE };
            for digit in digits {
                let DimDigit { dim, weight, .. } = *digit;
                match below.end() {
                    // Nothing counts beyond a digit of any size.
                    None => return Err(NotThisLayout::DigitOverlap { dim, weight: below.weight }),
                    Some(end) if weight < end => {
                        return Err(NotThisLayout::DigitOverlap { dim, weight });
                    }
                    Some(end) if weight > end => {
                        return Err(NotThisLayout::DigitGap { dim, weight: end });
                    }
                    Some(_) => below = *digit,
                }
            }
        }
        Ok(())
    }

    /// The array laid out in this order: with the order of dimensions and the fewest tiles that have this memory. Its
    /// element type, its dimensions and its properties stay, except for `PAD`, which belongs to another order.
    ///
    /// A dimension with a rest takes any size. Others have the size that their digits make.
    ///
    /// There is a layout for every order whose rests are more major in memory than all other digits, and for every
    /// order without rests, within the limits of tiles: `n` digits, of which at most `g` are of one dimension,
    /// take at most `⌈log2 g⌉ + ⌈log2 n⌉` tiles, and the digits of packed formats in use take at most 4.
    ///
    /// # The fewest tiles
    /// No other order of dimensions needs fewer tiles (those with `*` are not considered). Among the layouts with as few,
    /// it is the one in
    /// whose first tile pads to whole blocks the most dimensions that have a digit of any size, then the one with the fewest sizes
    /// in tiles, and then one whose dimensions stand in the order of their first digits, of their numbers or of their
    /// most major digits. That holds for every order of up to seven digits, however many dimensions they belong to.
    /// The search is limited, so that an order of more digits, or of seven and rests, may exceed its limit:
    /// then the layout has the same memory still, but another one can have fewer tiles or sizes.
    ///
    /// The search looks for a *key* of each digit, a number whose bit `t` says whether tile `t` moves the digit. Why that finds
    /// the fewest tiles:
    /// - A tile cuts each bound that it covers into an outer and an inner part and moves the inner parts, in their
    ///   order, after the outer ones. That is a pass of a radix sort. So after all tiles the digits stand by
    ///   their keys, and digits with one key as they do without tiles: in the order of dimensions, and by descending
    ///   weight along one.
    /// - The inner part of a bound is its more minor end. So along a dimension, from its most major digit on, the keys
    ///   with their bits reversed never descend. Keys that never do, and that sort the digits into their order in
    ///   memory, are tiles.
    /// - A tile has a known size, so it does not move a digit of any size: the key of that digit is 0. The other digits of its dimension are blocks, which
    ///   a tile cuts off: their keys are not 0.
    /// - A size that cuts a digit in two gains nothing: its parts are neighbours in memory, and with the key of the
    ///   first part for both, all of this holds as before. A size that divides no digits would pad.
    /// - The order of dimensions decides nothing but the order of digits with one key, which are neighbours in
    ///   memory. So keys allow each order of dimensions that agrees with every two such neighbours, and there is one
    ///   unless these go round in a circle. No order has to be tried.
    ///
    /// Some keys that every order of digits has: the number of the digit along its dimension, with its bits reversed, in the low
    /// bits, and in the high bits a number that is counted up wherever those descend.
    ///
    /// # Errors
    /// If a digit of any size follows another digit that no tile puts before it, if the order takes more tiles
    /// than a layout has, or if the digits make other sizes than the array has.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        tiles::layout(self, array)
    }
}

/// The digits of blocks, each with its weight: see [`DigitOrder::of_blocks`].
pub(crate) fn sequence_of_blocks(
    rank: usize,
    blocks: &[(usize, Option<Size>)],
) -> Result<DigitSequence, NotThisLayout> {
    if rank > MAX_DIMS {
        return Err(NotThisLayout::TooManyDimensions { rank });
    }
    if blocks.len() > MAX_BOUNDS {
        return Err(NotThisLayout::TooManyDigits);
    }
    let (mut digits, mut ends) = (DigitSequence::EMPTY, [1 as Size; MAX_DIMS]);
    for &(dim, size) in blocks.iter().rev() {
        let end = ends[..rank].get_mut(dim);
        let end = end.ok_or(NotThisLayout::NoSuchDimension { dim, rank })?;
        let digit = DimDigit { dim, weight: *end, size };
        digits.push(digit);
        let next = end.checked_mul(digit.values()).filter(|end| (1..=MAX_SIZE).contains(end));
        *end = next.ok_or(NotThisLayout::DigitSize { dim })?;
    }
    digits.as_mut_slice().reverse();
    for digit in digits.as_mut_slice().iter_mut().filter(|digit| digit.size.is_none()) {
        digit.weight = ends[digit.dim];
    }
    Ok(digits)
}
