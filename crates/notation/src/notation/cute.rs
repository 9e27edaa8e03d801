//! CuTe's `shape:stride`.

mod read;

use core::fmt;

use crate::digit_order::{NotExpressible, NotThisLayout};
use crate::notation::write::separated;
use layout_core::analysis::{Resolved, Unresolved};
use layout_core::limits::{MAX_DIMS, MAX_SIZE, Size};
use layout_core::{ArrayShape, Digits, Fault, List, Swizzle, SwizzleUnit};

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
/// integer instead of a tuple, as in `4:1`, is one dimension. A swizzle before it, with the offset of the first element, as
/// in `S<3,3,3> o 0 o (8,64):(64,1)`, is one of elements. A tensor is read as CuTe prints it
/// (`Sw<3,4,3>_smem_ptr[16b](0x7f0000000400) o (_8,_64):(_64,_1)`) and as its DSL does
/// (`tensor<ptr<f16, smem, align<1024>, S<3,4,3>> o (8,64):(64,1)>`): the swizzle of a pointer is one of bytes, and the array's
/// elements have the pointer's width. Negative strides and strides along coordinates (`1@0`) are errors. A text has the sizes of one array: [`layout`](Cute::layout) gives its layout in
/// XLA's notation.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout_notation::notation::Cute;
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
    swizzle: Swizzle,
    start: Size,
    element_bits: Option<Size>,
}

impl Cute {
    /// Number of dimensions.
    pub fn rank(&self) -> usize {
        self.rank
    }

    /// The mode of a dimension, with the integer that varies fastest first; it has at least one.
    ///
    /// # Panics
    /// If `dim` is out of range.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::{Cute, CuteMode};
    ///
    /// let shape: layout::ArrayShape = "f32[4,6]{1,0:T(2,2)}".parse()?;
    /// let cute = Cute::of(&shape)?;
    /// // ((2,2),(2,3)):((2,12),(1,4))
    /// let modes = [CuteMode { shape: 2, stride: 1 }, CuteMode { shape: 3, stride: 4 }];
    /// assert_eq!(cute.mode(1), modes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn mode(&self, dim: usize) -> &[CuteMode] {
        assert!(dim < self.rank, "the dimension is out of range");
        let start = if dim == 0 { 0 } else { self.ends[dim - 1] };
        &self.modes[start..self.ends[dim]]
    }

    /// Number of elements of each mode, dimension 0 first.
    pub fn dims(&self) -> List<MAX_DIMS> {
        let mut dims = List::new();
        for dim in 0..self.rank {
            dims.push(self.mode(dim).iter().map(|mode| mode.shape).product());
        }
        dims
    }

    /// The swizzle of a composed layout, `S<3,3,3> o 0 o (8,64):(64,1)`, on elements; [`Swizzle::NONE`] without one.
    pub const fn swizzle(&self) -> Swizzle {
        self.swizzle
    }

    /// The layout with a swizzle of bytes that has the numbers of its own one, for elements of some bits.
    ///
    /// CuTe prints an atom of shared memory with a swizzle that acts on addresses in bytes, beside strides that count
    /// elements; its text does not say so.
    ///
    /// # Errors
    /// If such a swizzle takes elements apart.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Cute;
    ///
    /// let atom: Cute = "S<3,4,3> o 0 o (8,64):(64,1)".parse()?;
    /// assert_eq!(atom.with_swizzled_bytes(16)?.to_string(), "S<3,3,3> o 0 o (8,64):(64,1)");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_swizzled_bytes(mut self, element_bits: Size) -> Result<Cute, Fault> {
        let (bits, base, shift) = (self.swizzle.bits(), self.swizzle.base(), self.swizzle.shift());
        let bytes = Swizzle::new(SwizzleUnit::Bytes, bits, base, shift)?;
        self.swizzle = bytes.on_elements(element_bits)?;
        Ok(self)
    }

    /// Offset of the first element before the swizzle, in elements: the number in `S<3,3,3> o 64 o (8,64):(64,1)`.
    pub const fn start(&self) -> Size {
        self.start
    }

    /// Bits of an element, if the text is that of a tensor: 16 in `smem_ptr[16b](unset) o (8,64):(64,1)`.
    pub const fn element_bits(&self) -> Option<Size> {
        self.element_bits
    }

    /// Offset of an element, in elements: CuTe's `crd2idx`. `None` if the index is out of bounds or has another rank, or
    /// if the offset exceeds `layout::shape::limits::MAX_SIZE`.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Cute;
    ///
    /// let slice: Cute = "S<2,3,3> o 64 o (4,32):(128,1)".parse().unwrap();
    /// assert_eq!(slice.offset(&[0, 0]), Some(64 ^ 8));
    /// assert_eq!(slice.offset(&[4, 0]), None);
    /// ```
    pub fn offset(&self, index: &[Size]) -> Option<Size> {
        let mut offset = self.start;
        if index.len() != self.rank {
            return None;
        }
        for (dim, at) in index.iter().enumerate() {
            let mut rest = *at;
            for mode in self.mode(dim) {
                offset = offset.checked_add((rest % mode.shape).checked_mul(mode.stride)?)?;
                rest /= mode.shape;
            }
            if rest > 0 {
                return None;
            }
        }
        (offset <= MAX_SIZE).then(|| self.swizzle.apply(offset))
    }
}

impl Cute {
    const NONE: Cute = Cute {
        modes: [CuteMode { shape: 1, stride: 0 }; MAX_MODES],
        ends: [0; MAX_DIMS],
        rank: 0,
        swizzle: Swizzle::NONE,
        start: 0,
        element_bits: None,
    };

    /// The layout in CuTe's notation, for `cute::make_layout` and for tools that draw CuTe layouts. It maps
    /// the coordinates of each element to its `offset`, and its size is the number of
    /// elements.
    ///
    /// Defined in CUTLASS's document "CuTe Layouts".
    ///
    /// # Errors
    /// If no CuTe layout does that:
    /// - [`Ragged`](NotExpressible::Ragged) if tiles extend past the array, unless the offsets are evenly spaced;
    ///   [`padded_of`](Cute::padded_of) allows this.
    /// - [`Indivisible`](NotExpressible::Indivisible) if a tile does not divide the tile that it covers.
    /// - [`CrossesDimensions`](NotExpressible::CrossesDimensions) if `*` combines dimensions and a tile crosses the
    ///   border between them, even if small sizes leave the offsets evenly spaced or interleaved.
    /// - [`UnknownSize`](NotExpressible::UnknownSize) for `?`, and [`Empty`](NotExpressible::Empty) for an array
    ///   without elements.
    /// - [`TooManyTiles`](NotExpressible::TooManyTiles) if [`layout`](Cute::layout) would not read the text: rare, of many dimensions.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Cute;
    ///
    /// let shape: layout::ArrayShape = "f32[4,6]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(Cute::of(&shape)?.to_string(), "((2,2),(2,3)):((2,12),(1,4))");
    /// let ragged: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(
    ///     Cute::of(&ragged).unwrap_err().to_string(),
    ///     "tiles extend past the array: the size 3 of dimension 0 is not a multiple of 2",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    // Read off the digits: those of a dimension are a mode if they leave no value out. Digits of sums (`*`)
    // fall apart where a tile cuts at the border of what was joined. Without `*` there is a text exactly where
    // a search finds a CuTe layout.
    pub fn of(shape: &ArrayShape) -> Result<Cute, NotExpressible> {
        Cute::rounded(shape, false)
    }

    /// The layout in CuTe's notation with dimensions rounded up to whole tiles: coordinates of elements map
    /// to their offsets, coordinates past the array to padding. Kernels have to compare coordinates with the
    /// array's dimensions, as for any ragged edge in CuTe.
    ///
    /// # Errors
    /// Those of [`of`](Cute::of), except for [`Ragged`](NotExpressible::Ragged).
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Cute;
    ///
    /// let ragged: layout::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(Cute::padded_of(&ragged)?.to_string(), "((2,2),(2,3)):((2,12),(1,4))");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn padded_of(shape: &ArrayShape) -> Result<Cute, NotExpressible> {
        Cute::rounded(shape, true)
    }

    fn rounded(shape: &ArrayShape, up: bool) -> Result<Cute, NotExpressible> {
        if let Some(error) = shape.unknown_size() {
            return Err(NotExpressible::UnknownSize(error));
        }
        let digits = Digits::with_unknowns(&shape.without_swizzle());
        if digits.elements() == 0 {
            return Err(NotExpressible::Empty);
        }
        let mut parts = Resolved::NONE;
        parts.resolve(&digits.view()).map_err(|unresolved| match unresolved {
            Unresolved::Digit => NotExpressible::Indivisible { tile: None },
            Unresolved::Border | Unresolved::TooMany | Unresolved::Swizzle => {
                NotExpressible::CrossesDimensions
            }
        })?;
        let (mut cute, mut used) = (Cute::NONE, 0);
        // The array has passed the checks.
        cute.swizzle = shape.swizzle().on_elements(shape.element_bits()).unwrap_or(Swizzle::NONE);
        for dim in 0..shape.rank() {
            used += cute.push_mode(&parts, dim, digits.dim(dim), up)?;
        }
        if used != parts.as_slice().len() || cute.interleaves() {
            return Err(NotExpressible::CrossesDimensions);
        }
        // With so few sizes of tiles none was found among 66,000 random texts.
        let is_read =
            shape.tiles().entries() <= 8 || cute.layout(shape) != Err(NotThisLayout::TooManyTiles);
        if is_read { Ok(cute) } else { Err(NotExpressible::TooManyTiles) }
    }

    /// Whether elements lie between those that a smaller stride leads to, as in `(3,2):(4,3)`: no order of digits has such strides.
    fn interleaves(&self) -> bool {
        let mut modes = self.modes;
        let modes = &mut modes[..self.rank.checked_sub(1).map_or(0, |last| self.ends[last])];
        modes.sort_unstable_by_key(|mode| mode.stride);
        let mut span = 1;
        modes.iter().filter(|mode| mode.shape > 1).any(|mode| {
            let is_inside = mode.stride < span;
            span = mode.stride.saturating_mul(mode.shape);
            is_inside
        })
    }

    /// Adds the mode of the next dimension, the part that varies fastest first, if the parts cover every value of the
    /// coordinate. Returns how many do.
    fn push_mode(
        &mut self,
        parts: &Resolved<MAX_MODES>,
        dim: usize,
        size: Size,
        up: bool,
    ) -> Result<usize, NotExpressible> {
        let first = self.rank.checked_sub(1).map_or(0, |last| self.ends[last]);
        let (mut end, mut used) = (first, 0);
        // What the last integer counts in, and what the next part does.
        let (mut last, mut unit) = (1, 1);
        while unit < size {
            let part = parts.find(dim, unit).ok_or(NotExpressible::CrossesDimensions)?;
            used += 1;
            let joins = end > first
                && part.stride == self.modes[end - 1].stride * self.modes[end - 1].shape;
            if !joins {
                self.modes[end] = CuteMode { shape: 1, stride: part.stride };
                end += 1;
                last = unit;
            }
            let shape = &mut self.modes[end - 1].shape;
            if part.modulus != 0 && part.modulus < size.div_ceil(unit) {
                *shape *= part.modulus;
                unit *= part.modulus;
            } else if up || size.is_multiple_of(last) {
                *shape = size.div_ceil(last);
                unit = size;
            } else {
                return Err(NotExpressible::Ragged { dim, size, tile: last });
            }
        }
        self.end_mode(end);
        Ok(used)
    }

    /// Ends the mode of a dimension before the integer `end`. A dimension of size 1 has a mode too; its stride is 0, as
    /// CuTe's own constructors have it.
    fn end_mode(&mut self, end: usize) {
        let first = self.rank.checked_sub(1).map_or(0, |last| self.ends[last]);
        self.ends[self.rank] = end.max(first + 1);
        self.rank += 1;
    }
}

impl fmt::Display for Cute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.swizzle.is_none() || self.start != 0 {
            let (bits, base, shift) =
                (self.swizzle.bits(), self.swizzle.base(), self.swizzle.shift());
            write!(f, "S<{bits},{base},{shift}> o {} o ", self.start)?;
        }
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
