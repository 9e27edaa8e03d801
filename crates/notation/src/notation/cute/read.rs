//! Reading CuTe's text, and its layout in XLA's notation.

use core::str::FromStr;

use crate::digit_order::NotThisLayout;
use crate::notation::cute::{Cute, CuteMode};
use crate::notation::reader::TextReader;
use crate::notation::strided::StridedDigits;
use crate::notation::swizzle::template;
use layout_core::limits::{MAX_DIMS, MAX_NESTING, MAX_SIZE, Size};
use layout_core::{ArrayShape, Error, Fault, SwizzleUnit};

impl FromStr for Cute {
    type Err = Error;

    fn from_str(text: &str) -> Result<Cute, Error> {
        let mut shape = TextReader::new(text);
        shape.skip_spaces();
        let is_tensor = shape.take("tensor<");
        let mut cute = Cute::NONE;
        if is_pointer(&mut shape) {
            cute = pointer(&mut shape, cute)?;
            shape.skip_spaces();
        }
        if cute.swizzle.is_none() && shape.peek() == Some('S') {
            cute = composed(&mut shape, cute)?;
        }
        let Some(colon) = shape.rest().find(':').map(|at| shape.at() + at) else {
            return Err(shape.error_at(
                text.len(),
                text.len(),
                "the strides are missing",
                "write a `:` and the strides after the shape, as in `(4,2):(1,4)`",
            ));
        };
        let mut modes = Modes {
            shape,
            stride: shape.moved_to(colon + 1),
            cute,
            count: 0,
            size: 1,
            elements: 1,
        };
        modes.read()?;
        modes.shape.skip_spaces();
        if modes.shape.at() != colon {
            let (what, instead) = ("expected `:`", "write the strides after the shape");
            return Err(modes.shape.error(modes.shape.at(), what, instead));
        }
        if is_tensor {
            modes.stride.expect(">", "expected `>`", "close the tensor")?;
        }
        modes.stride.end("this follows the strides", "leave it out")?;
        Ok(modes.cute)
    }
}

const COMPOSED: &str = "write it as in `S<3,3,3> o 0 o (8,64):(64,1)`";
const POINTER: &str = "write it as in `smem_ptr[16b](unset) o (8,64):(64,1)`, or `tensor<ptr<f16, smem> o (8,64):(64,1)>`";

/// What stands before the layout in a composed one: `S<3,3,3> o 0 o `, or `Sw<3,3,3> o _0 o `; or the swizzle of a pointer.
fn composed(reader: &mut TextReader<'_>, mut cute: Cute) -> Result<Cute, Error> {
    cute.swizzle = template(reader, SwizzleUnit::Elements, false)?;
    let is_of_pointer = reader.take("_");
    if !is_of_pointer {
        reader.expect("o", "expected `o` and the offset of the first element", COMPOSED)?;
    }
    if is_of_pointer || is_pointer(reader) {
        return pointer(reader, cute);
    }
    reader.take("_");
    cute.start = reader.number()?;
    reader.expect("o", "expected `o` and the layout", COMPOSED)?;
    Ok(cute)
}

fn is_pointer(reader: &mut TextReader<'_>) -> bool {
    reader.skip_spaces();
    reader.peek().is_some_and(|c| c.is_ascii_lowercase())
}

/// The pointer of a tensor: `smem_ptr[16b](0x7f0000000400) o ` of CuTe, `ptr<f16, smem, align<1024>, S<3,4,3>> o ` of its DSL,
/// or `raw_ptr(0x7f0000000400: f16, smem) o ` of a running kernel. A swizzle of it is one of addresses, so of bytes.
fn pointer(reader: &mut TextReader<'_>, mut cute: Cute) -> Result<Cute, Error> {
    let (start, mut address) = (reader.at(), "");
    reader.word();
    if reader.take("[") {
        cute.element_bits = Some(reader.size()?);
        reader.expect("b]", "expected `b]`", POINTER)?;
        if reader.take("(") {
            address = reader.take_while(|c| c != ')');
            reader.expect(")", "expected `)`", POINTER)?;
        }
    } else {
        let is_type = reader.take("<");
        if !is_type {
            reader.expect("(", "expected the pointer's elements", POINTER)?;
            address = reader.take_while(|c| c != ':');
            reader.expect(":", "expected `:` and the element type", POINTER)?;
        }
        // The name of a type has its bits: `bf16`, `f8E4M3FN`.
        reader.skip_spaces();
        reader.take_while(|c| c.is_ascii_alphabetic());
        cute.element_bits = Some(reader.size()?);
        reader.word();
        while reader.take(",") {
            reader.skip_spaces();
            if reader.peek() == Some('S') {
                cute.swizzle = template(reader, SwizzleUnit::Elements, false)?;
            } else if !reader.word().is_empty() && reader.take("<") {
                reader.number()?;
                reader.expect(">", "expected `>`", POINTER)?;
            }
        }
        let (close, what) = if is_type { (">", "expected `>`") } else { (")", "expected `)`") };
        reader.expect(close, what, POINTER)?;
    }
    if let Some(bits) = cute.element_bits.filter(|_| !cute.swizzle.is_none()) {
        let fault = |fault: Fault| reader.error_of(start, reader.at(), fault.kind());
        cute = cute.with_swizzled_bytes(bits).map_err(fault)?;
        let digits = address.trim().strip_prefix("0x").unwrap_or_default();
        let period = (cute.swizzle.period() * bits / 8) as u64;
        let address = u64::from_str_radix(digits, 16).unwrap_or(0);
        cute.start = (address % period) as Size * 8 / bits;
    }
    reader.expect("o", "expected `o` and the layout", POINTER)?;
    Ok(cute)
}

/// Shape and strides, read side by side.
struct Modes<'a> {
    shape: TextReader<'a>,
    stride: TextReader<'a>,
    cute: Cute,
    count: usize,
    /// Of the dimension that is read.
    size: Size,
    /// Of the dimensions before it.
    elements: Size,
}

const SAME_PARTS: &str = "write a stride for each size, in the same parentheses";

impl Modes<'_> {
    fn read(&mut self) -> Result<(), Error> {
        if !self.open()? {
            self.integer()?;
            return self.end_dimension(0);
        }
        while !self.close()? {
            let start = self.shape.at();
            self.part(1)?;
            self.end_dimension(start)?;
            self.comma()?;
        }
        Ok(())
    }

    /// Reads an integer or a tuple.
    fn part(&mut self, depth: usize) -> Result<(), Error> {
        if !self.open()? {
            return self.integer();
        }
        if depth == MAX_NESTING {
            let (what, instead) = ("too many parentheses", "write fewer inside one another");
            return Err(self.shape.error_at(self.shape.at() - 1, self.shape.at(), what, instead));
        }
        while !self.close()? {
            self.part(depth + 1)?;
            self.comma()?;
        }
        Ok(())
    }

    /// Whether a tuple begins.
    fn open(&mut self) -> Result<bool, Error> {
        let no_stride = "a tuple of the shape has no tuple of strides";
        self.both("(", no_stride, "a tuple of strides has no tuple in the shape")
    }

    /// Whether a tuple ends.
    fn close(&mut self) -> Result<bool, Error> {
        let no_stride = "the strides have more parts than the shape";
        self.both(")", no_stride, "the strides have fewer parts than the shape")
    }

    /// Whether a parenthesis comes next, in the shape and in the strides.
    fn both(
        &mut self,
        parenthesis: &str,
        no_stride: &'static str,
        no_shape: &'static str,
    ) -> Result<bool, Error> {
        let taken = (self.shape.take(parenthesis), self.stride.take(parenthesis));
        let at = self.stride.at();
        match taken {
            (true, false) => Err(self.stride.error(at, no_stride, SAME_PARTS)),
            (false, true) => Err(self.stride.error_at(at - 1, at, no_shape, SAME_PARTS)),
            (is_next, _) => Ok(is_next),
        }
    }

    /// Reads a comma after a part, unless the tuple ends.
    fn comma(&mut self) -> Result<(), Error> {
        for reader in [&mut self.shape, &mut self.stride] {
            if !reader.take(",") && reader.peek() != Some(')') {
                let (what, instead) = ("expected `,` or `)`", "close the tuple");
                return Err(reader.error(reader.at(), what, instead));
            }
        }
        Ok(())
    }

    fn integer(&mut self) -> Result<(), Error> {
        // The underscore of a static integer.
        self.shape.take("_");
        let start = self.shape.at();
        let size = self.shape.size()?;
        let whole = self.size.checked_mul(size).filter(|size| *size <= MAX_SIZE / self.elements);
        self.size = whole.ok_or_else(|| {
            self.shape.error(start, "the shape has too many elements", "write smaller sizes")
        })?;

        self.stride.take("_");
        let start = self.stride.at();
        if self.stride.take("-") {
            self.stride.take_while(|c| c.is_ascii_digit());
            let what = "the stride is negative, which no layout of XLA has";
            return Err(self.stride.error(start, what, "reverse the dimension in the program"));
        }
        let stride = self.stride.number()?;
        if self.stride.peek() == Some('@') {
            let at = self.stride.at();
            let what = "this stride moves along a coordinate, not in memory";
            return Err(self.stride.error_at(at, at + 1, what, "write a stride in elements"));
        }
        if size > 1 {
            self.push(size, stride);
        }
        Ok(())
    }

    /// Adds an integer to the mode of the dimension, whose last one it may continue.
    fn push(&mut self, shape: Size, stride: Size) {
        let start = self.cute.rank.checked_sub(1).map_or(0, |last| self.cute.ends[last]);
        if self.count > start {
            let last = &mut self.cute.modes[self.count - 1];
            if last.stride.checked_mul(last.shape) == Some(stride) {
                last.shape *= shape;
                return;
            }
        }
        // There is room: each counts to 2 or more, and together they count to at most `MAX_SIZE`.
        self.cute.modes[self.count] = CuteMode { shape, stride };
        self.count += 1;
    }

    /// Ends the mode of a dimension, which is read from `start` on.
    fn end_dimension(&mut self, start: usize) -> Result<(), Error> {
        if self.cute.rank == MAX_DIMS {
            let (what, instead) = ("too many dimensions", "an array has at most 16");
            return Err(self.shape.error(start, what, instead));
        }
        self.cute.end_mode(self.count);
        self.count = self.cute.ends[self.cute.rank - 1];
        self.elements *= self.size;
        self.size = 1;
        Ok(())
    }
}

impl Cute {
    /// The array in this layout, in XLA's notation: with the order of dimensions and the fewest tiles that put each
    /// element at CuTe's offset. Mode `i` is dimension `i`. Its element type and properties stay, except for
    /// `PAD`.
    ///
    /// A CuTe layout is one of a given size. The modes may count more elements than the array has: the others are
    /// padding, which tiles or `PAD` add. `PAD` also takes the slots between the end of a dimension and the next
    /// stride, as in `(4,3):(1,8)`, and tiles those between other strides, as in `(3,5,3):(16,3,1)`. Whether the order and the tiles hold for every size,
    /// [`DigitOrder::of`](crate::digit_order::DigitOrder::of) the result says: it is the order of digits for every size.
    ///
    /// # Errors
    /// - [`Rank`](NotThisLayout::Rank) or [`Size`](NotThisLayout::Size) if the array has another number of dimensions
    ///   than there are modes, or more elements along one; [`UnknownSize`](NotThisLayout::UnknownSize) for `?`.
    /// - [`ElementBits`](NotThisLayout::ElementBits) if the pointer of a tensor is one of other elements.
    /// - [`Broadcast`](NotThisLayout::Broadcast) for a stride of 0, and [`Overlap`](NotThisLayout::Overlap) for strides too
    ///   small.
    /// - [`TooManyTiles`](NotThisLayout::TooManyTiles) if the layout takes more tiles than there may be.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Cute;
    ///
    /// let layout = |cute: &str, array: &str| {
    ///     let layout = cute.parse::<Cute>().unwrap().layout(&array.parse().unwrap());
    ///     layout.map(|layout| layout.to_string()).map_err(|error| error.to_string())
    /// };
    /// assert_eq!(layout("(4,3):(1,8)", "f32[4,3]").unwrap(), "f32[4,3]{0,1:PAD(8,3)}");
    /// assert_eq!(
    ///     layout("(4,2):(1,0)", "f32[4,2]").unwrap_err(),
    ///     "a stride of dimension 1 is 0: elements of a layout do not share a slot",
    /// );
    ///
    /// // Each 15 elements are padded to 16 slots, and each element to two.
    /// assert_eq!(layout("(3,5,3):(16,3,1)", "u8[3,5,3]").unwrap(), "u8[3,5,3]{2,1,0:T(*,16)}");
    /// assert_eq!(layout("((3,2),8):((2,48),6)", "bf16[6,8]").unwrap(), "bf16[6,8]{1,0:T(3,1)(2)}");
    /// ```
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        let bits = array.element_bits();
        if let Some(given) = self.element_bits.filter(|given| *given != bits) {
            return Err(NotThisLayout::ElementBits { given, array: bits });
        }
        let mut digits = StridedDigits::new(self.rank);
        for dim in 0..self.rank {
            for mode in self.mode(dim) {
                digits.push(dim, mode.shape, mode.stride)?;
            }
        }
        if self.start != 0 {
            return Err(NotThisLayout::Start { start: self.start });
        }
        digits.swizzled_layout(array, self.swizzle)
    }
}
