//! The linear index of a tiled layout as a sum of digits of the coordinates, and its inverse.

use crate::array::ArrayShape;
use crate::limits::{MAX_BOUNDS, MAX_DIMS, MAX_TILE_DIMS};
use crate::list::List;
use crate::tiling::{Digit, Sum, Tiling};

/// A term of the linear index: a digit with its stride.
#[derive(Clone, Copy)]
pub struct Term {
    pub(crate) digit: Digit,
    /// Below this the digit counts in memory, padding included.
    pub(crate) bound: usize,
    /// Elements in memory from one value of the digit to the next.
    pub(crate) stride: usize,
}

/// A digit of an offset: `offset / stride % bound · div` is its part of the coordinate; without the
/// modulus where the bound is 0.
#[derive(Clone, Copy)]
pub struct Inverse {
    /// The dimension.
    pub dim: usize,
    /// What the digit counts along the dimension.
    pub div: usize,
    /// What it counts in memory.
    pub stride: usize,
    /// Below this it counts, or 0.
    pub bound: usize,
}

/// A layout, analysed: `offset = Σ digit · stride`.
///
/// The digits are those that can be other than 0, the most major first. Some layouts with `*`
/// or with tiles that do not divide one another take digits of sums of digits.
#[derive(Clone, Copy)]
pub struct Digits {
    rank: usize,
    dims: [usize; MAX_DIMS],
    elements: usize,
    size: usize,
    pub(crate) sums: [Sum; MAX_TILE_DIMS],
    pub(crate) sum_count: usize,
    pub(crate) terms: [Term; MAX_BOUNDS],
    pub(crate) count: usize,
}

impl Digits {
    /// What stands in for a layout that has none because it is faulty: a scalar.
    pub const SCALAR: Digits = Digits {
        rank: 0,
        dims: [0; MAX_DIMS],
        elements: 1,
        size: 1,
        sums: [Sum::ZERO; MAX_TILE_DIMS],
        sum_count: 0,
        terms: [Term { digit: Digit::ZERO, bound: 1, stride: 1 }; MAX_BOUNDS],
        count: 0,
    };

    /// Analyses a layout; `None` if a dimension has no bound.
    pub const fn new(shape: &ArrayShape) -> Option<Digits> {
        if shape.is_unbounded() { None } else { Some(Digits::of(shape, &Tiling::tiled(shape))) }
    }

    /// The digits of an array that is tiled already.
    pub(crate) const fn of(shape: &ArrayShape, tiling: &Tiling) -> Digits {
        let mut digits = Digits {
            rank: shape.rank(),
            dims: tiling.dims,
            elements: 1,
            size: tiling.size(),
            sums: tiling.sums,
            sum_count: tiling.sum_count,
            ..Digits::SCALAR
        };
        let mut i = 0;
        while i < digits.rank {
            digits.elements *= digits.dims[i];
            i += 1;
        }
        if digits.elements > 0 {
            digits.collect(tiling);
        }
        digits
    }

    /// Collects the digits that vary, from the most minor on, and joins neighbours.
    const fn collect(&mut self, tiling: &Tiling) {
        let mut stride = 1;
        let mut at = tiling.len();
        let mut first = MAX_BOUNDS;
        while at > 0 {
            at -= 1;
            let entry = tiling.entry(at);
            if !entry.digit.is_zero() {
                let mut term = Term { digit: entry.digit, bound: entry.bound, stride };
                if first < MAX_BOUNDS {
                    let minor = self.terms[first];
                    if stride == minor.stride * minor.bound
                        && let Some(digit) = tiling.join(entry.digit, minor.bound, minor.digit)
                    {
                        let bound = entry.bound * minor.bound;
                        term = Term { digit, bound, stride: minor.stride };
                        first += 1;
                    }
                }
                first -= 1;
                self.terms[first] = term;
            }
            stride *= entry.bound;
        }
        self.count = MAX_BOUNDS - first;
        let mut i = 0;
        while i < self.count {
            self.terms[i] = self.terms[first + i];
            i += 1;
        }
    }

    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.rank
    }

    /// Size of a dimension.
    pub const fn dim(&self, dim: usize) -> usize {
        self.dims[dim]
    }

    /// Elements of the array.
    pub const fn elements(&self) -> usize {
        self.elements
    }

    /// Slots in memory before `L(n)`, if there are elements: the product of the physical dimensions.
    pub const fn size(&self) -> usize {
        self.size
    }

    /// Whether the index has one coordinate below its dimension for each.
    pub const fn contains(&self, index: &[usize]) -> bool {
        if index.len() != self.rank {
            return false;
        }
        let mut i = 0;
        while i < self.rank {
            if index[i] >= self.dims[i] {
                return false;
            }
            i += 1;
        }
        true
    }

    /// Position of an element, in elements; an unspecified number outside the bounds.
    pub const fn offset(&self, index: &[usize]) -> usize {
        let mut sources = [0; MAX_DIMS + MAX_TILE_DIMS];
        let mut i = 0;
        while i < self.rank {
            sources[i] = index[i];
            i += 1;
        }
        let mut i = 0;
        while i < self.sum_count {
            let sum = &self.sums[i];
            let major = value(&sources, &sum.major).wrapping_mul(sum.factor);
            sources[MAX_DIMS + i] = major.wrapping_add(value(&sources, &sum.minor));
            i += 1;
        }
        let mut offset = 0usize;
        let mut i = 0;
        while i < self.count {
            let term = &self.terms[i];
            let term = value(&sources, &term.digit).wrapping_mul(term.stride);
            offset = offset.wrapping_add(term);
            i += 1;
        }
        offset
    }

    /// How many digits the inverse takes apart where it is straight: without sums. `None` with them.
    pub const fn straight(&self) -> Option<usize> {
        if self.sum_count == 0 { Some(self.count) } else { None }
    }

    /// Digit number `number` as the inverse takes it: the most major is 0.
    pub const fn inverse(&self, number: usize) -> Inverse {
        let term = &self.terms[number];
        let is_top = term.stride * term.bound == self.size;
        Inverse {
            dim: term.digit.source as usize,
            div: term.digit.div,
            stride: term.stride,
            bound: if is_top { 0 } else { term.bound },
        }
    }

    /// Whether every slot of memory stands for its own coordinates, in or out of the array, so that
    /// to tell padding it is enough to compare these with the dimensions.
    pub const fn is_bijective(&self) -> bool {
        let mut size = 1;
        let mut i = 0;
        while i < self.count {
            let term = &self.terms[i];
            if term.digit.modulus != 0 && term.digit.modulus != term.bound {
                return false;
            }
            size *= term.bound;
            i += 1;
        }
        self.sum_count == 0 && size == self.size
    }

    /// The element at a position, or `None` for padding and beyond the end.
    pub const fn index(&self, offset: usize) -> Option<List<MAX_DIMS>> {
        if self.elements == 0 || offset >= self.size {
            return None;
        }
        let mut sources = [0; MAX_DIMS + MAX_TILE_DIMS];
        let mut i = 0;
        while i < self.count {
            let term = &self.terms[i];
            add(&mut sources, &term.digit, offset / term.stride % term.bound);
            i += 1;
        }
        let mut i = self.sum_count;
        while i > 0 {
            i -= 1;
            let sum = &self.sums[i];
            let whole = sources[MAX_DIMS + i];
            if sum.major.is_zero() {
                add(&mut sources, &sum.minor, whole);
            } else {
                add(&mut sources, &sum.major, whole / sum.factor);
                if !sum.minor.is_zero() {
                    add(&mut sources, &sum.minor, whole % sum.factor);
                }
            }
        }
        let mut index = List::new();
        let mut i = 0;
        while i < self.rank {
            index.push(sources[i]);
            i += 1;
        }
        // For padding the candidate is another element's index, or none.
        if self.contains(index.as_slice()) && self.offset(index.as_slice()) == offset {
            Some(index)
        } else {
            None
        }
    }
}

const fn value(sources: &[usize; MAX_DIMS + MAX_TILE_DIMS], digit: &Digit) -> usize {
    if digit.is_zero() {
        return 0;
    }
    let whole = sources[digit.source as usize] / digit.div;
    if digit.modulus == 0 { whole } else { whole % digit.modulus }
}

const fn add(sources: &mut [usize; MAX_DIMS + MAX_TILE_DIMS], digit: &Digit, value: usize) {
    let source = digit.source as usize;
    sources[source] = sources[source].wrapping_add(value.wrapping_mul(digit.div));
}

impl ArrayShape {
    /// Position of an element in memory, in elements, padding counted; `None` for an index
    /// outside the bounds or of another rank, and where a dimension has no bound.
    ///
    /// `linear_index_with_tile` of XLA's document "Tiled layout", for every level of tiling.
    /// Coordinates are in dimension order. For many elements, analyse the layout once with
    /// [`Digits::new`].
    ///
    /// # Examples
    /// ```
    /// let shape: layout_spec::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(shape.offset(&[2, 3]), Some(17));
    /// assert_eq!(shape.offset(&[3, 0]), None);
    /// # Ok::<(), layout_spec::Error>(())
    /// ```
    pub const fn offset(&self, index: &[usize]) -> Option<usize> {
        match Digits::new(self) {
            Some(digits) if digits.contains(index) => Some(digits.offset(index)),
            _ => None,
        }
    }

    /// The element at a position in memory; `None` for padding and beyond the end, and where a
    /// dimension has no bound.
    ///
    /// # Examples
    /// ```
    /// let shape: layout_spec::ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
    /// assert_eq!(*shape.index(17).unwrap(), [2, 3]);
    /// assert_eq!(shape.index(9), None);
    /// # Ok::<(), layout_spec::Error>(())
    /// ```
    pub const fn index(&self, offset: usize) -> Option<List<MAX_DIMS>> {
        match Digits::new(self) {
            Some(digits) => digits.index(offset),
            None => None,
        }
    }
}
