//! Reading expressions for numpy.

use core::ops::Range;

use crate::digit_order::DigitSequence;
use crate::digit_order::DimDigit;
use crate::digit_order::NotThisLayout;
use crate::notation::numpy::Numpy;
use crate::notation::numpy::calls::{Call, Calls, INSTEAD, TOO_LARGE};
use crate::notation::numpy::tiles::{filled, printed};
use crate::notation::reader::TextReader;
use crate::notation::strided::StridedDigits;
use layout_core::base::width::native;
use layout_core::limits::{MAX_BOUNDS, MAX_DIMS, MAX_SIZE, Size};
use layout_core::{ArrayShape, Error, Swizzle, Tiles};

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
            let reader = TextReader::new(text);
            return Err(reader.error_at(0, text.len(), what, "write the sizes of the array"));
        }
        let mut plain = *array.fields();
        (plain.has_padding, plain.padded_dims, plain.fill) = (false, [0; MAX_DIMS], None);
        (plain.tiles, plain.tail_alignment) = (Tiles::NONE, 1);
        plain.swizzle = Swizzle::NONE;
        for (place, dim) in (0..array.rank()).rev().enumerate() {
            plain.minor_to_major[place] = dim;
        }
        let plain =
            plain.checked().map_err(|fault| Error::at(text, 0..text.len(), fault.kind()))?;
        let calls = Calls::new(text, array)?;
        match printed(&plain, calls, text) {
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
        NotThisLayout::TooManyTiles | NotThisLayout::TooManyDigits => {
            error("this order takes more tiles than a layout has")
        }
        _ => error(TOO_LARGE),
    })?;
    filled(&shape, calls.fill).ok_or_else(|| error(TOO_LARGE))
}

/// What stands in memory.
#[derive(Clone, Copy)]
struct Memory {
    /// Digits of two values or more. There is room for all: together they count slots of the memory.
    digits: DigitSequence,
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
const NOT_OF_DIMENSION: &str = "this is not padding of a dimension";

impl Memory {
    fn new(array: &ArrayShape) -> Memory {
        let mut memory = Memory {
            digits: DigitSequence::EMPTY,
            widths: [1; MAX_DIMS],
            sizes: [1; MAX_DIMS],
            rank: array.rank(),
            tail: 0,
        };
        for (dim, of) in array.dims().iter().enumerate() {
            let size = of.size().unwrap_or(0);
            (memory.sizes[dim], memory.widths[dim]) = (size, size);
            if size > 1 {
                memory.digits.push(DimDigit { dim, weight: 1, size: Some(size) });
            }
        }
        memory
    }

    /// Joins the digits, and cuts them where an axis ends: for each axis, how many are in it and in those after it.
    fn cut(&mut self, axes: &[Size]) -> Result<[usize; MAX_BOUNDS + 1], &'static str> {
        if self.tail > 0 {
            return Err(CUTS_TAIL);
        }
        self.digits.join();
        let mut counts = [0; MAX_BOUNDS + 1];
        let mut at = self.digits.len();
        for (axis, &size) in axes.iter().enumerate().rev() {
            let mut rest = size;
            while rest > 1 {
                at -= 1;
                let values = self.digits.as_slice()[at].values();
                if rest.is_multiple_of(values) {
                    rest /= values;
                } else {
                    let minor = self.digits.cut(at, rest).ok_or(UNEVEN)?;
                    at += 1;
                    self.digits.insert(at, minor);
                    rest = 1;
                }
            }
            counts[axis] = self.digits.len() - at;
        }
        Ok(counts)
    }

    fn transpose(&mut self, axes: &[Size], order: &[Size]) -> Refusal {
        let counts = self.cut(axes)?;
        let len = self.digits.len();
        let axes = order.iter().map(|axis| native(*axis));
        self.digits =
            self.digits.rearranged(axes.map(|axis| len - counts[axis]..len - counts[axis + 1]));
        Ok(())
    }

    /// Pads axes, or takes padding off: that of dimensions, or slots after all elements.
    fn resize(&mut self, from: &[Size], to: &[Size]) -> Refusal {
        let before = *self;
        let done = self.resize_dims(from, to);
        let is_first = |axis: usize| from[..axis].iter().all(|size| *size == 1);
        if done.is_err() && (0..from.len()).all(|axis| from[axis] == to[axis] || is_first(axis)) {
            let slots = to.iter().product::<Size>();
            let tail = before.digits.slots().and_then(|elements| slots.checked_sub(elements));
            *self = Memory { tail: tail.ok_or(TAKES_OFF)?, ..before };
            return Ok(());
        }
        done
    }

    fn resize_dims(&mut self, from: &[Size], to: &[Size]) -> Refusal {
        let counts = self.cut(from)?;
        for axis in (0..from.len()).filter(|&axis| from[axis] != to[axis]) {
            // The counts are from the end, so that those of axes to come hold.
            let len = self.digits.len();
            let digits = len - counts[axis]..len - counts[axis + 1];
            self.resize_axis(digits, from[axis], to[axis])?;
        }
        Ok(())
    }

    /// Resizes the axis of these digits by the dimension that is its most major one, or by one of size 1.
    fn resize_axis(&mut self, digits: Range<usize>, from: Size, to: Size) -> Refusal {
        let refused = if to < from { TAKES_OFF } else { NOT_OF_DIMENSION };
        let start = digits.start;
        if let Some(digit) = self.digits.as_mut_slice()[digits].first_mut() {
            let (dim, minor) = (digit.dim, from / digit.values());
            if digit.end() == Some(self.widths[dim]) && to.is_multiple_of(minor) {
                let size = to / minor;
                let width = digit.weight.checked_mul(size).filter(|width| *width <= MAX_SIZE);
                let width = width.ok_or(TOO_LARGE)?;
                if width < self.sizes[dim] {
                    return Err(refused);
                }
                self.widths[dim] = width;
                digit.size = Some(size);
                if size == 1 {
                    self.digits.remove(start);
                }
                return Ok(());
            }
        }
        let dim = (0..self.rank).find(|&dim| self.widths[dim] == 1).ok_or(refused)?;
        if to < from || !to.is_multiple_of(from) {
            return Err(refused);
        }
        self.widths[dim] = to / from;
        self.digits.insert(start, DimDigit { dim, weight: 1, size: Some(to / from) });
        Ok(())
    }

    fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        let mut digits = StridedDigits::new(self.rank);
        for (digit, stride) in self.digits.strided() {
            digits.add(digit, stride)?;
        }
        let mut fields = *digits.layout(array)?.fields();
        if self.tail > 0 {
            let slots = self.digits.slots().and_then(|slots| slots.checked_add(self.tail));
            fields.tail_alignment = slots.unwrap_or(Size::MAX);
        }
        Ok(fields.checked()?)
    }
}
