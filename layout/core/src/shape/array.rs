//! The shape of an array with its layout.

use crate::base::text::part;
use crate::limits::{MAX_DIMS, Size};
use crate::shape::dim::Dim;
use crate::shape::element::ElementType;
use crate::shape::fill::Fill;
use crate::shape::splits::Splits;
use crate::shape::tiles::Tiles;

/// Shape and layout of an array: `bf16[2048,4096]{1,0:T(8,128)(2,1)}`.
///
/// It needs no heap. Every value is valid: its order is a permutation of the dimensions, its tiles have
/// sizes, and no count exceeds [`MAX_SIZE`](crate::limits::MAX_SIZE).
///
/// # Examples
/// ```
/// use layout::ArrayShape;
///
/// let shape: ArrayShape = "f32[3,5]{1,0:T(2,2)}".parse()?;
/// assert_eq!(shape.padded_elements(), Some(24));
///
/// // Prepared once for offsets.
/// let digits = shape.digits()?;
/// assert_eq!(digits.offset(&[2, 3]), Some(17));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct ArrayShape {
    pub(crate) element: ElementType,
    pub(crate) rank: u8,
    pub(crate) dims: [Dim; MAX_DIMS],
    pub(crate) minor_to_major: [usize; MAX_DIMS],
    pub(crate) has_padding: bool,
    pub(crate) padded_dims: [Size; MAX_DIMS],
    pub(crate) fill: Option<Fill>,
    pub(crate) tiles: Tiles,
    pub(crate) tail_alignment: Size,
    pub(crate) element_size: Size,
    pub(crate) memory_space: i64,
    pub(crate) splits: Splits,
    pub(crate) metadata_prefix: Size,
}

impl ArrayShape {
    /// A scalar in the default memory space.
    pub const fn scalar(element: ElementType) -> ArrayShape {
        ArrayShape {
            element,
            rank: 0,
            dims: [Dim::Static(0); MAX_DIMS],
            minor_to_major: [0; MAX_DIMS],
            has_padding: false,
            padded_dims: [0; MAX_DIMS],
            fill: None,
            tiles: Tiles::NONE,
            tail_alignment: 1,
            element_size: 0,
            memory_space: 0,
            splits: Splits::NONE,
            metadata_prefix: 0,
        }
    }

    /// Number of dimensions (XLA's rank).
    pub const fn rank(&self) -> usize {
        self.rank as usize
    }

    /// Number of dimensions of size greater than 1. A bounded dimension (`<=N`) counts with its bound; `?`
    /// counts.
    ///
    /// This is what XLA documents for `TrueNumDimensions`; its code also counts dimensions of size 0.
    #[doc(alias = "TrueNumDimensions")]
    #[doc(alias = "TrueRank")]
    pub const fn true_rank(&self) -> usize {
        let mut count = 0;
        each!(for i in 0..self.rank() {
            match self.dims[i].size() {
                Some(0 | 1) => {}
                _ => count += 1,
            }
        });
        count
    }

    /// Type of the elements.
    pub const fn element_type(&self) -> ElementType {
        self.element
    }

    /// Sizes of the dimensions, dimension 0 first.
    pub const fn dims(&self) -> &[Dim] {
        part(&self.dims, 0, self.rank())
    }

    /// Order of the dimensions in memory, most minor (fastest varying) first.
    #[doc(alias = "MinorToMajor")]
    pub const fn minor_to_major(&self) -> &[usize] {
        part(&self.minor_to_major, 0, self.rank())
    }

    /// The tiles, in the order in which they are applied.
    pub const fn tiles(&self) -> &Tiles {
        &self.tiles
    }

    /// `PAD(..)`: the widths to which the dimensions are padded before tiling, dimension 0 first.
    pub const fn padded_dimensions(&self) -> Option<&[Size]> {
        if self.has_padding { Some(part(&self.padded_dims, 0, self.rank())) } else { None }
    }

    /// `FILL(..)`: the value of the padding, if given.
    pub const fn fill(&self) -> Option<Fill> {
        self.fill
    }

    /// `L(n)`: the number of elements in memory is rounded up to a multiple of this; 1 by default.
    pub const fn tail_padding_alignment(&self) -> Size {
        self.tail_alignment
    }

    /// `E(n)`: bits of an element in memory, if given. [`element_bits`](Self::element_bits) has the default
    /// too.
    #[doc(alias = "HasCustomElementSizeInBits")]
    pub const fn element_size_in_bits(&self) -> Option<Size> {
        if self.element_size == 0 { None } else { Some(self.element_size) }
    }

    /// `S(n)`: the memory space; 0 by default.
    #[doc(alias = "MemorySpace")]
    pub const fn memory_space(&self) -> i8 {
        self.memory_space as i8
    }

    /// `SC(..)`: where the array is split across memories.
    #[doc(alias = "GetSplitConfig")]
    pub const fn splits(&self) -> &Splits {
        &self.splits
    }

    /// `M(n)`: bytes before the array that hold its dynamic sizes; 0 by default.
    pub const fn dynamic_metadata_prefix_bytes(&self) -> Size {
        self.metadata_prefix
    }

    /// Whether `PAD` makes a dimension wider than it is.
    pub(crate) const fn is_widened(&self) -> bool {
        let mut dim = 0;
        while self.has_padding && dim < self.rank() {
            if let Some(size) = self.dims[dim].size()
                && size != self.width(dim)
            {
                return true;
            }
            dim += 1;
        }
        false
    }

    /// Width of dimension `dim` before tiling: as padded by `PAD`, 0 for `?`.
    pub(crate) const fn width(&self, dim: usize) -> Size {
        if self.has_padding {
            return self.padded_dims[dim];
        }
        match self.dims[dim].size() {
            Some(size) => size,
            None => 0,
        }
    }

    pub(crate) const fn is_unbounded(&self) -> bool {
        self.unknown_size().is_some()
    }

    /// The number of a dimension: a negative one counts from the end, as in Python.
    #[doc(alias = "GetDimensionNumber")]
    #[doc(alias = "GetDimension")]
    pub const fn dimension_number(&self, dim: isize) -> Option<usize> {
        let number = if dim < 0 { dim + self.rank() as isize } else { dim };
        if 0 <= number && number < self.rank() as isize { Some(number as usize) } else { None }
    }
}

/// The canonical text.
impl core::fmt::Debug for ArrayShape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}
