//! Reading expressions for numpy.

use core::ops::Range;

use crate::base::width::native;
use crate::digit_order::{DigitOrderError, MAX_DIGITS};
use crate::fault::error::Error;
use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_SIZE, Size};
use crate::notation::error::LayoutError;
use crate::notation::numpy::Numpy;
use crate::notation::numpy::calls::{Call, Calls, INSTEAD, TOO_LARGE};
use crate::notation::numpy::tiles;
use crate::notation::reader::Reader;
use crate::notation::strided::StridedDigits;
use crate::shape::array::ArrayShape;
use crate::shape::fill::Fill;
use crate::shape::tiles::Tiles;

impl Numpy<'_> {
    /// The array in the layout whose memory an expression for numpy computes from the array `x`. Its element type and
    /// properties stay, except for `PAD`, `FILL` and `L`.
    ///
    /// The expression is any sequence of these calls; memory has the elements of the result in row-major order:
    /// - `.reshape(2, 3)`, where one size may be −1;
    /// - `.transpose(1, 0)`, where axes may count from the end; without axes it reverses them;
    /// - `np.pad(.., ((0, 1), (0, 3)))`, after the elements, with `constant_values` that [`of`](Numpy::of) writes;
    /// - slices such as `[:3, :5]`, which take padding off again.
    ///
    /// Of an expression that the library prints, the result prints the same again. Any other expression has to divide
    /// sizes evenly, and its padding has to be that of dimensions or follow all elements; its layout has the fewest tiles.
    ///
    /// # Errors
    /// The error marks the call that numpy refuses, or that is not read. An expression does not say the size of a
    /// dimension, so `?` is an error too.
    ///
    /// # Examples
    /// ```
    /// use layout::notation::Numpy;
    ///
    /// let array: layout::ArrayShape = "f32[3,5]".parse()?;
    /// let text = "np.pad(x, ((0, 1), (0, 1))).reshape(2, 2, 3, 2).transpose(0, 2, 1, 3).reshape(-1)";
    /// assert_eq!(Numpy::layout(text, &array)?.to_string(), "f32[3,5]{1,0:T(2,2)}");
    ///
    /// // Eight heads of 16, each in memory by itself.
    /// let array: layout::ArrayShape = "f32[10,128]".parse()?;
    /// let text = "x.reshape(10, 8, 16).transpose(1, 0, 2)";
    /// assert_eq!(Numpy::layout(text, &array)?.to_string(), "f32[10,128]{0,1:T(16,1)}");
    ///
    /// let error = Numpy::layout("x.transpose(1, 1).reshape(-1)", &array).unwrap_err();
    /// assert_eq!(error.to_string(), "\
    /// this is not a permutation of the dimensions
    ///   | x.transpose(1, 1).reshape(-1)
    ///   |            ^^^^^^
    ///   = help: list each dimension once");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout(text: &str, array: &ArrayShape) -> Result<ArrayShape, Error> {
        if array.unknown_size().is_some() {
            let what = "the expression is for known sizes, but one of the array is `?`";
            let reader = Reader::new(text);
            return Err(reader.error_at(0, text.len(), what, "write the sizes of the array"));
        }
        let mut plain = *array.fields();
        (plain.has_padding, plain.padded_dims, plain.fill) = (false, [0; MAX_DIMS], None);
        (plain.tiles, plain.tail_alignment) = (Tiles::NONE, 1);
        plain.set_default_order();
        // It takes no more memory than before.
        let plain = plain.trusted();
        let calls = Calls::new(text, array)?;
        match tiles::printed(&plain, calls, text) {
            Some(shape) => Ok(shape),
            None => evaluate(&plain, calls),
        }
    }
}

const AS_DIGITS: &str = "divide sizes evenly, and pad whole dimensions; tiles that do neither are read as `Numpy` prints them";

/// The layout of the memory that the calls make.
fn evaluate(array: &ArrayShape, mut calls: Calls<'_>) -> Result<ArrayShape, Error> {
    let mut memory = Memory::new(array);
    loop {
        calls.reader.skip_spaces();
        let (start, before) = (calls.reader.at(), calls.axes);
        let done = match calls.next()? {
            None => break,
            Some(Call::Reshape) => Ok(()),
            Some(_) if array.elements() == Some(0) => Ok(()),
            Some(Call::Transpose(order)) => memory.transpose(&before, &order),
            Some(Call::Pad | Call::Slice) => memory.resize(&before, &calls.axes),
        };
        done.map_err(|what| calls.reader.error(start, what, AS_DIGITS))?;
    }
    let error = |what| calls.reader.error(0, what, INSTEAD);
    // Without elements there is no memory.
    if array.elements() == Some(0) {
        let is_empty = calls.axes.contains(&0);
        return if is_empty { Ok(*array) } else { Err(error("the array has no elements")) };
    }
    let shape = memory.layout(array).map_err(|found| match found {
        LayoutError::DigitOrder(DigitOrderError::TooManyTiles) => {
            error("this order takes more tiles than a layout has")
        }
        _ => error(TOO_LARGE),
    })?;
    filled(&shape, calls.fill).ok_or_else(|| error(TOO_LARGE))
}

/// The shape with that value of the padding.
pub(super) fn filled(shape: &ArrayShape, fill: Option<Fill>) -> Option<ArrayShape> {
    let mut fields = *shape.fields();
    fields.fill = fill;
    if fill.is_some() && !fields.has_padding {
        fields.has_padding = true;
        for (width, dim) in fields.padded_dims.iter_mut().zip(shape.dims()) {
            *width = dim.size()?;
        }
    }
    fields.checked().ok()
}

/// `i / weight % size` of the coordinate `i` of a dimension; counts to 2 or more.
#[derive(Clone, Copy)]
struct Piece {
    dim: usize,
    weight: Size,
    size: Size,
}

#[derive(Clone, Copy)]
/// What stands in memory: digits of dimensions, the most major first, and padding after all elements.
struct Memory {
    pieces: [Piece; MAX_DIGITS],
    len: usize,
    /// Of each dimension, with its padding.
    widths: [Size; MAX_DIMS],
    sizes: [Size; MAX_DIMS],
    rank: usize,
    /// Slots after all elements.
    tail: Size,
}

/// Why a call makes no layout.
type Refusal = Result<(), &'static str>;

const CUTS_TAIL: &str = "this divides padding that follows all elements";
const TAKES_OFF: &str = "this takes off elements, or a part of the padding of a dimension";
const UNEVEN: &str = "this divides a dimension into parts that are not equal";
const TOO_MANY: &str = "this divides the dimensions into too many parts";

impl Memory {
    fn new(array: &ArrayShape) -> Memory {
        let none = Piece { dim: 0, weight: 1, size: 1 };
        let mut memory = Memory {
            pieces: [none; MAX_DIGITS],
            len: 0,
            widths: [1; MAX_DIMS],
            sizes: [1; MAX_DIMS],
            rank: array.rank(),
            tail: 0,
        };
        for (dim, of) in array.dims().iter().enumerate() {
            let size = of.size().unwrap_or(0);
            (memory.sizes[dim], memory.widths[dim]) = (size, size);
            if size > 1 {
                memory.pieces[memory.len] = Piece { dim, weight: 1, size };
                memory.len += 1;
            }
        }
        memory
    }

    /// Joins the pieces, and cuts them where an axis ends: for each axis, how many are in it and in those after it.
    fn cut(&mut self, axes: &[Size]) -> Result<[usize; MAX_BOUNDS + 1], &'static str> {
        if self.tail > 0 {
            return Err(CUTS_TAIL);
        }
        self.join();
        let mut counts = [0; MAX_BOUNDS + 1];
        let mut at = self.len;
        for (axis, &size) in axes.iter().enumerate().rev() {
            let mut rest = size;
            while rest > 1 {
                at -= 1;
                let piece = self.pieces[at];
                if rest.is_multiple_of(piece.size) {
                    rest /= piece.size;
                } else if piece.size.is_multiple_of(rest) {
                    let major =
                        Piece { weight: piece.weight * rest, size: piece.size / rest, ..piece };
                    self.pieces[at].size = rest;
                    self.insert(at, major)?;
                    (at, rest) = (at + 1, 1);
                } else {
                    return Err(UNEVEN);
                }
            }
            counts[axis] = self.len - at;
        }
        Ok(counts)
    }

    /// Joins neighbours that together are a piece.
    fn join(&mut self) {
        let count = core::mem::take(&mut self.len);
        for at in 0..count {
            let piece = self.pieces[at];
            let before = self.len.checked_sub(1).map(|before| &mut self.pieces[before]);
            match before.filter(|before| {
                before.dim == piece.dim && before.weight == piece.weight * piece.size
            }) {
                Some(before) => *before = Piece { size: before.size * piece.size, ..piece },
                None => {
                    self.pieces[self.len] = piece;
                    self.len += 1;
                }
            }
        }
    }

    fn insert(&mut self, at: usize, piece: Piece) -> Refusal {
        if self.len == MAX_DIGITS {
            return Err(TOO_MANY);
        }
        self.pieces.copy_within(at..self.len, at + 1);
        self.pieces[at] = piece;
        self.len += 1;
        Ok(())
    }

    fn transpose(&mut self, axes: &[Size], order: &[Size]) -> Refusal {
        let counts = self.cut(axes)?;
        let (pieces, len) = (self.pieces, self.len);
        let mut to = 0;
        for &axis in order {
            let axis = native(axis);
            for piece in &pieces[len - counts[axis]..len - counts[axis + 1]] {
                self.pieces[to] = *piece;
                to += 1;
            }
        }
        Ok(())
    }

    /// Pads axes, or takes padding off: that of dimensions, or slots after all elements.
    fn resize(&mut self, from: &[Size], to: &[Size]) -> Refusal {
        let before = *self;
        let done = self.resize_dims(from, to);
        let is_first = |axis: usize| from[..axis].iter().all(|size| *size == 1);
        if done.is_err() && (0..from.len()).all(|axis| from[axis] == to[axis] || is_first(axis)) {
            let elements = before.pieces[..before.len].iter().map(|piece| piece.size).product();
            let slots = to.iter().product::<Size>();
            *self = Memory { tail: slots.checked_sub(elements).ok_or(TAKES_OFF)?, ..before };
            return Ok(());
        }
        done
    }

    fn resize_dims(&mut self, from: &[Size], to: &[Size]) -> Refusal {
        let counts = self.cut(from)?;
        for axis in (0..from.len()).filter(|&axis| from[axis] != to[axis]) {
            // The counts are from the end, so that those of axes to come hold.
            let pieces = self.len - counts[axis]..self.len - counts[axis + 1];
            if !self.resize_axis(pieces, from[axis], to[axis])? {
                let is_cut = to[axis] < from[axis];
                return Err(if is_cut { TAKES_OFF } else { "this is not padding of a dimension" });
            }
        }
        Ok(())
    }

    /// Resizes the axis of these pieces by the dimension that is its most major one, or by one of size 1.
    fn resize_axis(
        &mut self,
        pieces: Range<usize>,
        from: Size,
        to: Size,
    ) -> Result<bool, &'static str> {
        let start = pieces.start;
        if !pieces.is_empty() {
            let Piece { dim, weight, size } = self.pieces[start];
            let minor = from / size;
            if weight * size == self.widths[dim] && to.is_multiple_of(minor) {
                let size = to / minor;
                let width = weight.checked_mul(size).filter(|width| *width <= MAX_SIZE);
                let width = width.ok_or(TOO_LARGE)?;
                if width < self.sizes[dim] {
                    return Ok(false);
                }
                self.widths[dim] = width;
                self.pieces[start].size = size;
                if size == 1 {
                    self.pieces.copy_within(start + 1..self.len, start);
                    self.len -= 1;
                }
                return Ok(true);
            }
        }
        let Some(dim) = (0..self.rank).find(|&dim| self.widths[dim] == 1) else { return Ok(false) };
        if to < from || !to.is_multiple_of(from) {
            return Ok(false);
        }
        self.widths[dim] = to / from;
        self.insert(start, Piece { dim, weight: 1, size: to / from })?;
        Ok(true)
    }

    fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, LayoutError> {
        let mut digits = StridedDigits::new(self.rank);
        for dim in 0..self.rank {
            let mut weight = 1;
            while weight < self.widths[dim] {
                let mut stride = 1;
                for piece in self.pieces[..self.len].iter().rev() {
                    if piece.dim == dim && piece.weight == weight {
                        digits.push(dim, piece.size, stride)?;
                        weight *= piece.size;
                        break;
                    }
                    stride *= piece.size;
                }
            }
        }
        let mut fields = *digits.layout(array)?.fields();
        if self.tail > 0 {
            let elements = self.pieces[..self.len].iter().map(|piece| piece.size);
            fields.tail_alignment = elements.product::<Size>() + self.tail;
        }
        fields.checked().map_err(LayoutError::Shape)
    }
}
