//! The calls of an expression for numpy.

use crate::notation::numpy::{PaddingValue, Same};
use crate::notation::reader::TextReader;
use layout_core::base::width::native;
use layout_core::limits::{MAX_BOUNDS, MAX_SIZE, Size};
use layout_core::{ArrayShape, ElementType, Error, Fill, List};

/// Numbers, at most one for each dimension of an array in memory.
type Bounds = List<MAX_BOUNDS>;

pub(super) const INSTEAD: &str =
    "write calls of `reshape`, `transpose` and `np.pad`, and slices such as `[:3, :5]`";

/// What a call does to an array, whose sizes before and after it [`Calls`] has.
#[derive(Clone, Copy)]
pub(super) enum Call {
    Pad,
    Slice,
    Reshape,
    /// The axis that each axis of the result was.
    Transpose(Bounds),
}

/// An expression, read call by call.
#[derive(Clone, Copy)]
pub(super) struct Calls<'a> {
    pub reader: TextReader<'a>,
    /// Calls of `np.pad` that are open.
    open: usize,
    element: ElementType,
    /// Sizes of the array that the calls so far make.
    pub axes: Bounds,
    /// The value of all padding so far.
    pub fill: Option<Fill>,
    is_padded: bool,
}

impl<'a> Calls<'a> {
    /// Reads the text up to the array `x`, whose sizes are known.
    pub(super) fn new(text: &'a str, array: &ArrayShape) -> Result<Calls<'a>, Error> {
        let (mut reader, mut open) = (TextReader::new(text), 0);
        while reader.take("np.pad") {
            reader.expect("(", "expected `(`", INSTEAD)?;
            open += 1;
        }
        reader.expect("x", "expected the array `x`", INSTEAD)?;
        let mut axes = Bounds::new();
        for dim in array.dims() {
            axes.push(dim.size().unwrap_or(0));
        }
        let element = array.element_type();
        Ok(Calls { reader, open, element, axes, fill: None, is_padded: false })
    }

    /// Reads the next call; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Call>, Error> {
        self.reader.skip_spaces();
        let start = self.reader.at();
        if self.reader.take("[") {
            return self.slices();
        }
        if self.reader.take(".") {
            return match self.reader.word() {
                "reshape" => self.reshape(),
                "transpose" => self.transpose(),
                _ => Err(self.reader.error(start, "this is not read", INSTEAD)),
            };
        }
        if self.open > 0 {
            self.reader.expect(",", "expected `,` and the padding", INSTEAD)?;
            self.open -= 1;
            return self.pad();
        }
        self.reader.end("this follows the expression", INSTEAD)?;
        Ok(None)
    }

    /// Reads numbers in parentheses, or a tuple of them there, and where they start. Below 0 they wrap.
    fn numbers(&mut self) -> Result<(Bounds, usize), Error> {
        let (reader, mut numbers) = (&mut self.reader, Bounds::new());
        reader.skip_spaces();
        let start = reader.at();
        reader.expect("(", "expected `(`", INSTEAD)?;
        let is_tuple = reader.take("(");
        reader.list(")", |reader| {
            let (start, number) = (reader.at(), integer(reader)?);
            push(&mut numbers, number, reader, start)
        })?;
        if is_tuple {
            reader.expect(")", "expected `)`", INSTEAD)?;
        }
        Ok((numbers, start))
    }

    fn reshape(&mut self) -> Result<Option<Call>, Error> {
        let (mut to, start) = self.numbers()?;
        let all = product(&self.axes);
        if let Some(axis) = to.iter().position(|size| *size == Size::MAX) {
            to.set(axis, 1);
            let size = all.zip(product(&to)).and_then(|(all, known)| all.checked_div(known));
            to.set(axis, size.unwrap_or(1));
        }
        if product(&to) != all {
            let what = "the array has another number of elements";
            let instead = "write sizes whose product is the number of elements";
            return Err(self.reader.error(start, what, instead));
        }
        self.axes = to;
        Ok(Some(Call::Reshape))
    }

    fn transpose(&mut self) -> Result<Option<Call>, Error> {
        let (numbers, start) = self.numbers()?;
        let (before, mut order) = (self.axes, Bounds::new());
        let count = before.len() as Size;
        for axis in 0..numbers.len().max(before.len()) {
            let number = numbers.get(axis).copied();
            let number =
                number.unwrap_or(if numbers.is_empty() { count - 1 - axis as Size } else { count });
            order.push(if number > MAX_SIZE { number.wrapping_add(count) } else { number });
        }
        if order.len() != before.len() || !(0..count).all(|axis| order.contains(&axis)) {
            let what = "this is not a permutation of the dimensions";
            return Err(self.reader.error(start, what, "list each dimension once"));
        }
        for (to, &from) in order.iter().enumerate() {
            self.axes.set(to, before[native(from)]);
        }
        Ok(Some(Call::Transpose(order)))
    }

    /// Reads slices, which begin at the first element, after `[`.
    fn slices(&mut self) -> Result<Option<Call>, Error> {
        let (axes, mut axis) = (&mut self.axes, 0);
        let start = self.reader.at() - 1;
        self.reader.list("]", |reader| {
            let start = reader.at();
            reader.take("0");
            reader.expect(":", "a slice begins at the first element", "write `:5`")?;
            if axis == axes.len() {
                return Err(reader.error(start, "the array has fewer dimensions", "leave it out"));
            }
            reader.skip_spaces();
            if !reader.rest().starts_with([',', ']']) {
                let end = integer(reader)?;
                let end = if end > MAX_SIZE { end.wrapping_add(axes[axis]) } else { end };
                axes.set(axis, axes[axis].min(if end > MAX_SIZE { 0 } else { end }));
            }
            axis += 1;
            Ok(())
        })?;
        if axis == 0 {
            return Err(self.reader.error(start, "expected a slice", "write `[:5]`"));
        }
        Ok(Some(Call::Slice))
    }

    /// Reads the arguments of `np.pad` after the array: `((0, 1), (0, 3)))`, `(0, 3))`, and the value.
    fn pad(&mut self) -> Result<Option<Call>, Error> {
        let (reader, mut pads) = (&mut self.reader, Bounds::new());
        reader.expect("(", "expected the padding in parentheses", INSTEAD)?;
        let start = reader.at() - 1;
        reader.skip_spaces();
        if reader.rest().starts_with('(') {
            reader.list(")", |reader| {
                reader.expect("(", "expected the padding of a dimension", INSTEAD)?;
                widths(reader, &mut pads)
            })?;
        } else {
            widths(reader, &mut pads)?;
        }
        // One pair is that of each axis.
        if pads.len() != self.axes.len() && pads.len() != 1 {
            let what = "this does not pad the dimensions of the array";
            return Err(reader.error(start, what, "write `(0, n)` for each dimension"));
        }
        for axis in 0..self.axes.len() {
            let pad = pads[axis.min(pads.len() - 1)];
            self.axes.set(axis, self.axes[axis].saturating_add(pad));
        }
        if product(&self.axes).is_none_or(|all| all > MAX_SIZE) {
            return Err(reader.error(start, TOO_LARGE, "write less padding"));
        }
        let mut fill = None;
        if reader.take(",") {
            reader.expect("constant_values", "expected the value of the padding", INSTEAD)?;
            reader.expect("=", "expected `=`", INSTEAD)?;
            fill = value(reader, self.element)?;
        }
        if self.is_padded && fill != self.fill {
            let what = "this padding has another value than that before it";
            return Err(reader.error(start, what, "write the same value"));
        }
        (self.fill, self.is_padded) = (fill, true);
        reader.expect(")", "expected `)`", INSTEAD)?;
        Ok(Some(Call::Pad))
    }
}

pub(super) const TOO_LARGE: &str = "the memory is too large";

/// Reads `0, 3)`.
fn widths(reader: &mut TextReader<'_>, pads: &mut Bounds) -> Result<(), Error> {
    reader.expect("0", "padding stands after the elements only", "write 0 before them")?;
    reader.expect(",", "expected `,` and the slots after the elements", INSTEAD)?;
    reader.skip_spaces();
    let (start, number) = (reader.at(), reader.number()?);
    push(pads, number, reader, start)?;
    reader.expect(")", "expected `)`", INSTEAD)
}

fn push(
    list: &mut Bounds,
    number: Size,
    reader: &TextReader<'_>,
    start: usize,
) -> Result<(), Error> {
    if list.len() == MAX_BOUNDS {
        return Err(reader.error(start, "too many dimensions", "write at most 64"));
    }
    list.push(number);
    Ok(())
}

fn product(sizes: &[Size]) -> Option<Size> {
    sizes.iter().copied().try_fold(1, Size::checked_mul)
}

/// Reads a number; one below 0 wraps.
fn integer(reader: &mut TextReader<'_>) -> Result<Size, Error> {
    let is_negative = reader.take("-");
    let number = reader.number()?;
    Ok(if is_negative { number.wrapping_neg() } else { number })
}

/// Reads the value of padding, which is 0 or one that `FILL` names.
fn value(reader: &mut TextReader<'_>, element: ElementType) -> Result<Option<Fill>, Error> {
    reader.skip_spaces();
    let (start, mut depth) = (reader.at(), 0);
    while let Some(c) = reader.peek().filter(|c| depth > 0 || !",)".contains(*c)) {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        reader.bump();
    }
    let text = reader.since(start);
    let mut fills = [None, Some(Fill::One), Some(Fill::Lowest), Some(Fill::Highest)].into_iter();
    match fills.find(|fill| Same::is(text, PaddingValue(*fill, element))) {
        Some(fill) => Ok(fill),
        None => {
            let what = "the padding of a layout is 0, 1, or the lowest or the highest value";
            Err(reader.error(start, what, "write it as `Numpy` does"))
        }
    }
}
