//! Making shapes from their parts, and replacing parts.

use crate::edit::order::descending_order;
use crate::fault::error::Fault;
use crate::limits::{MAX_DIMS, MAX_SIZE, Size};
use crate::parse::build::{self, Parts};
use crate::shape::array::ArrayShape;
use crate::shape::dim::Dim;
use crate::shape::element::ElementType;
use crate::shape::tiles::Tiles;

impl ArrayShape {
    /// An array in the default layout: the last dimension is the most minor, without tiles.
    ///
    /// # Errors
    /// If there are more than [`MAX_DIMS`] dimensions, or if the elements do not fit in [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes.
    ///
    /// # Examples
    /// ```
    /// use layout::{ArrayShape, Dim, ElementType};
    ///
    /// let shape = ArrayShape::new(ElementType::F32, &[Dim::Static(3), Dim::Bounded(5)]).unwrap();
    /// assert_eq!(shape.to_string(), "f32[3,<=5]{1,0}");
    /// ```
    #[doc(alias = "MakeShape")]
    #[doc(alias = "MakeValidatedShape")]
    #[doc(alias = "MakeShapeWithDescendingLayout")]
    #[doc(alias = "GetDefaultLayoutForShape")]
    pub const fn new(element: ElementType, dims: &[Dim]) -> Result<ArrayShape, Fault> {
        // Too many dimensions are a fault in any order.
        let rank = if dims.len() > MAX_DIMS { MAX_DIMS } else { dims.len() };
        match descending_order(rank) {
            Some(order) => {
                ArrayShape::with_dense_layout(element, dims, order.as_slice(), &Tiles::NONE)
            }
            None => Ok(ArrayShape::scalar(element)),
        }
    }

    /// An array with an order of dimensions, most minor first, and tiles.
    ///
    /// # Errors
    /// If there are more than [`MAX_DIMS`] dimensions, if the order is not a permutation of them, if a tile
    /// is not valid, or if the array exceeds [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes, padding included.
    ///
    /// # Examples
    /// ```
    /// use layout::{ArrayShape, ElementType};
    /// use layout::Dim::Static;
    /// use layout::tpu::TileFormat;
    ///
    /// let tiles = TileFormat::Bits16.tiles();
    /// let dims = [Static(20), Static(300)];
    /// let shape = ArrayShape::with_dense_layout(ElementType::BF16, &dims, &[1, 0], &tiles).unwrap();
    /// assert_eq!(shape.to_string(), "bf16[20,300]{1,0:T(8,128)(2,1)}");
    /// ```
    #[doc(alias = "MakeShapeWithDenseLayout")]
    pub const fn with_dense_layout(
        element: ElementType,
        dims: &[Dim],
        minor_to_major: &[usize],
        tiles: &Tiles,
    ) -> Result<ArrayShape, Fault> {
        let parts = Parts { element, dims, minor_to_major, tiles: &[], properties: &[] };
        match build::parts(&parts, MAX_SIZE) {
            Ok(built) if tiles.is_empty() => Ok(built.shape),
            Ok(built) => built.shape.with_tiles(tiles),
            Err(fault) => Err(fault),
        }
    }

    /// The array with other tiles.
    ///
    /// # Errors
    /// If a tile is not valid, or if the array exceeds [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes, padding included.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::tpu::TileFormat;
    ///
    /// let shape: ArrayShape = "bf16[300,1000]".parse()?;
    /// let tiled = shape.with_tiles(&TileFormat::Bits16.tiles()).unwrap();
    /// assert_eq!(tiled.to_string(), "bf16[300,1000]{1,0:T(8,128)(2,1)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn with_tiles(&self, tiles: &Tiles) -> Result<ArrayShape, Fault> {
        let mut shape = *self;
        shape.tiles = *tiles;
        shape.checked()
    }

    /// The array with another order of dimensions, most minor first, other tiles, and without `PAD`.
    pub(crate) const fn laid_out(
        &self,
        minor_to_major: &[usize],
        tiles: &Tiles,
    ) -> Result<ArrayShape, Fault> {
        let mut shape = *self;
        (shape.has_padding, shape.padded_dims, shape.fill) = (false, [0; MAX_DIMS], None);
        shape.tiles = *tiles;
        shape.with_minor_to_major(minor_to_major)
    }

    /// The array with another element type. `E(n)` is removed, or set to the bits of the new type if that is
    /// narrower than a byte.
    ///
    /// # Errors
    /// If the array then exceeds [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes.
    ///
    /// # Examples
    /// ```
    /// use layout::{ArrayShape, ElementType};
    ///
    /// let shape: ArrayShape = "s4[20]{0:E(4)}".parse()?;
    /// assert_eq!(shape.with_element_type(ElementType::U4).unwrap().to_string(), "u4[20]{0:E(4)}");
    /// assert_eq!(shape.with_element_type(ElementType::U8).unwrap().to_string(), "u8[20]{0}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "ChangeElementType")]
    pub const fn with_element_type(&self, element: ElementType) -> Result<ArrayShape, Fault> {
        let mut shape = *self;
        shape.element = element;
        if self.element_size > 0 {
            shape.element_size = packed_bits(element);
        }
        shape.checked()
    }

    /// The array with or without packed elements: sets `E(n)` to the bits of the element type, if that is
    /// narrower than a byte and not `pred`, or else removes it.
    ///
    /// # Errors
    /// If the array then exceeds [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "s4[20]".parse()?;
    /// let packed = shape.with_packed_elements(true).unwrap();
    /// assert_eq!((packed.to_string().as_str(), packed.bytes()), ("s4[20]{0:E(4)}", Some(10)));
    /// assert_eq!(packed.with_packed_elements(false), Ok(shape));
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "UpdateElementSizeInBits")]
    pub const fn with_packed_elements(&self, packed: bool) -> Result<ArrayShape, Fault> {
        let mut shape = *self;
        shape.element_size = if packed { packed_bits(self.element) } else { 0 };
        shape.checked()
    }

    /// The array in another memory space.
    pub const fn with_memory_space(&self, space: i8) -> ArrayShape {
        let mut shape = *self;
        shape.memory_space = space as i64;
        shape
    }

    /// The array without tiles; the rest of its layout stays.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{0,1:T(2,2)S(1)}".parse()?;
    /// assert_eq!(shape.without_tiles().to_string(), "f32[3,5]{0,1:S(1)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "ClearTiles")]
    pub const fn without_tiles(&self) -> ArrayShape {
        let mut shape = *self;
        shape.tiles = Tiles::NONE;
        shape
    }

    /// The array as hosts store it: the same order of dimensions, and no properties.
    ///
    /// # Errors
    /// If the elements exceed [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes without the `E` that packs them.
    ///
    /// # Examples
    /// ```
    /// let shape: layout::ArrayShape = "s4[3,5]{0,1:T(2,2)E(4)S(1)}".parse()?;
    /// assert_eq!(shape.to_host_shape().unwrap().to_string(), "s4[3,5]{0,1}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "DeviceShapeToHostShape")]
    pub const fn to_host_shape(&self) -> Result<ArrayShape, Fault> {
        self.order_alone().checked()
    }

    /// Whether the layout is only an order of the dimensions, without properties.
    #[doc(alias = "DeviceShapeIsHostShape")]
    pub const fn is_host_shape(&self) -> bool {
        !self.has_padding
            && self.tiles.is_empty()
            && self.tail_alignment == 1
            && self.element_size == 0
            && self.memory_space == 0
            && self.splits.is_empty()
            && self.metadata_prefix == 0
    }

    /// The array in the default layout: the default order, without properties.
    ///
    /// # Errors
    /// If the elements exceed [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes without the `E` that packs them.
    #[doc(alias = "GetWithDefaultLayout")]
    #[doc(alias = "ClearLayout")]
    pub const fn without_layout(&self) -> Result<ArrayShape, Fault> {
        self.order_alone().with_default_order()
    }

    /// The array in the layout of another array: its order and every property.
    ///
    /// # Errors
    /// If the ranks differ (a fault of the order), or if the other array's `PAD`, `SC` or padding does not
    /// fit these dimensions.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    ///
    /// let (plain, tiled): (ArrayShape, ArrayShape) = ("f32[3,5]".parse()?, "u8[9,9]{0,1:T(2,2)}".parse()?);
    /// assert_eq!(plain.with_layout_of(&tiled).unwrap().to_string(), "f32[3,5]{0,1:T(2,2)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias = "CopyLayoutBetweenShapes")]
    pub const fn with_layout_of(&self, other: &ArrayShape) -> Result<ArrayShape, Fault> {
        if self.rank() != other.rank() {
            return self.with_minor_to_major(other.minor_to_major());
        }
        let mut shape = *other;
        shape.element = self.element;
        shape.dims = self.dims;
        shape.checked()
    }

    /// The order of the dimensions without properties. Not checked: elements that `E` packs may take too many
    /// bits without it, which numbers of elements do not depend on.
    pub(crate) const fn order_alone(&self) -> ArrayShape {
        ArrayShape {
            rank: self.rank,
            dims: self.dims,
            minor_to_major: self.minor_to_major,
            ..ArrayShape::scalar(self.element)
        }
    }
}

/// The bits of an element if XLA packs its type: one narrower than a byte, except `pred`; otherwise 0.
const fn packed_bits(element: ElementType) -> Size {
    if element.bits() < 8 && !matches!(element, ElementType::PRED) { element.bits() } else { 0 }
}
