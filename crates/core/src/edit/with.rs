//! Replacing parts of a shape: tiles, element type, memory space, layout, swizzle.

use core::fmt;

use crate::base::{MAX_DIMS, Size};
use crate::fault::{Fault, FaultKind, Place};
use crate::shape::{ArrayFields, ArrayShape, ElementType, Swizzle, Tiles};

impl ArrayShape {
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
        ArrayFields { tiles: *tiles, ..*self.fields() }.checked()
    }

    /// The array with another order of dimensions, most minor first, and other tiles, without `PAD` and without a swizzle.
    ///
    /// # Errors
    /// If the order or a tile is not valid, or if the array exceeds [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes, padding
    /// included.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    ///
    /// let shape: ArrayShape = "f32[3,5]{1,0:PAD(4,8)}".parse()?;
    /// let tiles = *"f32[3,5]{1,0:T(2,2)}".parse::<ArrayShape>()?.tiles();
    /// assert_eq!(shape.laid_out(&[0, 1], &tiles).unwrap().to_string(), "f32[3,5]{0,1:T(2,2)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn laid_out(
        &self,
        minor_to_major: &[usize],
        tiles: &Tiles,
    ) -> Result<ArrayShape, Fault> {
        let mut fields = *self.fields();
        (fields.has_padding, fields.padded_dims, fields.fill) = (false, [0; MAX_DIMS], None);
        (fields.tiles, fields.swizzle) = (Tiles::NONE, Swizzle::NONE);
        // It takes no more memory than before.
        ok!(fields.trusted().with_minor_to_major(minor_to_major)).with_tiles(tiles)
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
        let element_size = if self.fields().element_size > 0 { packed_bits(element) } else { 0 };
        ArrayFields { element, element_size, ..*self.fields() }.checked()
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
        let element_size = if packed { packed_bits(self.element_type()) } else { 0 };
        ArrayFields { element_size, ..*self.fields() }.checked()
    }

    /// The array in row-major order without tiles and padding.
    pub const fn row_major(&self) -> ArrayShape {
        let mut fields = self.fields().order_alone();
        fields.element_size = self.fields().element_size;
        fields.set_default_order();
        // It takes no more memory than the array.
        fields.trusted()
    }

    /// The array in the layout of another one: its order and every property.
    ///
    /// # Errors
    /// If the ranks differ (a fault of the order), or if `PAD`, `SC` or padding of that layout does not fit the dimensions.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    ///
    /// let (plain, tiled): (ArrayShape, ArrayShape) = ("f32[3,5]".parse()?, "u8[9,9]{0,1:T(2,2)}".parse()?);
    /// assert_eq!(plain.with_layout_of(&tiled)?.to_string(), "f32[3,5]{0,1:T(2,2)}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[doc(alias = "CopyLayoutBetweenShapes")]
    pub const fn with_layout_of(&self, other: &ArrayShape) -> Result<ArrayShape, Fault> {
        if self.rank() != other.rank() {
            return self.with_minor_to_major(other.minor_to_major());
        }
        let ArrayFields { element, dims, .. } = *self.fields();
        ArrayFields { element, dims, ..*other.fields() }.checked()
    }

    /// The array in another memory space.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    ///
    /// let shape: ArrayShape = "f32[8,128]{1,0:T(8,128)}".parse()?;
    /// assert_eq!(shape.with_memory_space(1).to_string(), "f32[8,128]{1,0:T(8,128)S(1)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    pub const fn with_memory_space(&self, space: i8) -> ArrayShape {
        // Any number of this type is valid.
        ArrayFields { memory_space: space as i64, ..*self.fields() }.trusted()
    }

    /// The array without tiles. The rest of its layout stays, except a swizzle that no longer fits its size.
    ///
    /// ```
    /// let shape: layout::ArrayShape = "f32[3,5]{0,1:T(2,2)S(1)}".parse()?;
    /// assert_eq!(shape.without_tiles().to_string(), "f32[3,5]{0,1:S(1)}");
    /// # Ok::<(), layout::Error>(())
    /// ```
    #[doc(alias("ClearTiles", "IsUntiledLayout"))]
    pub const fn without_tiles(&self) -> ArrayShape {
        let mut fields = ArrayFields { tiles: Tiles::NONE, ..*self.fields() };
        if fields.checked().is_err() {
            fields.swizzle = Swizzle::NONE;
        }
        // It takes no more memory than with them.
        fields.trusted()
    }

    /// The array in the default layout: the default order, without properties.
    ///
    /// # Errors
    /// If the elements exceed [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes without the `E` that packs them.
    #[doc(alias("GetWithDefaultLayout", "ClearLayout", "DeviceShapeToHostShape"))]
    pub const fn without_layout(&self) -> Result<ArrayShape, Fault> {
        let mut fields = self.fields().order_alone();
        fields.set_default_order();
        fields.checked()
    }

    /// The array with another swizzle: the offset of each element is that of the layout, XORed with bits of itself.
    /// [`Swizzle::NONE`] removes the swizzle.
    ///
    /// XLA's notation has no swizzle. [`Display`](fmt::Display) writes it after the shape, as in `layout!`;
    /// [`xla_text`](Self::xla_text) is then an error.
    ///
    /// # Errors
    /// If the swizzle splits elements, or exchanges elements with memory past the end of the array.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::shape::Swizzle;
    ///
    /// let rows: ArrayShape = "f16[64,64]".parse()?;
    /// let tile = rows.with_swizzle(Swizzle::MODE_128B)?;
    /// assert_eq!(tile.to_string(), "f16[64,64]{1,0}, swizzle = 128B");
    /// assert_eq!(tile.digits()?.offset(&[1, 0]), Some(64 + 8));
    /// assert_eq!(*tile.digits()?.index(64 + 8).unwrap(), [1, 0]);
    ///
    /// let ragged: ArrayShape = "f16[3,10]".parse()?;
    /// assert_eq!(
    ///     ragged.with_swizzle(Swizzle::MODE_128B).unwrap_err().help().to_string(),
    ///     "pad the memory to whole blocks: `L(64)`, or pad a dimension",
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn with_swizzle(&self, swizzle: Swizzle) -> Result<ArrayShape, Fault> {
        self.fields().with_swizzle(swizzle).checked()
    }

    /// The canonical text in XLA's notation.
    ///
    /// # Errors
    /// If the array has a swizzle: XLA's notation has none.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout::shape::Swizzle;
    ///
    /// let rows: ArrayShape = "f16[64,64]".parse()?;
    /// assert_eq!(rows.xla_text()?.to_string(), "f16[64,64]{1,0}");
    /// let error = rows.with_swizzle(Swizzle::MODE_128B)?.xla_text().map(|_| ()).unwrap_err();
    /// assert_eq!(error.message().to_string(), "XLA's notation has no swizzle");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn xla_text(&self) -> Result<impl fmt::Display + use<>, Fault> {
        if self.swizzle().is_none() {
            Ok(*self)
        } else {
            FaultKind::SwizzleOfXla.at(Place::Swizzle)
        }
    }
}

/// The bits of an element if XLA packs its type: one narrower than a byte, except `pred`; otherwise 0.
const fn packed_bits(element: ElementType) -> Size {
    if element.bits() < 8 && !matches!(element, ElementType::PRED) { element.bits() } else { 0 }
}
