//! The type of an array's layout.

use core::marker::PhantomData;

use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, ElementType};

use crate::any::{AnyLayout, KNOWN_AT_RUN_TIME, stop};
use crate::element::Element;
use crate::eval::{self, NO_COUNTS};
use crate::list::{DimList, Dims, NumberList, StaticDims};
use crate::property::Properties;
use crate::text::text;
use crate::tiles::{TileSpec, Untiled};

/// The layout of an array, which [`layout!`](crate::layout) writes: everything about it is known
/// to the compiler, and a value of it does not exist.
///
/// `E` is a type of [`element`](crate::element), `D` the dimensions as a tuple of
/// [`C<N>`](crate::C) (dimension 0 first), `M` the order of the dimensions (the most minor first),
/// `T` the [tiles](crate::Tiles), `P` a tuple of [properties](crate::property). Two layouts with the
/// same canonical text are the same type, in whatever crate they are written.
pub struct Array<E, D, M, T = Untiled, P = ()> {
    _parts: PhantomData<(E, D, M, T, P)>,
}

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// The same layout as a value.
    pub const SHAPE: &'static ArrayShape = {
        let () = <Self as AnyLayout>::VALID;
        <Self as AnyLayout>::VALUE
    };

    /// Number of dimensions.
    pub const RANK: usize = {
        let () = <Self as AnyLayout>::VALID;
        D::RANK
    };

    /// Number of dimensions greater than 1.
    pub const TRUE_RANK: usize = Self::SHAPE.true_rank();

    /// Sizes of the dimensions in elements, dimension 0 first; of `<=N` the bound.
    pub const DIMS: D::Index = {
        let () = <Self as AnyLayout>::VALID;
        D::SIZES
    };

    /// Numbers of the dimensions, the most minor (fastest varying in memory) first.
    pub const MINOR_TO_MAJOR: M::Array = {
        let () = <Self as AnyLayout>::VALID;
        M::ARRAY
    };

    /// Type of the elements.
    pub const ELEMENT_TYPE: ElementType = {
        let () = <Self as AnyLayout>::VALID;
        E::TYPE
    };

    /// Elements of the array.
    pub const ELEMENTS: usize = known(Self::SHAPE.elements());

    /// Slots for elements in memory: the padding of `PAD`, of all tiles and of `L` counted.
    pub const PADDED_ELEMENTS: usize = known(Self::SHAPE.padded_elements());

    /// Bits that an element takes in memory: as `E(n)` says, else its width in whole bytes.
    pub const ELEMENT_BITS: usize = Self::SHAPE.element_bits();

    /// Bytes of the elements alone, without any padding.
    pub const UNPADDED_BYTES: usize = known(Self::SHAPE.unpadded_bytes());

    /// Bytes in memory by XLA's documents: all padding and `L` counted, packed as `E` says.
    pub const BYTES: usize = known(Self::SHAPE.bytes());

    /// How many times as many bytes the array takes in memory as its elements alone: [`BYTES`](Self::BYTES)
    /// by [`UNPADDED_BYTES`](Self::UNPADDED_BYTES), 1 for an array without elements.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// const _: () = assert!(A::EXPANSION <= 2.0);
    /// assert_eq!(A::EXPANSION, 1.6);
    /// ```
    pub const EXPANSION: f64 = match Self::SHAPE.expansion() {
        Some(expansion) => expansion,
        None => stop(KNOWN_AT_RUN_TIME),
    };

    /// Bytes in memory as XLA's `ShapeUtil::ArraySize` counts them: see
    /// [`ArrayShape::xla_array_bytes`].
    pub const XLA_ARRAY_BYTES: usize = known(Self::SHAPE.xla_array_bytes());

    /// The memory space, `S(n)`; 0 if not said.
    pub const MEMORY_SPACE: i8 = Self::SHAPE.memory_space();

    /// Bounds of the array in memory, the most major first: the last shape of
    /// pad–reshape–transpose, without `L`. An array without elements takes no memory, whatever
    /// bounds `PAD` and tiles give it.
    pub const PHYSICAL_DIMS: &'static [usize] = match &Self::SHAPE.physical_dims() {
        Some(dims) => dims.as_slice(),
        None => stop(KNOWN_AT_RUN_TIME),
    };

    /// The canonical text, as XLA prints it.
    pub const TEXT: &'static str = {
        let () = <Self as AnyLayout>::VALID;
        text::<Self>()
    };

    /// Position of the element at `index` in memory, in elements, padding counted.
    ///
    /// `linear_index_with_tile` of XLA's "Tiled layout" document, for every level of tiling.
    /// Coordinates are in dimension order (dimension 0 first).
    ///
    /// # Panics
    /// If a coordinate is not below its dimension; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// const AT: usize = A::offset([2, 3]);
    /// assert_eq!(AT, 17);
    /// ```
    #[inline(always)]
    #[track_caller]
    pub const fn offset<const R: usize>(index: [usize; R]) -> usize
    where
        D: Dims<R> + StaticDims,
    {
        eval::assert_in_range::<Self, R>(&index);
        Self::offset_unchecked(index)
    }

    /// As [`offset`](Self::offset), without looking whether the index is in range: outside the
    /// bounds the number means nothing.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::offset_unchecked([2, 3]), 17);
    /// ```
    #[inline(always)]
    pub const fn offset_unchecked<const R: usize>(index: [usize; R]) -> usize
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as AnyLayout>::VALID;
        eval::offset::<Self, R>(NO_COUNTS, &index)
    }

    /// As [`offset`](Self::offset), but `None` where a coordinate is not below its dimension.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::checked_offset([2, 3]), Some(17));
    /// assert_eq!(A::checked_offset([3, 0]), None);
    /// ```
    #[inline(always)]
    pub const fn checked_offset<const R: usize>(index: [usize; R]) -> Option<usize>
    where
        D: Dims<R> + StaticDims,
    {
        if eval::is_outside::<Self, R>(&index) {
            return None;
        }
        Some(Self::offset_unchecked(index))
    }

    /// The element at a position in memory, in elements; `None` for padding and beyond the end.
    ///
    /// Where tiles are no powers of two, this divides; where a `*` combines dimensions, it walks over
    /// the digits of the layout at some ten times the cost of an offset. Code that needs every
    /// element walks over [`indices`](Self::indices).
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::index(17), Some([2, 3]));
    /// assert_eq!(A::index(9), None);
    /// assert_eq!(A::index(24), None);
    /// ```
    #[inline(always)]
    pub const fn index<const R: usize>(offset: usize) -> Option<[usize; R]>
    where
        D: Dims<R> + StaticDims,
    {
        let () = <Self as AnyLayout>::VALID;
        eval::index::<Self, R>(NO_COUNTS, offset)
    }

    /// Whether a slot of memory holds no element. Beyond the end there are no slots.
    ///
    /// At run time it costs what [`index`](Self::index) does; [`paddings`](Self::paddings) walks
    /// over all padding.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert!(A::is_padding(9));
    /// assert!(!A::is_padding(17) && !A::is_padding(24));
    /// ```
    #[inline(always)]
    pub const fn is_padding(offset: usize) -> bool
    where
        D: StaticDims,
    {
        let () = <Self as AnyLayout>::VALID;
        offset < Self::PADDED_ELEMENTS && eval::index::<Self, MAX_DIMS>(NO_COUNTS, offset).is_none()
    }

    /// Size of a dimension in elements, counted from the end if negative: −1 is the last.
    ///
    /// # Panics
    /// If there is no such dimension; in a `const`, that stops the build.
    ///
    /// # Examples
    /// ```
    /// type A = layout::layout!(F32[3,5]{1,0:T(2,2)});
    /// assert_eq!(A::dim(0), 3);
    /// assert_eq!(A::dim(-1), 5);
    /// ```
    #[track_caller]
    pub const fn dim(dim: isize) -> usize
    where
        D: StaticDims,
    {
        match Self::SHAPE.dimension_number(dim) {
            Some(number) => Self::size(number),
            None => no_dim(dim, Self::RANK),
        }
    }

    const fn size(dim: usize) -> usize {
        <Self as AnyLayout>::SIZES[dim]
    }
}

/// A size of a type; stops the build where it is known at run time only.
const fn known(size: Option<usize>) -> usize {
    match size {
        Some(size) => size,
        None => stop(KNOWN_AT_RUN_TIME),
    }
}

#[cold]
#[track_caller]
const fn no_dim(dim: isize, rank: usize) -> ! {
    let mut text = layout_core::__private::Text::<160>::new();
    text.str("there is no dimension ");
    text.signed(dim);
    text.str(", the rank is ");
    text.number(rank);
    panic!("{}", text.as_str())
}
