//! Memory with strides of its own: sub-matrices, leading dimensions, broadcasts, flipped axes.

#[cfg(feature = "ndarray")]
pub(crate) mod ndarray;

use core::ops::{Index, IndexMut, Range};

use layout_core::__private::Piece;
use layout_core::analysis::{Amount, CoordDigit, Digit, DigitsView, Term};
use layout_core::limits::{MAX_BOUNDS, MAX_DIMS};
use layout_core::{Digits, Size, XorBits};

errors! {
    /// Why strides do not go with a slice. Numbers are elements.
    pub enum StridesError {
        /// The element that lies farthest up is past the end of the slice.
        TooShort { needed: usize, given: usize } => "the last element needs a slice of ", needed,
            " elements, and the slice has ", given;
        /// An element lies before the beginning of the slice: strides are below 0.
        BeforeStart { needed: usize, first: usize } => "the strides go ", needed,
            " elements down from index 0, which lies at element ", first, " of the slice";
        /// The elements, or the slots that they span, are more than a `isize` counts.
        TooLarge => "the strides span more memory than there can be";
        /// Elements to write would share memory: the stride has to be as large at least, in either direction, as the slots
        /// that the dimensions with smaller strides take.
        Overlap { dim: usize, stride: isize, needed: usize } => "the stride ", Piece::Signed(stride as i64), " of dimension ",
            dim, " is less than the ", needed,
            " elements that the smaller strides span: elements to write share no memory";
    }
}

/// Slots that strides reach from index 0 on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// Slots before index 0.
    pub down: usize,
    /// Slots from the first one to the last.
    pub slots: usize,
    /// Whether each stride goes past all that later dimensions reach: then no two elements share memory.
    is_nested: bool,
}

impl Span {
    /// Of an array with no elements it is empty.
    #[inline(always)]
    pub(crate) fn new(dims: &[usize], strides: &[isize]) -> Result<Span, StridesError> {
        match Span::of_some(dims, strides) {
            Some(span) => Ok(span),
            None if dims.contains(&0) => Ok(Span { down: 0, slots: 0, is_nested: true }),
            None => Err(StridesError::TooLarge),
        }
    }

    /// `None` if there are no elements, or too many elements or slots.
    #[inline(always)]
    fn of_some(dims: &[usize], strides: &[isize]) -> Option<Span> {
        let (mut elements, mut down, mut all, mut is_nested) = (1_usize, 0, 0_usize, true);
        for (&size, &stride) in dims.iter().zip(strides).rev() {
            elements = elements.checked_mul(size)?;
            let reach = size.wrapping_sub(1).cast_signed().checked_mul(stride)?;
            is_nested &= size == 1 || stride.unsigned_abs() > all;
            all = all.checked_add(reach.unsigned_abs())?;
            down += reach.min(0).unsigned_abs();
        }
        // Both are counted from 1, so that no elements are too many.
        let most = isize::MAX.unsigned_abs();
        let span = Span { down, slots: all.wrapping_add(1), is_nested };
        (elements.wrapping_sub(1) < most && all < most).then_some(span)
    }

    /// Refuses strides of which two elements could share memory: each stride has to go past all that smaller ones reach. Strides that
    /// interleave without sharing memory, such as 2 and 3 of 3 and 2 elements, are refused too.
    #[inline(always)]
    pub(crate) fn check_apart(self, dims: &[usize], strides: &[isize]) -> Result<(), StridesError> {
        match if self.is_nested { None } else { overlap(dims, strides) } {
            Some([dim, needed]) => Err(StridesError::Overlap { dim, stride: strides[dim], needed }),
            None => Ok(()),
        }
    }

    /// The range of a slice of `given` elements in which all lie, if index 0 lies at `first`.
    #[inline(always)]
    fn range(self, first: usize, given: usize) -> Result<Range<usize>, StridesError> {
        let Span { down, slots, .. } = self;
        if slots == 0 {
            return Ok(0..0);
        }
        let start =
            first.checked_sub(down).ok_or(StridesError::BeforeStart { needed: down, first })?;
        match start.checked_add(slots) {
            Some(end) if end <= given => Ok(start..end),
            end => Err(StridesError::TooShort { needed: end.unwrap_or(usize::MAX), given }),
        }
    }
}

/// A dimension of an array with elements whose stride does not go past what smaller ones reach, and what it should be.
#[inline(never)]
fn overlap(dims: &[usize], strides: &[isize]) -> Option<[usize; 2]> {
    let distance = |dim: usize| (strides[dim].unsigned_abs(), dim);
    (0..strides.len()).find_map(|dim| {
        let smaller = (0..strides.len()).filter(|other| distance(*other) < distance(dim));
        let needed = 1 + smaller.map(|other| (dims[other] - 1) * distance(other).0).sum::<usize>();
        (dims[dim] > 1 && distance(dim).0 < needed).then_some([dim, needed])
    })
}

/// The digits of an array with strides, from index 0 on.
pub(crate) fn digits(dims: &[usize], strides: impl Iterator<Item = isize>) -> Digits {
    let mut sizes = [0; MAX_DIMS];
    for (to, size) in sizes.iter_mut().zip(dims) {
        *to = *size as Size;
    }
    let parts = strides.enumerate().map(|(source, stride)| {
        // Below 0 it is its two's complement.
        CoordDigit { source, div: 1, modulus: 0, stride: stride as i64 as Size }
    });
    digits_of(&sizes[..dims.len()], parts)
}

/// An array of these sizes whose offsets are the sum of digits of its coordinates, each times its stride.
pub(crate) fn digits_of(dims: &[Size], parts: impl IntoIterator<Item = CoordDigit>) -> Digits {
    let (mut terms, mut count) = ([Term::NONE; MAX_BOUNDS], 0);
    for CoordDigit { source, div, modulus, stride } in parts {
        let values = dims[source].div_ceil(div);
        let limit = if modulus == 0 { values } else { values.min(modulus) };
        if limit > 1 && !dims.contains(&0) {
            let digit = Digit { source, div, modulus, limit };
            terms[count].digit = digit;
            (terms[count].bound, terms[count].stride) = (Amount::of(limit), Amount::of(stride));
            count += 1;
        }
    }
    let distance = |term: &Term| term.stride.factor.cast_signed().unsigned_abs();
    terms[..count].sort_unstable_by_key(|term| core::cmp::Reverse(distance(term)));
    let view = DigitsView { dims, sums: &[], terms: &terms[..count], swizzle: XorBits::NONE };
    view.to_digits(Amount::ONE)
}

/// A borrowed slice, read as an array with a stride for each dimension: `R` sizes, and `R` strides in elements.
///
/// Strides may be 0 (all indices along the dimension are one element) and below 0 (the axis is flipped). Only the memory between the first
/// and the last element is needed, so that a sub-matrix need not end with a whole row. It is what `ndarray`'s views are, and
/// `mdspan`'s `layout_stride`. [`relayout_to`](Self::relayout_to) copies it to a [`View`](crate::View) with a layout, and
/// [`relayout_to_strided`](Self::relayout_to_strided) to other strides. The latter
/// and [`map_to`](Self::map_to) take elements of any type; the others take the layout's.
///
/// # Examples
/// ```
/// use layout::{Padding, Strided, layout};
///
/// // Rows 1 and 2 and columns 1 to 3 of a matrix with rows of 5, to panels of 2 rows.
/// let matrix: Vec<f32> = (0..20).map(|number| number as f32).collect();
/// let part = Strided::new(&matrix[6..], [2, 3], [5, 1])?;
/// assert_eq!((part[[0, 0]], part[[1, 2]], part.get([2, 0])), (6.0, 13.0, None));
///
/// type Panels = layout!(F32[?,?]{1,0:T(2,1)});
/// let panels = Panels::with_dims([2, 3])?;
/// let mut memory = vec![0.0; panels.padded_elements()];
/// part.relayout_to(&mut panels.view_mut(&mut memory)?, Padding::Zero);
/// assert_eq!(memory, [6.0, 11.0, 7.0, 12.0, 8.0, 13.0]);
///
/// // The same matrix upside down, and one row as three equal ones.
/// let flipped = Strided::new(&matrix, [4, 5], [-5, 1])?;
/// assert_eq!(flipped[[0, 1]], 16.0);
/// let rows = Strided::new(&matrix[..5], [3, 5], [0, 1])?;
/// assert_eq!(rows[[2, 4]], 4.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Strided<'a, T, const R: usize> {
    /// From the first element in memory to the last one.
    pub(crate) data: &'a [T],
    pub(crate) place: Strides<R>,
}

impl<T, const R: usize> Clone for Strided<'_, T, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const R: usize> Copy for Strided<'_, T, R> {}

/// A borrowed slice, read and written as an array with a stride for each dimension: a [`Strided`] whose elements share no memory.
///
/// What lies between its elements keeps its values.
///
/// # Examples
/// ```
/// use layout::{Strided, StridedMut};
///
/// // A 2×3 matrix, transposed into columns 1 and 2 of a matrix with rows of 4.
/// let matrix = [0, 1, 2, 3, 4, 5];
/// let mut out = [9; 11];
/// let mut columns = StridedMut::new(&mut out[1..], [2, 3], [1, 4])?;
/// Strided::new(&matrix, [2, 3], [3, 1])?.relayout_to_strided(&mut columns);
/// assert_eq!(out, [9, 0, 3, 9, 9, 1, 4, 9, 9, 2, 5]);
/// assert!(StridedMut::new(&mut out, [2, 3], [0, 1]).is_err());
/// # Ok::<(), layout::StridesError>(())
/// ```
#[derive(Debug)]
pub struct StridedMut<'a, T, const R: usize> {
    pub(crate) data: &'a mut [T],
    pub(crate) place: Strides<R>,
}

/// Where the elements of an array lie.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strides<const R: usize> {
    /// Where index 0 lies.
    pub first: usize,
    pub dims: [usize; R],
    pub strides: [isize; R],
}

impl<const R: usize> Strides<R> {
    /// Where the elements lie in the range of a slice that has them all, and the range. They share no memory, if they are to be `APART`.
    #[inline(always)]
    pub(super) fn new<const APART: bool>(
        dims: [usize; R],
        strides: [isize; R],
        first: Option<usize>,
        given: usize,
    ) -> Result<(Strides<R>, Range<usize>), StridesError> {
        const { assert!(R <= MAX_DIMS, "an array has at most 16 dimensions") }
        let span = Span::new(&dims, &strides)?;
        let range = span.range(first.unwrap_or(span.down), given)?;
        if APART {
            span.check_apart(&dims, &strides)?;
        }
        Ok((Strides { first: span.down, dims, strides }, range))
    }

    pub(super) fn offset(&self, index: [usize; R]) -> Option<usize> {
        let mut offset = self.first;
        for (dim, &at) in index.iter().enumerate() {
            if at >= self.dims[dim] {
                return None;
            }
            offset = offset.wrapping_add(at.wrapping_mul(self.strides[dim].cast_unsigned()));
        }
        Some(offset)
    }
}

impl<'a, T, const R: usize> Strided<'a, T, R> {
    /// An array of these sizes and strides, in elements, dimension 0 first. Its lowest element in memory is the first of the slice: index 0
    /// itself, if no stride is below 0.
    ///
    /// # Errors
    /// If the slice does not reach the last element.
    #[inline]
    pub fn new(data: &'a [T], dims: [usize; R], strides: [isize; R]) -> Result<Self, StridesError> {
        let (place, range) = Strides::new::<false>(dims, strides, None, data.len())?;
        Ok(Strided { data: &data[range], place })
    }

    /// Like [`new`](Self::new), with index 0 at element `first` of the slice.
    ///
    /// # Errors
    /// If an element lies outside of the slice.
    pub fn at(
        data: &'a [T],
        first: usize,
        dims: [usize; R],
        strides: [isize; R],
    ) -> Result<Self, StridesError> {
        let (place, range) = Strides::new::<false>(dims, strides, Some(first), data.len())?;
        Ok(Strided { data: &data[range], place })
    }
}

impl<'a, T, const R: usize> StridedMut<'a, T, R> {
    /// An array of these sizes and strides: see [`Strided::new`].
    ///
    /// # Errors
    /// If the slice does not reach the last element. If elements could share memory: the stride of each dimension with several
    /// elements has to go past all that the dimensions with smaller strides reach.
    #[inline]
    pub fn new(
        data: &'a mut [T],
        dims: [usize; R],
        strides: [isize; R],
    ) -> Result<Self, StridesError> {
        let (place, range) = Strides::new::<true>(dims, strides, None, data.len())?;
        Ok(StridedMut { data: &mut data[range], place })
    }

    /// Like [`new`](Self::new), with index 0 at element `first` of the slice.
    ///
    /// # Errors
    /// Those of [`new`](Self::new), and if an element lies before the slice.
    pub fn at(
        data: &'a mut [T],
        first: usize,
        dims: [usize; R],
        strides: [isize; R],
    ) -> Result<Self, StridesError> {
        let (place, range) = Strides::new::<true>(dims, strides, Some(first), data.len())?;
        Ok(StridedMut { data: &mut data[range], place })
    }

    /// An array that only reads, for as long as it borrows this one.
    #[must_use]
    pub const fn as_strided(&self) -> Strided<'_, T, R> {
        Strided { data: self.data, place: self.place }
    }

    /// An element to write, or `None` if the index is out of bounds.
    #[must_use]
    pub fn get_mut(&mut self, index: [usize; R]) -> Option<&mut T> {
        self.place.offset(index).map(|offset| &mut self.data[offset])
    }
}

macro_rules! reads {
    ($($name:ident)*) => {$(
        impl<T, const R: usize> $name<'_, T, R> {
            /// The sizes, dimension 0 first.
            #[must_use]
            pub const fn dims(&self) -> [usize; R] {
                self.place.dims
            }

            /// The strides in elements, dimension 0 first.
            #[must_use]
            pub const fn strides(&self) -> [isize; R] {
                self.place.strides
            }

            /// An element, or `None` if the index is out of bounds.
            #[must_use]
            pub fn get(&self, index: [usize; R]) -> Option<&T> {
                self.place.offset(index).map(|offset| &self.data[offset])
            }
        }

        impl<T, const R: usize> Index<[usize; R]> for $name<'_, T, R> {
            type Output = T;

            #[track_caller]
            fn index(&self, index: [usize; R]) -> &T {
                match self.get(index) {
                    Some(element) => element,
                    None => out_of_bounds(&index, &self.dims()),
                }
            }
        }
    )*};
}

reads! { Strided StridedMut }

impl<T, const R: usize> IndexMut<[usize; R]> for StridedMut<'_, T, R> {
    #[track_caller]
    fn index_mut(&mut self, index: [usize; R]) -> &mut T {
        let dims = self.dims();
        match self.get_mut(index) {
            Some(element) => element,
            None => out_of_bounds(&index, &dims),
        }
    }
}

#[cold]
#[track_caller]
fn out_of_bounds(index: &[usize], dims: &[usize]) -> ! {
    panic!("index {index:?} is out of bounds: the array has the sizes {dims:?}")
}
