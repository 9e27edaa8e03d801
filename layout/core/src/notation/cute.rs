//! CuTe's `shape:stride`.

mod read;

use core::fmt;

use crate::analysis::digit::Digit;
use crate::analysis::digits::Digits;
use crate::base::text::part;
use crate::limits::{MAX_DIMS, Size};
use crate::notation::error::NotationError;
use crate::notation::separated;
use crate::shape::array::ArrayShape;

/// One integer of a CuTe shape, with its stride.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CuteMode {
    /// Number of values of this part of the coordinate.
    pub shape: Size,
    /// Elements in memory from one value to the next.
    pub stride: Size,
}

/// Modes of all dimensions together: those that count to 2 or more are less than 63, since their
/// product is below 2⁶³, and each dimension can have one that counts to 1.
const MAX_MODES: usize = 64 + MAX_DIMS;

/// A layout as CuTe writes it: `((2,2),(2,3)):((1,4),(2,8))`.
///
/// There is one mode for each dimension, dimension 0 first, in parentheses even if there is only one. A
/// coordinate of the array is the coordinate of its mode. CuTe splits the coordinate of a nested mode
/// colexicographically: the first integer varies fastest. Each mode is coalesced: no two neighbouring
/// integers could be merged.
///
/// CuTe has neither an order of dimensions nor padding, only strides. Integers are printed like CuTe's
/// dynamic ones, without the underscore of static integers.
///
/// Text is read with or without spaces, with static integers (`_4`) and with modes nested at any depth. An
/// integer instead of a tuple, as in `4:1`, is one dimension. Swizzles, negative strides and strides along
/// coordinates (`1@0`) are errors. A text has the sizes of one array: [`layout`](Cute::layout) gives its layout in
/// XLA's notation.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::notation::Cute;
///
/// let cute: Cute = "((2, 2), (2, 3)) : ((_2, _12), (_1, _4))".parse()?;
/// assert_eq!(cute.to_string(), "((2,2),(2,3)):((2,12),(1,4))");
/// assert_eq!(cute.layout(&"f32[4,6]".parse()?)?.to_string(), "f32[4,6]{1,0:T(2,2)}");
/// // Of an array that is smaller, the rest is padding.
/// assert_eq!(cute.layout(&"f32[3,5]".parse()?)?.to_string(), "f32[3,5]{1,0:T(2,2)}");
///
/// let error = "(4,2):(1)".parse::<Cute>().unwrap_err();
/// assert_eq!(error.to_string(), "\
/// the strides have fewer parts than the shape
///   | (4,2):(1)
///   |         ^
///   = help: write a stride for each size, in the same parentheses");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy)]
pub struct Cute {
    modes: [CuteMode; MAX_MODES],
    ends: [usize; MAX_DIMS],
    rank: usize,
}

impl Cute {
    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// The mode of a dimension, with the integer that varies fastest first; it has at least one.
    ///
    /// # Panics
    /// If `dim` is out of range.
    ///
    /// # Examples
    /// ```
    /// use layout::notation::CuteMode;
    ///
    /// let shape: layout::ArrayShape = "f32[4,6]{1,0:T(2,2)}".parse()?;
    /// let cute = shape.cute().unwrap();
    /// // ((2,2),(2,3)):((2,12),(1,4))
    /// let modes = [CuteMode { shape: 2, stride: 1 }, CuteMode { shape: 3, stride: 4 }];
    /// assert_eq!(cute.mode(1), modes);
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn mode(&self, dim: usize) -> &[CuteMode] {
        assert!(dim < self.rank, "the dimension is out of range");
        let start = if dim == 0 { 0 } else { self.ends[dim - 1] };
        part(&self.modes, start, self.ends[dim])
    }
}

impl ArrayShape {
    /// The layout in CuTe's notation, for `cute::make_layout` and for tools that draw CuTe layouts. It maps
    /// the coordinates of each element to its [`offset`](crate::Digits::offset), and its size is the number of
    /// elements.
    ///
    /// Defined in CUTLASS's document "CuTe Layouts".
    ///
    /// # Errors
    /// If no CuTe layout does that:
    /// - [`Ragged`](NotationError::Ragged) if tiles extend past the array, unless the offsets are evenly spaced;
    ///   [`cute_padded`](ArrayShape::cute_padded) allows this.
    /// - [`Indivisible`](NotationError::Indivisible) if a tile does not divide the tile that it covers.
    /// - [`CrossesDimensions`](NotationError::CrossesDimensions) if `*` combines dimensions and a tile crosses the
    ///   border between them, even if small sizes leave the offsets evenly spaced.
    /// - [`UnknownSize`](NotationError::UnknownSize) for `?`, and [`Empty`](NotationError::Empty) for an array
    ///   without elements.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "f32[4,6]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.cute()?.to_string(), "((2,2),(2,3)):((2,12),(1,4))");
    /// let ragged: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(
    ///     ragged.cute().unwrap_err().to_string(),
    ///     "tiles extend past the array: the size 3 of dimension 0 is not a multiple of 2",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn cute(&self) -> Result<Cute, NotationError> {
        self.cute_rounded(false)
    }

    /// The layout in CuTe's notation with dimensions rounded up to whole tiles: coordinates of elements map
    /// to their offsets, coordinates past the array to padding. Kernels have to compare coordinates with the
    /// array's dimensions, as for any ragged edge in CuTe.
    ///
    /// # Errors
    /// Those of [`cute`](ArrayShape::cute), except for [`Ragged`](NotationError::Ragged).
    ///
    /// # Examples
    /// ```
    /// let ragged: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(ragged.cute_padded().unwrap().to_string(), "((2,2),(2,3)):((2,12),(1,4))");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn cute_padded(&self) -> Result<Cute, NotationError> {
        self.cute_rounded(true)
    }

    const fn cute_rounded(&self, up: bool) -> Result<Cute, NotationError> {
        if let Some(error) = self.unknown_size() {
            return Err(NotationError::UnknownSize(error));
        }
        let digits = Digits::with_unknowns(self);
        if digits.elements() == 0 {
            return Err(NotationError::Empty);
        }
        let mut parts = Parts { list: [Part::ZERO; MAX_MODES], count: 0 };
        each!(for i in 0..digits.count {
            let term = &digits.terms[i];
            if let Err(error) = parts.split(&digits, term.digit, term.stride.factor) {
                return Err(error);
            }
        });
        let none = CuteMode { shape: 1, stride: 0 };
        let mut cute = Cute { modes: [none; MAX_MODES], ends: [0; MAX_DIMS], rank: self.rank() };
        let mut count = 0;
        let mut dim = 0;
        while dim < cute.rank {
            match parts.mode(dim, digits.dim(dim), up, &mut cute.modes, count) {
                Ok(end) => count = end,
                Err(error) => return Err(error),
            }
            cute.ends[dim] = count;
            dim += 1;
        }
        if parts.count == 0 { Ok(cute) } else { Err(NotationError::CrossesDimensions) }
    }
}

/// `coordinate / div % modulus · stride`, without the modulus where it is 0.
#[derive(Clone, Copy)]
struct Part {
    dim: usize,
    div: Size,
    modulus: Size,
    stride: Size,
}

impl Part {
    const ZERO: Part = Part { dim: 0, div: 1, modulus: 0, stride: 0 };
}

/// The offset as a sum of digits of coordinates alone.
struct Parts {
    list: [Part; MAX_MODES],
    count: usize,
}

impl Parts {
    /// Adds a digit. One of a sum falls into digits of what the sum adds up, where it cuts the sum at
    /// the border between the two.
    const fn split(
        &mut self,
        digits: &Digits,
        digit: Digit,
        stride: Size,
    ) -> Result<(), NotationError> {
        if digit.is_zero() {
            return Ok(());
        }
        let Digit { source, div, modulus, .. } = digit;
        if (source as usize) < MAX_DIMS {
            // There is room: each digit counts to 2 or more.
            self.list[self.count] = Part { dim: source as usize, div, modulus, stride };
            self.count += 1;
            return Ok(());
        }
        let sum = &digits.sums[source as usize - MAX_DIMS];
        let border = sum.factor.factor;
        if sum.major.is_zero() {
            return self.split_digit(digits, sum.minor, div, modulus, stride);
        }
        if div.is_multiple_of(border) {
            return self.split_digit(digits, sum.major, div / border, modulus, stride);
        }
        if !border.is_multiple_of(div) {
            return Err(NotationError::CrossesDimensions);
        }
        let below = border / div;
        if modulus != 0 && modulus <= below {
            if !below.is_multiple_of(modulus) {
                return Err(NotationError::CrossesDimensions);
            }
            return self.split_digit(digits, sum.minor, div, modulus, stride);
        }
        if !modulus.is_multiple_of(below) {
            return Err(NotationError::CrossesDimensions);
        }
        if let Err(error) = self.split_digit(digits, sum.minor, div, 0, stride) {
            return Err(error);
        }
        self.split_digit(digits, sum.major, 1, modulus / below, stride * below)
    }

    /// Adds `digit / div % modulus`.
    const fn split_digit(
        &mut self,
        digits: &Digits,
        digit: Digit,
        div: Size,
        modulus: Size,
        stride: Size,
    ) -> Result<(), NotationError> {
        let limit = digit.limit.div_ceil(div);
        if limit <= 1 {
            return Ok(());
        }
        let mut both = Digit { div: digit.div * div, modulus, ..digit };
        if digit.modulus != 0 {
            if !digit.modulus.is_multiple_of(div) {
                return Err(NotationError::Indivisible);
            }
            let values = digit.modulus / div;
            if modulus == 0 || modulus >= values {
                both.modulus = values;
            } else if !values.is_multiple_of(modulus) {
                return Err(NotationError::Indivisible);
            }
        }
        both.limit = if both.modulus != 0 && both.modulus < limit { both.modulus } else { limit };
        self.split(digits, both, stride)
    }

    /// Appends the mode of a dimension to `count` other parts, the part that varies fastest first, if the
    /// parts cover every value of the coordinate. Returns the new number of parts.
    const fn mode(
        &mut self,
        dim: usize,
        size: Size,
        up: bool,
        modes: &mut [CuteMode; MAX_MODES],
        count: usize,
    ) -> Result<usize, NotationError> {
        let mut count = count;
        let first = count;
        // What the last mode counts in, and what the next part does.
        let (mut last, mut unit) = (1, 1);
        while unit < size {
            let Some(part) = self.take(dim, unit) else {
                return Err(NotationError::CrossesDimensions);
            };
            let joins =
                count > first && part.stride == modes[count - 1].stride * modes[count - 1].shape;
            if !joins {
                modes[count] = CuteMode { shape: 1, stride: part.stride };
                count += 1;
                last = unit;
            }
            if part.modulus != 0 && part.modulus < size.div_ceil(unit) {
                modes[count - 1].shape *= part.modulus;
                unit *= part.modulus;
            } else if up || size.is_multiple_of(last) {
                modes[count - 1].shape = size.div_ceil(last);
                unit = size;
            } else {
                return Err(NotationError::Ragged { dim, size, tile: last });
            }
        }
        // A dimension of size 1 has a mode too; its stride is 0, as CuTe's own constructors have it.
        Ok(if count == first { count + 1 } else { count })
    }

    /// Takes out the part of a dimension that counts in that unit.
    const fn take(&mut self, dim: usize, unit: Size) -> Option<Part> {
        each!(for i in 0..self.count {
            let part = self.list[i];
            if part.dim == dim && part.div == unit {
                self.count -= 1;
                self.list[i] = self.list[self.count];
                return Some(part);
            }
        });
        None
    }
}

impl fmt::Display for Cute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, |mode| mode.shape)?;
        f.write_str(":")?;
        self.write(f, |mode| mode.stride)
    }
}

impl Cute {
    fn write(&self, f: &mut fmt::Formatter<'_>, of: fn(&CuteMode) -> Size) -> fmt::Result {
        f.write_str("(")?;
        for dim in 0..self.rank {
            if dim > 0 {
                f.write_str(",")?;
            }
            match self.mode(dim) {
                [mode] => write!(f, "{}", of(mode))?,
                modes => {
                    f.write_str("(")?;
                    separated(f, modes.iter().map(of), ",")?;
                    f.write_str(")")?;
                }
            }
        }
        f.write_str(")")
    }
}

impl fmt::Debug for Cute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
