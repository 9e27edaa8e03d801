//! Reading patterns of axes.

use core::str::FromStr;

use crate::digit_order::MAX_DIGITS;
use crate::notation::einops::{Axis, Einops, MAX_NAME};
use crate::notation::reader::TextReader;
use layout_core::Error;
use layout_core::base::text::Text;
use layout_core::limits::{MAX_DIMS, MAX_SIZE, Size};

const PATTERN: &str = "write a pattern such as `(h 8) (w 128) -> h w 8 128`";
const SAME_AXES: &str = "write the same axes on both sides of the arrow";

impl FromStr for Einops {
    type Err = Error;

    fn from_str(text: &str) -> Result<Einops, Error> {
        let mut reader = TextReader::new(text);
        let mut pattern = Pattern { einops: Einops::EMPTY, places: [(0, 0); MAX_DIGITS], count: 0 };
        pattern.dims(&mut reader)?;
        pattern.memory(&mut reader)?;
        pattern.sizes(&mut reader)?;
        reader.end("this follows the pattern", "leave it out, or write a comma before it")?;
        pattern.check(&reader)?;
        Ok(pattern.einops)
    }
}

/// A pattern, and where its axes stand before the arrow.
struct Pattern {
    einops: Einops,
    places: [(usize, usize); MAX_DIGITS],
    /// Axes that were read after it.
    count: usize,
}

impl Pattern {
    /// Reads the dimensions, up to the arrow.
    fn dims(&mut self, reader: &mut TextReader<'_>) -> Result<(), Error> {
        while !reader.take("->") {
            reader.skip_spaces();
            let start = reader.at();
            if self.einops.rank == MAX_DIMS {
                return Err(reader.error(start, "too many dimensions", "an array has at most 16"));
            }
            if is_end(reader) {
                return Err(reader.error(start, "the arrow is missing", PATTERN));
            }
            self.group(reader, Pattern::axis)?;
            self.einops.rank += 1;
        }
        Ok(())
    }

    /// Reads an axis, or several in parentheses.
    fn group(
        &mut self,
        reader: &mut TextReader<'_>,
        axis: fn(&mut Pattern, &mut TextReader<'_>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        if !reader.take("(") {
            return axis(self, reader);
        }
        let open = reader.at() - 1;
        while !reader.take(")") {
            if is_end(reader) || reader.rest().starts_with("->") {
                let what = "there is no `)` for this";
                return Err(reader.error_at(open, open + 1, what, "close it"));
            }
            axis(self, reader)?;
        }
        Ok(())
    }

    /// Reads an axis of the next dimension.
    fn axis(&mut self, reader: &mut TextReader<'_>) -> Result<(), Error> {
        let (axis, start) = read(reader, self.einops.rank)?;
        if axis.name.is_empty() && axis.size == Some(1) {
            return Ok(());
        }
        if self.named(&axis).is_some() {
            return Err(reader.error(
                start,
                "the axis stands twice before the arrow",
                "name it otherwise",
            ));
        }
        let Einops { axes, len, .. } = &mut self.einops;
        let Some(place) = axes.get_mut(*len) else {
            let instead = "write fewer: a layout has no room for more";
            return Err(reader.error(start, "too many axes", instead));
        };
        *place = axis;
        self.places[*len] = (start, reader.at());
        *len += 1;
        Ok(())
    }

    /// The axis of this name.
    fn named(&self, axis: &Axis) -> Option<usize> {
        let is_named = |other: &Axis| other.name.as_str() == axis.name.as_str();
        self.einops.axes().iter().position(is_named).filter(|_| !axis.name.is_empty())
    }

    /// Reads the axes after the arrow.
    fn memory(&mut self, reader: &mut TextReader<'_>) -> Result<(), Error> {
        reader.skip_spaces();
        while !is_end(reader) {
            self.group(reader, Pattern::axis_in_memory)?;
            reader.skip_spaces();
        }
        match (0..self.einops.len).find(|number| self.is_free(*number)) {
            Some(missing) => {
                let (start, end) = self.places[missing];
                let what = "the axis does not stand after the arrow";
                Err(reader.error_at(start, end, what, SAME_AXES))
            }
            None => Ok(()),
        }
    }

    /// Reads an axis after the arrow.
    fn axis_in_memory(&mut self, reader: &mut TextReader<'_>) -> Result<(), Error> {
        let (axis, start) = read(reader, 0)?;
        if axis.name.is_empty() && axis.size == Some(1) {
            return Ok(());
        }
        let number = match axis.name.is_empty() {
            false => self.named(&axis),
            true => {
                let is_same = |other: &Axis| other.name.is_empty() && other.size == axis.size;
                let mut same = self.einops.axes().iter().enumerate();
                same.find(|(at, other)| is_same(other) && self.is_free(*at)).map(|(at, _)| at)
            }
        };
        let error = |what| reader.error(start, what, SAME_AXES);
        let number = number.ok_or_else(|| error("no axis before the arrow is this one"))?;
        if !self.is_free(number) {
            return Err(error("the axis stands twice after the arrow"));
        }
        if axis.size.is_some() {
            self.set_size(number, &axis, reader, start)?;
        }
        self.einops.memory[self.count] = number as u8;
        self.count += 1;
        Ok(())
    }

    /// Whether an axis has not been read after the arrow.
    fn is_free(&self, number: usize) -> bool {
        !self.einops.memory[..self.count].iter().any(|&used| usize::from(used) == number)
    }

    /// Reads sizes of axes after the pattern: `, h1=8, w1=128`.
    fn sizes(&mut self, reader: &mut TextReader<'_>) -> Result<(), Error> {
        while reader.take(",") {
            let (axis, start) = read(reader, 0)?;
            if axis.name.is_empty() || axis.size.is_none() {
                return Err(reader.error(start, "expected an axis and its size", "write `h1=8`"));
            }
            let Some(number) = self.named(&axis) else {
                return Err(reader.error(start, "no axis of the pattern has this name", PATTERN));
            };
            self.set_size(number, &axis, reader, start)?;
        }
        Ok(())
    }

    fn set_size(
        &mut self,
        number: usize,
        axis: &Axis,
        reader: &TextReader<'_>,
        start: usize,
    ) -> Result<(), Error> {
        let size = &mut self.einops.axes[number].size;
        if size.is_some() && *size != axis.size {
            return Err(reader.error(
                start,
                "the axis has another size elsewhere",
                "write one size",
            ));
        }
        *size = axis.size;
        Ok(())
    }

    /// The axes of a dimension have a size together, and all but one have one each.
    fn check(&self, reader: &TextReader<'_>) -> Result<(), Error> {
        let mut sizes = [1 as Size; MAX_DIMS];
        let mut has_rest = [false; MAX_DIMS];
        for (axis, &(start, end)) in self.einops.axes().iter().zip(&self.places) {
            match axis.size {
                Some(size) => {
                    let whole = sizes[axis.dim].checked_mul(size).filter(|size| *size <= MAX_SIZE);
                    sizes[axis.dim] = whole.ok_or_else(|| {
                        let what = "the axes of the dimension are too large";
                        reader.error_at(start, end, what, "write smaller sizes")
                    })?;
                }
                None if has_rest[axis.dim] => {
                    let what = "two axes of the dimension have no size";
                    let instead = "write the size of all but one, as in `h1=8`";
                    return Err(reader.error_at(start, end, what, instead));
                }
                None => has_rest[axis.dim] = true,
            }
        }
        Ok(())
    }
}

/// Whether the pattern ends here, but for sizes of axes.
fn is_end(reader: &TextReader<'_>) -> bool {
    reader.is_end() || reader.rest().starts_with(',')
}

/// Reads an axis: a name, a name and a size, or a size. Returns it and where it starts.
fn read(reader: &mut TextReader<'_>, dim: usize) -> Result<(Axis, usize), Error> {
    reader.skip_spaces();
    let start = reader.at();
    let mut axis = Axis { dim, ..Axis::NONE };
    if reader.peek().is_some_and(|c| c.is_ascii_digit()) {
        axis.size = Some(reader.size()?);
        return Ok((axis, start));
    }
    if reader.take("...") {
        let instead = "write an axis for each dimension";
        return Err(reader.error(start, "`...` stands for any number of dimensions", instead));
    }
    let name = reader.word();
    if name.is_empty() {
        return Err(reader.error(start, "expected an axis", PATTERN));
    }
    if name.len() > MAX_NAME {
        return Err(reader.error(start, "the name is too long", "write at most 16 letters"));
    }
    axis.name = Text::new();
    axis.name.str(name);
    let after = *reader;
    if reader.take("=") {
        axis.size = Some(reader.size()?);
    } else {
        *reader = after;
    }
    Ok((axis, start))
}
