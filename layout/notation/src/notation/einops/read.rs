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
        let mut pattern = Pattern { einops: Einops::EMPTY, places: [(0, 0); MAX_DIGITS] };
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
            if reader.is_end() || reader.rest().starts_with(',') {
                return Err(reader.error(start, "the arrow is missing", PATTERN));
            }
            if reader.take("(") {
                while !reader.take(")") {
                    if reader.is_end() || reader.rest().starts_with("->") {
                        let what = "there is no `)` for this";
                        return Err(reader.error_at(start, start + 1, what, "close it"));
                    }
                    self.axis(reader)?;
                }
            } else {
                self.axis(reader)?;
            }
            self.einops.rank += 1;
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
        let mut count = 0;
        let mut open = None;
        loop {
            if reader.take("(") {
                if open.is_some() {
                    let at = reader.at();
                    let what = "parentheses inside one another";
                    return Err(reader.error_at(at - 1, at, what, "write the axes without them"));
                }
                open = Some(reader.at() - 1);
                continue;
            }
            if reader.take(")") {
                if open.take().is_none() {
                    let at = reader.at();
                    let what = "there is no `(` for this";
                    return Err(reader.error_at(at - 1, at, what, "leave it out"));
                }
                continue;
            }
            if reader.is_end() || reader.rest().starts_with(',') {
                break;
            }
            let (axis, start) = read(reader, 0)?;
            if axis.name.is_empty() && axis.size == Some(1) {
                continue;
            }
            let used = &self.einops.memory[..count];
            let is_free = |number: &usize| !used.iter().any(|&used| usize::from(used) == *number);
            let number = match axis.name.is_empty() {
                false => self.named(&axis),
                true => {
                    let axes = &self.einops.axes;
                    let is_same = |number: &usize| {
                        axes[*number].name.is_empty() && axes[*number].size == axis.size
                    };
                    (0..self.einops.len).filter(is_same).find(is_free)
                }
            };
            let Some(number) = number else {
                return Err(reader.error(start, "no axis before the arrow is this one", SAME_AXES));
            };
            if !is_free(&number) {
                return Err(reader.error(
                    start,
                    "the axis stands twice after the arrow",
                    SAME_AXES,
                ));
            }
            if axis.size.is_some() {
                self.set_size(number, &axis, reader, start)?;
            }
            self.einops.memory[count] = number as u8;
            count += 1;
        }
        if let Some(open) = open {
            return Err(reader.error_at(open, open + 1, "there is no `)` for this", "close it"));
        }
        for number in 0..self.einops.len {
            if !self.einops.memory[..count].iter().any(|&used| usize::from(used) == number) {
                let (start, end) = self.places[number];
                let what = "the axis does not stand after the arrow";
                return Err(reader.error_at(start, end, what, SAME_AXES));
            }
        }
        Ok(())
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
