//! What is constant of a layout: its shape, sizes and bounds.

use layout_core::__private::native;
use layout_core::{ArrayShape, ElementType, List, Size, xla};

use crate::compiled::{Compiled, KNOWN_AT_RUN_TIME, stop};
use crate::text::text;
use crate::types::array::Array;
use crate::types::element::Element;
use crate::types::list::{DimList, NumberList, StaticDims};
use crate::types::property::Properties;
use crate::types::tiles::TileSpec;

impl<E: Element, D: DimList, M: NumberList, T: TileSpec, P: Properties> Array<E, D, M, T, P> {
    /// The same layout as a value.
    pub const SHAPE: &'static ArrayShape = {
        let () = <Self as Compiled>::VALID;
        <Self as Compiled>::VALUE
    };

    /// Number of dimensions.
    pub const RANK: usize = {
        let () = <Self as Compiled>::VALID;
        D::RANK
    };

    /// Number of dimensions greater than 1.
    pub const TRUE_RANK: usize = xla::true_num_dimensions(Self::SHAPE);

    /// Sizes of the dimensions in elements, dimension 0 first; of `<=N` the bound.
    pub const DIMS: D::Index = {
        let () = <Self as Compiled>::VALID;
        D::SIZES
    };

    /// Numbers of the dimensions, the most minor (fastest varying in memory) first.
    pub const MINOR_TO_MAJOR: M::Array = {
        let () = <Self as Compiled>::VALID;
        M::ARRAY
    };

    /// Type of the elements.
    pub const ELEMENT_TYPE: ElementType = {
        let () = <Self as Compiled>::VALID;
        E::TYPE
    };

    /// Elements of the array.
    pub const ELEMENTS: usize = known(Self::SHAPE.elements());

    /// Slots for elements in memory: the padding of `PAD`, of all tiles and of `L` counted.
    pub const PADDED_ELEMENTS: usize = known(Self::SHAPE.padded_elements());

    /// Bits that an element takes in memory: as `E(n)` says, else its width in whole bytes.
    pub const ELEMENT_BITS: usize = {
        let () = <Self as Compiled>::VALID;
        <Self as Compiled>::BITS
    };

    /// Bytes of the elements alone, without any padding.
    pub const UNPADDED_BYTES: usize = known(Self::SHAPE.unpadded_bytes());

    /// Size in memory in bytes, as XLA documents it: padding and `L` included, packed as `E` says.
    pub const BYTES: usize = known(Self::SHAPE.bytes());

    /// Padded bytes divided by unpadded bytes: [`BYTES`](Self::BYTES) by
    /// [`UNPADDED_BYTES`](Self::UNPADDED_BYTES); 1 for an array without elements.
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
    /// [`xla::array_size`](crate::xla::array_size).
    pub const XLA_ARRAY_BYTES: usize = known(xla::array_size(Self::SHAPE));

    /// The memory space, `S(n)`; 0 if not said.
    pub const MEMORY_SPACE: i8 = Self::SHAPE.memory_space();

    /// Bounds of the array in memory, the most major first: the last shape of
    /// pad–reshape–transpose, without `L`. An array without elements takes no memory, whatever
    /// bounds `PAD` and tiles give it.
    pub const PHYSICAL_DIMS: &'static [usize] = match &native_list(Self::SHAPE.physical_dims()) {
        Some(dims) => dims.as_slice(),
        None => stop(KNOWN_AT_RUN_TIME),
    };

    /// The canonical text, as XLA prints it.
    pub const TEXT: &'static str = {
        let () = <Self as Compiled>::VALID;
        text::<Self>()
    };

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
        match xla::get_dimension_number(Self::SHAPE, dim) {
            Some(number) => Self::size(number),
            None => no_dim(dim, Self::RANK),
        }
    }

    const fn size(dim: usize) -> usize {
        <Self as Compiled>::SIZES[dim]
    }
}

/// A size of a type; stops the build where it is known at run time only.
#[track_caller]
const fn known(size: Option<Size>) -> usize {
    match size {
        Some(size) => native(size),
        None => stop(KNOWN_AT_RUN_TIME),
    }
}

const fn native_list<const N: usize>(list: Option<List<N>>) -> Option<List<N, usize>> {
    match list {
        Some(list) => Some(list.to_native()),
        None => None,
    }
}

#[cold]
#[track_caller]
const fn no_dim(dim: isize, rank: usize) -> ! {
    stop!(
        "dimension ",
        layout_core::__private::Part::Signed(dim as i64),
        " is out of range for an array of rank ",
        rank
    )
}
