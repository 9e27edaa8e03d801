//! Configurable equality of shapes.

use crate::base::{same_dim_numbers, same_numbers};
use crate::shape::{ArrayFields, ArrayShape, Dim, ElementType, Shape};

/// Whether two arrays have the same sizes, known and unknown; nothing else is compared.
#[doc(alias = "SameDimensions")]
pub const fn same_dimensions(shape: &ArrayShape, other: &ArrayShape) -> bool {
    Equal::new().ignore_element_type().ignore_layout().arrays(shape, other)
}

const fn same_padding(a: &ArrayFields, b: &ArrayFields) -> bool {
    let same_fill = match (a.fill, b.fill) {
        (Some(a), Some(b)) => a as u32 == b as u32,
        (None, None) => true,
        _ => false,
    };
    // Widths past the rank, and those without `PAD`, are 0.
    same_fill && a.has_padding == b.has_padding && same_numbers(&a.padded_dims, &b.padded_dims)
}

macro_rules! parts {
    ($($(#[$doc:meta])* $ignore:ident $bit:ident,)*) => {
        /// The parts of shapes that a comparison can ignore.
        #[derive(Clone, Copy)]
        #[repr(u32)]
        enum Ignorable {
            $($bit,)*
        }

        impl Equal {
            $(
                $(#[$doc])*
                pub const fn $ignore(self) -> Equal {
                    self.ignore(Ignorable::$bit)
                }
            )*
        }
    };
}

/// Configurable shape equality; initially the same as `==`.
///
/// Each `ignore_…` method leaves out one part of the shapes, also inside tuples. Unlike XLA's `Shape::Equal`,
/// it compares `M` too unless told otherwise.
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::shape::Equal;
///
/// let (a, b): (ArrayShape, ArrayShape) =
///     ("f32[3,5]{1,0:T(2,2)S(1)}".parse()?, "f32[3,5]{1,0:T(2,2)}".parse()?);
/// assert!(!Equal::new().arrays(&a, &b));
/// assert!(Equal::new().ignore_memory_space().arrays(&a, &b));
/// # Ok::<(), layout::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[doc(alias("LayoutUtil::Equal", "LayoutsInShapesEqual", "ShapeUtil::Equal", "Compatible"))]
#[doc(alias("CompatibleIgnoringElementType", "CompatibleIgnoringFpPrecision"))]
pub struct Equal {
    ignored: u32,
}

parts! {
    /// Ignores the whole layout: the order and every property.
    #[doc(alias = "IgnoreLayout")]
    ignore_layout Layout,
    /// Compares only the order of the dimensions, not the rest of the layouts.
    #[doc(alias = "MinorToMajorOnly")]
    minor_to_major_only Properties,
    /// Ignores tiles.
    #[doc(alias = "IgnoreTiles")]
    ignore_tiles Tiles,
    /// Ignores `PAD` and `FILL`.
    ignore_padding Padding,
    /// Ignores `L`.
    #[doc(alias = "IgnoreTailPaddingAlignmentInElements")]
    ignore_tail_padding TailPadding,
    /// Ignores `E`.
    #[doc(alias = "IgnoreElementSize")]
    ignore_element_size ElementSize,
    /// Ignores `S`.
    #[doc(alias = "IgnoreMemorySpace")]
    ignore_memory_space MemorySpace,
    /// Ignores `SC`.
    #[doc(alias = "IgnoreSplitConfigs")]
    ignore_splits Splits,
    /// Ignores `M`.
    ignore_metadata Metadata,
    /// Ignores element types.
    #[doc(alias = "IgnoreElementType")]
    ignore_element_type ElementType,
    /// Treats all floating-point types as equal.
    #[doc(alias = "IgnoreFpPrecision")]
    ignore_fp_precision FpPrecision,
    /// Treats `<=3` and `3` as equal, and `?` as equal to any size.
    #[doc(alias = "IgnoreDynamicDimension")]
    ignore_dynamic_dimension DynamicDimension,
    /// Treats `<=3` and `3` as equal.
    ignore_bounds Bounds,
    /// Ignores the sizes and the number of the dimensions.
    #[doc(alias = "IgnoreDimensions")]
    ignore_dimensions Dimensions,
    /// Treats a buffer as the array that it holds.
    #[doc(alias = "IgnoreBuffer")]
    ignore_buffer Buffer,
}

impl Equal {
    /// A comparison that ignores nothing.
    pub const fn new() -> Equal {
        Equal { ignored: 0 }
    }

    const fn ignore(self, part: Ignorable) -> Equal {
        Equal { ignored: self.ignored | 1 << part as u32 }
    }

    const fn ignores(self, part: Ignorable) -> bool {
        self.ignored & 1 << part as u32 != 0
    }

    /// Whether two arrays are equal, except for what is ignored.
    pub const fn arrays(self, a: &ArrayShape, b: &ArrayShape) -> bool {
        self.same_elements(a.element_type(), b.element_type())
            && self.same_dims(a, b)
            && self.layouts(a, b)
    }

    /// Whether the layouts of two arrays are equal; their dimensions and element types are not compared.
    pub const fn layouts(self, a: &ArrayShape, b: &ArrayShape) -> bool {
        if self.ignores(Ignorable::Layout) {
            return true;
        }
        if !same_dim_numbers(a.minor_to_major(), b.minor_to_major()) {
            return false;
        }
        let (a, b) = (a.fields(), b.fields());
        self.ignores(Ignorable::Properties)
            || (self.ignores(Ignorable::Tiles) || a.tiles.is_same(&b.tiles))
                && (self.ignores(Ignorable::Padding) || same_padding(a, b))
                && (self.ignores(Ignorable::TailPadding) || a.tail_alignment == b.tail_alignment)
                && (self.ignores(Ignorable::ElementSize) || a.element_size == b.element_size)
                && (self.ignores(Ignorable::MemorySpace) || a.memory_space == b.memory_space)
                && (self.ignores(Ignorable::Splits) || a.splits.is_same(&b.splits))
                && (self.ignores(Ignorable::Metadata) || a.metadata_prefix == b.metadata_prefix)
                && a.swizzle.is_same(b.swizzle)
    }

    /// Whether two shapes are equal, except for what is ignored. Tuples are compared part by part.
    ///
    /// # Examples
    /// ```
    /// # #[cfg(feature = "alloc")] {
    /// use layout::Shape;
    /// use layout::shape::Equal;
    ///
    /// let shape = |text: &str| text.parse::<Shape>().unwrap();
    /// let (a, b) = (shape("(f32[2,3]{0,1}, token[])"), shape("(bf16[2,3]{0,1}, token[])"));
    /// assert!(!Equal::new().shapes(&a, &b));
    /// assert!(Equal::new().ignore_fp_precision().shapes(&a, &b));
    /// # }
    /// ```
    pub fn shapes(self, a: &Shape, b: &Shape) -> bool {
        match (a, b) {
            (Shape::Array(a), Shape::Array(b)) | (Shape::Buffer(a), Shape::Buffer(b)) => {
                self.arrays(a, b)
            }
            (Shape::Array(a), Shape::Buffer(b)) | (Shape::Buffer(a), Shape::Array(b)) => {
                self.ignores(Ignorable::Buffer) && self.arrays(a, b)
            }
            (Shape::Tuple(a), Shape::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| self.shapes(a, b))
            }
            (Shape::Token, Shape::Token) | (Shape::Opaque, Shape::Opaque) => true,
            _ => false,
        }
    }

    const fn same_elements(self, a: ElementType, b: ElementType) -> bool {
        a as u32 == b as u32
            || self.ignores(Ignorable::ElementType)
            || self.ignores(Ignorable::FpPrecision) && a.is_float() && b.is_float()
    }

    const fn same_dims(self, a: &ArrayShape, b: &ArrayShape) -> bool {
        if self.ignores(Ignorable::Dimensions) {
            return true;
        }
        if a.rank() != b.rank() {
            return false;
        }
        let any = self.ignores(Ignorable::DynamicDimension);
        each!(for dim in 0..a.rank() {
            let (a, b) = (a.dim(dim), b.dim(dim));
            let matches_any = any && (matches!(a, Dim::Unbounded) || matches!(b, Dim::Unbounded));
            if !matches_any && !a.is_same(b, !any && !self.ignores(Ignorable::Bounds)) {
                return false;
            }
        });
        true
    }
}
