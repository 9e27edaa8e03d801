//! The shape of an array with its layout.

use crate::base::{MAX_DIMS, Size, subslice};
use crate::shape::dim::Dim;
use crate::shape::element::ElementType;
use crate::shape::fill::Fill;
use crate::shape::splits::Splits;
use crate::shape::swizzle::{Swizzle, SwizzleUnit};
use crate::shape::tiles::Tiles;

/// The shape of an array with its layout, as a value: `bf16[2048,4096]{1,0:T(8,128)(2,1)}`.
///
/// Parse it from text, or make it with [`new`](Self::new) and the methods `with_…`. [`digits`](Self::digits) gives
/// offsets and indices.
///
/// Every value is valid: its order is a permutation of the dimensions, each tile has entries, and no count exceeds
/// [`MAX_SIZE`](crate::limits::MAX_SIZE). It needs no heap.
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
    pub(crate) fields: ArrayFields,
}

/// The fields of an [`ArrayShape`], not yet checked: use it to change several parts of a shape at once.
///
/// Take the [fields](ArrayShape::fields) of a shape, change them, and make a shape of them with
/// [`checked`](Self::checked). Lists have room for [`MAX_DIMS`] dimensions; what is past the rank does not matter.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::shape::Dim;
///
/// let shape: ArrayShape = "f32[3,5]{0,1}".parse()?;
/// let mut fields = *shape.fields();
/// (fields.has_padding, fields.padded_dims[0], fields.padded_dims[1]) = (true, 4, 8);
/// fields.tail_alignment = 64;
/// assert_eq!(fields.checked()?.to_string(), "f32[3,5]{0,1:PAD(4,8)L(64)}");
///
/// fields.dims[1] = Dim::Static(9);
/// assert!(fields.checked().is_err(), "9 columns do not fit in 8");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ArrayFields {
    /// Type of the elements.
    pub element: ElementType,
    /// Number of dimensions.
    pub rank: u8,
    /// The dimensions, dimension 0 first.
    pub dims: [Dim; MAX_DIMS],
    /// Their order in memory, the most minor first.
    pub minor_to_major: [usize; MAX_DIMS],
    /// Whether the layout has `PAD`.
    pub has_padding: bool,
    /// Widths of the dimensions under `PAD`, without it 0.
    pub padded_dims: [Size; MAX_DIMS],
    /// `FILL`: the value of the padding.
    pub fill: Option<Fill>,
    /// Tiles, the outermost first.
    pub tiles: Tiles,
    /// `L`: the slots are a multiple of it; 1 without it.
    pub tail_alignment: Size,
    /// `E`: bits of an element in memory; 0 without it.
    pub element_size: Size,
    /// `S`.
    pub memory_space: i64,
    /// `SC`.
    pub splits: Splits,
    /// `M`: bytes before the array.
    pub metadata_prefix: Size,
    /// The swizzle of offsets.
    pub swizzle: Swizzle,
}

impl ArrayFields {
    /// A scalar in the default memory space.
    pub(crate) const fn scalar(element: ElementType) -> ArrayFields {
        ArrayFields {
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
            swizzle: Swizzle::NONE,
        }
    }

    /// The shape, without a check. Each caller says why the fields are valid.
    #[inline(always)]
    pub(crate) const fn trusted(self) -> ArrayShape {
        ArrayShape { fields: self }
    }

    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        self.rank as usize
    }

    /// Width of dimension `dim` before tiling: as padded by `PAD`, 0 for `?`.
    pub const fn width(&self, dim: usize) -> Size {
        if self.has_padding {
            return self.padded_dims[dim];
        }
        match self.dims[dim].size() {
            Some(size) => size,
            None => 0,
        }
    }

    /// Bits of an element in memory.
    pub const fn element_bits(&self) -> Size {
        if self.element_size == 0 { 8 * self.element.bytes() } else { self.element_size }
    }

    /// The array with a swizzle. A swizzle of no bits becomes `NONE`, so that arrays are equal if their texts are.
    pub const fn with_swizzle(self, swizzle: Swizzle) -> ArrayFields {
        ArrayFields { swizzle: if swizzle.is_none() { Swizzle::NONE } else { swizzle }, ..self }
    }

    /// The swizzle of offsets in elements. The fields must have passed the checks.
    pub(crate) const fn swizzle_of_elements(&self) -> Swizzle {
        match self.swizzle.in_unit(SwizzleUnit::Elements, self.element_bits()) {
            Some(swizzle) => swizzle,
            None => Swizzle::NONE,
        }
    }

    /// Whether no size is 0; a size that is unknown is not.
    pub const fn has_elements(&self) -> bool {
        each!(for dim in 0..self.rank() {
            if let Some(0) = self.dims[dim].size() {
                return false;
            }
        });
        true
    }

    /// Takes the default order: the last dimension is the most minor.
    pub const fn set_default_order(&mut self) {
        each!(for i in 0..self.rank() {
            self.minor_to_major[i] = self.rank() - 1 - i;
        });
    }

    /// Removes the layout's properties; the order of the dimensions stays.
    pub const fn order_alone(&self) -> ArrayFields {
        ArrayFields {
            rank: self.rank,
            dims: self.dims,
            minor_to_major: self.minor_to_major,
            ..ArrayFields::scalar(self.element)
        }
    }
}

impl ArrayShape {
    /// A scalar in the default memory space.
    pub const fn scalar(element: ElementType) -> ArrayShape {
        ArrayShape { fields: ArrayFields::scalar(element) }
    }

    /// Its fields. To change several at once, copy them and call [`checked`](ArrayFields::checked).
    pub const fn fields(&self) -> &ArrayFields {
        &self.fields
    }

    /// Dimension `dim`, which is less than the rank.
    pub const fn dim(&self, dim: usize) -> Dim {
        self.fields.dims[dim]
    }

    /// The dimension at a place from minor to major.
    pub const fn ordered_dim(&self, place: usize) -> usize {
        self.fields.minor_to_major[place]
    }

    /// Number of dimensions (XLA's rank).
    pub const fn rank(&self) -> usize {
        self.fields.rank as usize
    }

    /// Type of the elements.
    pub const fn element_type(&self) -> ElementType {
        self.fields.element
    }

    /// Sizes of the dimensions, dimension 0 first.
    #[doc(alias("HasDegenerateDimensions", "IndexInBounds"))]
    pub const fn dims(&self) -> &[Dim] {
        subslice(&self.fields.dims, 0, self.rank())
    }

    /// Order of the dimensions in memory, most minor (fastest varying) first.
    #[doc(alias("MinorToMajor", "Minor", "IsMonotonicWithDim0Minor", "HasAscendingLayout"))]
    #[doc(alias = "AreDimensionsConsecutive")]
    pub const fn minor_to_major(&self) -> &[usize] {
        subslice(&self.fields.minor_to_major, 0, self.rank())
    }

    /// The tiles, in the order in which they are applied.
    #[doc(alias = "PackedFactorFor1DInterleavedArray")]
    pub const fn tiles(&self) -> &Tiles {
        &self.fields.tiles
    }

    /// `PAD(..)`: the widths to which the dimensions are padded before tiling, dimension 0 first.
    pub const fn padded_dimensions(&self) -> Option<&[Size]> {
        if self.fields.has_padding {
            Some(subslice(&self.fields.padded_dims, 0, self.rank()))
        } else {
            None
        }
    }

    /// `FILL(..)`: the value of the padding, if given.
    pub const fn fill(&self) -> Option<Fill> {
        self.fields.fill
    }

    /// `L(n)`: the number of elements in memory is rounded up to a multiple of this; 1 by default.
    pub const fn tail_padding_alignment(&self) -> Size {
        self.fields.tail_alignment
    }

    /// `E(n)`: bits of an element in memory, if given. [`element_bits`](Self::element_bits) has the default
    /// too.
    #[doc(alias = "HasCustomElementSizeInBits")]
    pub const fn element_size_in_bits(&self) -> Option<Size> {
        if self.fields.element_size == 0 { None } else { Some(self.fields.element_size) }
    }

    /// `S(n)`: the memory space; 0 by default.
    #[doc(alias = "MemorySpace")]
    pub const fn memory_space(&self) -> i8 {
        self.fields.memory_space as i8
    }

    /// `SC(..)`: where the array is split across memories.
    #[doc(alias = "GetSplitConfig")]
    pub const fn splits(&self) -> &Splits {
        &self.fields.splits
    }

    /// `M(n)`: bytes before the array that hold its dynamic sizes; 0 by default.
    pub const fn dynamic_metadata_prefix_bytes(&self) -> Size {
        self.fields.metadata_prefix
    }

    /// The swizzle of its memory; [`Swizzle::NONE`] by default.
    pub const fn swizzle(&self) -> Swizzle {
        self.fields().swizzle
    }

    /// The array without a swizzle: the offsets are those of the digits alone.
    pub const fn without_swizzle(&self) -> ArrayShape {
        // It takes no more memory than with it.
        ArrayFields { swizzle: Swizzle::NONE, ..*self.fields() }.trusted()
    }

    /// Whether `PAD` makes a dimension wider than it is.
    pub const fn is_widened(&self) -> bool {
        each!(for dim in 0..self.rank() {
            if let Some(size) = self.dim(dim).size()
                && size != self.width(dim)
            {
                return true;
            }
        });
        false
    }

    /// Width of dimension `dim` before tiling: as padded by `PAD`, 0 for `?`.
    ///
    /// # Panics
    /// If there is no such dimension.
    pub const fn width(&self, dim: usize) -> Size {
        self.fields.width(dim)
    }

    /// Whether a size is not known: a `?`.
    pub const fn is_unbounded(&self) -> bool {
        self.unknown_size().is_some()
    }
}

/// The canonical text.
impl core::fmt::Debug for ArrayShape {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        core::fmt::Display::fmt(self, f)
    }
}
