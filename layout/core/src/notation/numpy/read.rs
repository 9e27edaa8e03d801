//! Reading the expressions for numpy that this library prints.

use core::fmt::{self, Write as _};

use crate::analysis::pad_reshape_transpose::Bounds;
use crate::base::width::native;
use crate::fault::error::Error;
use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_SIZE, Size};
use crate::notation::laid_out;
use crate::notation::numpy::widths;
use crate::notation::reader::Reader;
use crate::shape::array::ArrayShape;
use crate::shape::fill::Fill;
use crate::shape::tiles::{TileDim, Tiles};

const INSTEAD: &str = "`ArrayShape::numpy` prints the expressions that are read";

impl ArrayShape {
    /// The array in the layout that an expression for numpy makes. Its element type and properties stay, except for
    /// `PAD`, `FILL` and `L`.
    ///
    /// An expression has the sizes of one array, and is read as [`numpy`](Self::numpy) prints it, spaces aside: the
    /// result prints the same expression. So it has the same memory, though another text may be shorter: `f32[4]{0:T(2)}`
    /// has the expression of `f32[4]{0:T(2)L(2)}` too.
    ///
    /// # Errors
    /// If the text is not an expression that the library prints for a layout of this array: the error marks where it
    /// ceases to be. An expression does not say the size of a dimension, so `?` is an error too.
    ///
    /// # Examples
    /// ```
    /// let array: layout::ArrayShape = "f32[3,5]".parse()?;
    /// let text = "np.pad(x, ((0, 1), (0, 1))).reshape(2, 2, 3, 2).transpose(0, 2, 1, 3).reshape(-1)";
    /// assert_eq!(array.with_numpy(text)?.to_string(), "f32[3,5]{1,0:T(2,2)}");
    ///
    /// let error = array.with_numpy("x.transpose(1, 1).reshape(-1)").unwrap_err();
    /// assert_eq!(error.to_string(), "\
    /// this is not a permutation of the dimensions
    ///   | x.transpose(1, 1).reshape(-1)
    ///   |            ^^^^^^
    ///   = help: list each dimension once");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_numpy(&self, text: &str) -> Result<ArrayShape, Error> {
        let reader = Reader::new(text);
        if self.unknown_size().is_some() {
            let what = "the expression is for known sizes, but one of the array is `?`";
            return Err(reader.error_at(0, text.len(), what, "write the sizes of the array"));
        }
        // What pads first is the first tile or `PAD`.
        let mut furthest = 0;
        let mut faulty = None;
        for is_widened in [false, true] {
            match self.numpy_candidate(reader, is_widened) {
                Ok(shape) => {
                    let fills = [Fill::One, Fill::Lowest, Fill::Highest];
                    for fill in core::iter::once(None).chain(fills.map(Some)) {
                        if let Some(shape) = filled(&shape, fill) {
                            let mut same = Same { text, at: 0 };
                            let Ok(numpy) = shape.numpy() else { continue };
                            if write!(same, "{numpy}").is_ok() && same.rest().is_empty() {
                                return Ok(shape);
                            }
                            furthest = furthest.max(same.at);
                        }
                    }
                }
                Err(error) if !is_widened => faulty = Some(error),
                Err(_) => {}
            }
        }
        match faulty {
            Some(error) if furthest == 0 => Err(error),
            _ => {
                let what = "the library prints another expression from here on";
                Err(reader.moved_to(furthest).error(furthest, what, INSTEAD))
            }
        }
    }

    /// A layout that may have this expression, without `FILL`; with `PAD` or not.
    fn numpy_candidate(&self, reader: Reader<'_>, is_widened: bool) -> Result<ArrayShape, Error> {
        let mut reader = reader;
        while reader.take("np.pad(") {}
        reader.expect("x", "expected the array `x`", INSTEAD)?;
        let rank = self.rank();
        let start = reader.at();
        let mut plain = *self;
        (plain.has_padding, plain.padded_dims, plain.fill) = (false, [0; MAX_DIMS], None);
        plain.tail_alignment = 1;
        let mut wide = plain;
        if is_widened {
            let pads = reader.pad()?;
            let fits = |dim: usize| plain.width(dim).checked_add(pads[dim]);
            for dim in 0..rank {
                let width = if pads.len() == rank { fits(dim) } else { None };
                wide.padded_dims[dim] =
                    width.filter(|width| *width <= MAX_SIZE).ok_or_else(|| {
                        reader.error(
                            start,
                            "this does not pad the dimensions of the array",
                            INSTEAD,
                        )
                    })?;
            }
            wide.has_padding = true;
        }
        let mut minor_to_major = [0; MAX_DIMS];
        for (at, dim) in minor_to_major[..rank].iter_mut().zip((0..rank).rev()) {
            *at = dim;
        }
        let start = reader.at();
        if let Some(order) = reader.call(".transpose")? {
            if order.len() != rank
                || (0..rank).any(|dim| !order.iter().any(|&from| native(from) == dim))
            {
                return Err(reader.error_at(
                    start + ".transpose".len(),
                    reader.at(),
                    "this is not a permutation of the dimensions",
                    "list each dimension once",
                ));
            }
            for (at, dim) in minor_to_major[..rank].iter_mut().zip(order.iter().rev()) {
                *at = native(*dim);
            }
        }
        wide.tiles = Tiles::NONE;
        (wide.minor_to_major, plain.minor_to_major) = (minor_to_major, minor_to_major);
        let mut tiling = Tiling { bounds: Bounds::new(), tiles: Tiles::NONE };
        for &width in &*widths(&wide) {
            tiling.bounds.push(width);
        }
        while !reader.take(".reshape(-1)") {
            let start = reader;
            // What is reshaped before it is padded is combined, or else a tile without padding.
            let is_tile = match tiling.tile(&mut reader, true)? {
                Some(()) => true,
                None => {
                    reader = start;
                    tiling.tile(&mut reader, false)?.is_some()
                }
            };
            if !is_tile {
                let what = "this does not tile the array";
                return Err(reader.error(start.at(), what, INSTEAD));
            }
        }
        let physical =
            tiling.bounds.iter().try_fold(1 as Size, |size, bound| size.checked_mul(*bound));
        let start = reader.at();
        let too_large = reader.error(start, "the memory is too large", INSTEAD);
        if reader.take(",") {
            reader = reader.moved_to(start);
            let pads = reader.pad()?;
            let tail = match *pads {
                [tail] => physical.and_then(|physical| physical.checked_add(tail)),
                _ => None,
            };
            wide.tail_alignment = tail.filter(|tail| *tail <= MAX_SIZE).ok_or(too_large)?;
        }
        reader.end("this follows the expression", INSTEAD)?;
        let place = |_| reader.error_at(0, reader.at(), "the memory is too large", INSTEAD);
        let ordered = laid_out(&plain, &minor_to_major[..rank], &tiling.tiles).map_err(place)?;
        (wide.tiles, wide.splits) = (tiling.tiles, ordered.splits);
        wide.checked().map_err(|_| too_large)
    }
}

/// The shape with that value of the padding.
fn filled(shape: &ArrayShape, fill: Option<Fill>) -> Option<ArrayShape> {
    let mut shape = *shape;
    shape.fill = fill;
    if fill.is_some() && !shape.has_padding {
        shape.has_padding = true;
        for dim in 0..shape.rank() {
            shape.padded_dims[dim] = shape.dims[dim].size()?;
        }
    }
    shape.checked().ok()
}

/// Tiles as they are read.
struct Tiling {
    /// Of the array in memory, most major first.
    bounds: Bounds,
    tiles: Tiles,
}

impl Tiling {
    /// Reads what the next tile does. `None` if no tile does this.
    fn tile(&mut self, reader: &mut Reader<'_>, may_combine: bool) -> Result<Option<()>, Error> {
        let mut combined = None;
        let mut reshaped = None;
        if let Some(dims) = reader.call(".reshape")? {
            match may_combine && dims != self.bounds && reader.is_pad() {
                true => combined = Some(dims),
                false => reshaped = Some(dims),
            }
        }
        let mut padded = None;
        if reshaped.is_none() {
            let combined = *combined.get_or_insert(self.bounds);
            let pads = reader.pad()?;
            if pads.len() != combined.len() {
                return Ok(None);
            }
            let mut sums = Bounds::new();
            for (bound, pad) in combined.iter().zip(&*pads) {
                let Some(sum) = bound.checked_add(*pad) else { return Ok(None) };
                sums.push(sum);
            }
            padded = Some(sums);
            reshaped = reader.call(".reshape")?;
        }
        let Some(reshaped) = reshaped else { return Ok(None) };
        let permutation = reader.call(".transpose")?;
        let covered = match &permutation {
            // The dimensions before those that the tile covers stay where they are.
            Some(permutation) => {
                let moved =
                    permutation.iter().enumerate().position(|(at, from)| at != native(*from));
                let before = moved.unwrap_or(permutation.len()).saturating_sub(1);
                (permutation.len() - before) / 2
            }
            None => 1,
        };
        let Some(before) = reshaped.len().checked_sub(2 * covered) else { return Ok(None) };
        if before + 2 * covered != reshaped.len() || covered == 0 {
            return Ok(None);
        }
        let mut made = Bounds::new();
        let mut result = Bounds::new();
        for &bound in &reshaped[..before] {
            made.push(bound);
            result.push(bound);
        }
        let pairs = reshaped[before..].chunks_exact(2);
        for pair in pairs.clone() {
            let Some(product) = pair[0].checked_mul(pair[1]) else { return Ok(None) };
            made.push(product);
            result.push(pair[0]);
        }
        if padded.is_some_and(|padded| padded != made) {
            return Ok(None);
        }
        let entries = self.entries(&combined.unwrap_or(made), &reshaped, covered);
        let Some((entries, len)) = entries else { return Ok(None) };
        if !self.tiles.begin() || !entries[..len].iter().rev().all(|dim| self.tiles.push(*dim)) {
            return Ok(None);
        }
        for pair in pairs {
            result.push(pair[1]);
        }
        self.bounds = result;
        Ok(Some(()))
    }

    /// The entries of the tile that makes of the bounds the combined ones, most minor first.
    fn entries(
        &self,
        combined: &Bounds,
        reshaped: &Bounds,
        covered: usize,
    ) -> Option<([TileDim; MAX_BOUNDS], usize)> {
        let before = combined.len().checked_sub(covered)?;
        let mut entries = [TileDim::Combined; MAX_BOUNDS];
        let mut len = 0;
        let mut left = self.bounds.len();
        for at in (before..combined.len()).rev() {
            *entries.get_mut(len)? = TileDim::Size(reshaped[2 * at - before + 1]);
            len += 1;
            // Without bounds it covers one of size 1 that is put before them.
            let mut product: Size = 1;
            if left > 0 {
                left -= 1;
                product = self.bounds[left];
            }
            while product < combined[at] && left > 0 {
                left -= 1;
                product = product.checked_mul(self.bounds[left])?;
                // The `*` is there already.
                len += 1;
            }
            if product != combined[at] {
                return None;
            }
        }
        while left > before {
            left -= 1;
            len += 1;
            if self.bounds[left] != 1 {
                return None;
            }
        }
        (left == before && len <= entries.len()).then_some((entries, len))
    }
}

impl Reader<'_> {
    /// Whether the arguments of `np.pad` follow.
    fn is_pad(&self) -> bool {
        let mut reader = *self;
        reader.take(",")
    }

    /// Reads a method with its numbers, if it comes next and its argument is not −1.
    fn call(&mut self, name: &str) -> Result<Option<Bounds>, Error> {
        let mut reader = *self;
        if !reader.take(name) || !reader.take("(") || reader.take("-") {
            return Ok(None);
        }
        let mut bounds = Bounds::new();
        while !reader.take(")") {
            if !bounds.is_empty() {
                reader.expect(",", "expected `,` or `)`", INSTEAD)?;
            }
            reader.bound(&mut bounds)?;
        }
        *self = reader;
        Ok(Some(bounds))
    }

    /// Reads the arguments of `np.pad` after the array: `, ((0, 1), (0, 3)))` or `, (0, 3))`, and a value of the
    /// padding.
    fn pad(&mut self) -> Result<Bounds, Error> {
        let mut bounds = Bounds::new();
        self.expect(",", "expected `,` and the padding", INSTEAD)?;
        self.expect("(", "expected the padding in parentheses", INSTEAD)?;
        if self.take("(") {
            loop {
                self.width(&mut bounds)?;
                let has_comma = self.take(",");
                if self.take(")") {
                    break;
                }
                if !has_comma {
                    return Err(self.error(self.at(), "expected `,` or `)`", INSTEAD));
                }
                self.expect("(", "expected the padding of a dimension", INSTEAD)?;
            }
        } else {
            self.width(&mut bounds)?;
        }
        if self.take(",") {
            self.expect("constant_values", "expected the value of the padding", INSTEAD)?;
            let mut depth = 0usize;
            self.expect("=", "expected `=`", INSTEAD)?;
            while let Some(c) = self.peek().filter(|c| *c != ')' || depth > 0) {
                match c {
                    '(' => depth += 1,
                    ')' => depth -= 1,
                    _ => {}
                }
                self.bump();
            }
        }
        self.expect(")", "expected `)`", INSTEAD)?;
        Ok(bounds)
    }

    /// Reads `0, 3)`.
    fn width(&mut self, bounds: &mut Bounds) -> Result<(), Error> {
        self.expect("0", "padding stands after the elements only", "write 0 before them")?;
        self.expect(",", "expected `,` and the slots after the elements", INSTEAD)?;
        self.bound(bounds)?;
        self.expect(")", "expected `)`", INSTEAD)
    }

    fn bound(&mut self, bounds: &mut Bounds) -> Result<(), Error> {
        self.skip_spaces();
        let start = self.at();
        let number = self.number()?;
        if bounds.len() == MAX_BOUNDS {
            return Err(self.error(start, "too many dimensions", INSTEAD));
        }
        bounds.push(number);
        Ok(())
    }
}

/// Compares what is written with a text, spaces aside.
struct Same<'a> {
    text: &'a str,
    /// Up to where they are the same.
    at: usize,
}

impl<'a> Same<'a> {
    fn rest(&self) -> &'a str {
        self.text[self.at..].trim_start()
    }
}

impl fmt::Write for Same<'_> {
    fn write_str(&mut self, written: &str) -> fmt::Result {
        for c in written.chars().filter(|c| !c.is_whitespace()) {
            self.at = self.text.len() - self.rest().len();
            if !self.rest().starts_with(c) {
                return Err(fmt::Error);
            }
            self.at += c.len_utf8();
        }
        Ok(())
    }
}
