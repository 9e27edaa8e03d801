//! PJRT's C structs.

use core::ffi::{c_int, c_void};
use core::marker::PhantomData;
use core::ptr;

use crate::digit_order::{NotExpressible, NotThisLayout};
use crate::notation::write::{COMBINED, number, order_and_tiles};
use layout_core::base::text::subslice;
use layout_core::base::width::native;
use layout_core::limits::{MAX_DIMS, MAX_TILE_DIMS, MAX_TILES, Size};
use layout_core::{ArrayShape, Dim, ElementType, Fault, FaultKind, Place, TileDim, Tiles};

/// A layout as the arrays of numbers that PJRT's `PJRT_Buffer_MemoryLayout_Tiled` points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pjrt {
    minor_to_major: [i64; MAX_DIMS],
    rank: usize,
    tile_dims: [i64; MAX_TILE_DIMS],
    tile_dim_sizes: [usize; MAX_TILES],
    tiles: Tiles,
}

/// `PJRT_Buffer_MemoryLayout_Tiled` of PJRT's C interface (`pjrt_c_api.h`), with the same fields in memory.
/// It points into the [`Pjrt`] that made it.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PjrtMemoryLayoutTiled<'a> {
    /// Size of the struct in bytes.
    pub struct_size: usize,
    /// Always null.
    pub extension_start: *mut c_void,
    /// Order of the dimensions, most minor first.
    pub minor_to_major: *const i64,
    /// Number of dimensions.
    pub minor_to_major_size: usize,
    /// The entries of all tiles, tile by tile.
    pub tile_dims: *const i64,
    /// The number of entries of each tile.
    pub tile_dim_sizes: *const usize,
    /// Number of tiles.
    pub num_tiles: usize,
    numbers: PhantomData<&'a Pjrt>,
}

/// `PJRT_Buffer_MemoryLayout` of PJRT's C interface (`pjrt_c_api.h`) with the union member `tiled`, the
/// largest. A pointer to it can be cast to a pointer to the struct of any binding of that header.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PjrtMemoryLayout<'a> {
    /// Size of the struct in bytes, up to the end of its last field.
    pub struct_size: usize,
    /// Always null.
    pub extension_start: *mut c_void,
    /// The layout.
    pub tiled: PjrtMemoryLayoutTiled<'a>,
    /// Always 0, `PJRT_Buffer_MemoryLayout_Type_Tiled`.
    pub type_: c_int,
}

impl Pjrt {
    /// Order of the dimensions, most minor first.
    pub const fn minor_to_major(&self) -> &[i64] {
        subslice(&self.minor_to_major, 0, self.rank)
    }

    /// The entries of all tiles, tile by tile; a `*` is −2⁶³.
    pub const fn tile_dims(&self) -> &[i64] {
        let mut entries = 0;
        each!(for tile in 0..self.tiles.len() {
            entries += self.tile_dim_sizes[tile];
        });
        subslice(&self.tile_dims, 0, entries)
    }

    /// The number of entries of each tile.
    pub const fn tile_dim_sizes(&self) -> &[usize] {
        subslice(&self.tile_dim_sizes, 0, self.tiles.len())
    }

    /// The C struct `PJRT_Buffer_MemoryLayout_Tiled`, which points to these numbers.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_notation::notation::{Pjrt, PjrtMemoryLayoutTiled};
    ///
    /// const SHAPE: ArrayShape = match ArrayShape::parse_const("bf16[20,300]{1,0:T(8,128)(2,1)}") {
    ///     Ok(shape) => shape,
    ///     Err(_) => panic!(),
    /// };
    /// static NUMBERS: Pjrt = match Pjrt::of(&SHAPE) {
    ///     Ok(numbers) => numbers,
    ///     Err(_) => panic!(),
    /// };
    /// let tiled: PjrtMemoryLayoutTiled<'static> = NUMBERS.tiled();
    /// assert_eq!((tiled.minor_to_major_size, tiled.num_tiles), (2, 2));
    /// ```
    pub const fn tiled(&self) -> PjrtMemoryLayoutTiled<'_> {
        PjrtMemoryLayoutTiled {
            struct_size: size_of::<PjrtMemoryLayoutTiled<'_>>(),
            extension_start: ptr::null_mut(),
            minor_to_major: self.minor_to_major.as_ptr(),
            minor_to_major_size: self.rank,
            tile_dims: self.tile_dims.as_ptr(),
            tile_dim_sizes: self.tile_dim_sizes.as_ptr(),
            num_tiles: self.tiles.len(),
            numbers: PhantomData,
        }
    }

    /// The C struct `PJRT_Buffer_MemoryLayout`, which PJRT's functions take, such as for `device_layout` of
    /// `PJRT_Client_BufferFromHostBuffer_Args`.
    pub const fn memory_layout(&self) -> PjrtMemoryLayout<'_> {
        PjrtMemoryLayout {
            struct_size: core::mem::offset_of!(PjrtMemoryLayout<'_>, type_) + size_of::<c_int>(),
            extension_start: ptr::null_mut(),
            tiled: self.tiled(),
            type_: 0,
        }
    }
}

impl Pjrt {
    /// The array in this layout, which is one for every size. Its element type and properties stay, except for `PAD`
    /// and `E`.
    ///
    /// # Errors
    /// [`Rank`](NotThisLayout::Rank) if the array has another number of dimensions, and
    /// [`Shape`](NotThisLayout::Shape) if it is not valid in this layout.
    ///
    /// # Examples
    /// ```
    /// use layout::{ArrayShape, notation::Pjrt};
    ///
    /// let shape: ArrayShape = "bf16[20,300]{1,0:T(8,128)(2,1)}".parse()?;
    /// let pjrt = Pjrt::of(&shape)?;
    /// assert_eq!(pjrt.layout(&"bf16[7,9]".parse()?)?.to_string(), "bf16[7,9]{1,0:T(8,128)(2,1)}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, NotThisLayout> {
        NotThisLayout::same_rank(self.rank, array)?;
        // The numbers are those of a valid shape.
        let mut minor_to_major = [0; MAX_DIMS];
        for (to, from) in minor_to_major.iter_mut().zip(self.minor_to_major()) {
            *to = *from as usize;
        }
        let array = array.with_packed_elements(false)?;
        Ok(array.laid_out(&minor_to_major[..self.rank], &self.tiles)?)
    }
}

impl Pjrt {
    /// The layout as PJRT's `PJRT_Buffer_MemoryLayout_Tiled`; methods of the result give the C structs. Sizes
    /// of dimensions may be unknown.
    ///
    /// Defined by `pjrt_c_api.h` and `pjrt_c_api_helpers.cc` of XLA.
    ///
    /// # Errors
    /// [`Widened`](NotExpressible::Widened), [`Tail`](NotExpressible::Tail) or
    /// [`ElementSize`](NotExpressible::ElementSize) if `PAD` widens a dimension, `L` adds slots, or `E` packs or
    /// widens elements.
    ///
    /// # Examples
    /// ```
    /// use layout_notation::notation::Pjrt;
    ///
    /// let shape: layout::ArrayShape = "bf16[20,300]{1,0:T(8,128)(2,1)}".parse()?;
    /// let pjrt = Pjrt::of(&shape)?;
    /// assert_eq!(pjrt.minor_to_major(), [1, 0]);
    /// assert_eq!(pjrt.tile_dims(), [8, 128, 2, 1]);
    /// assert_eq!(pjrt.tile_dim_sizes(), [2, 2]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub const fn of(shape: &ArrayShape) -> Result<Pjrt, NotExpressible> {
        if let Err(error) = order_and_tiles(shape) {
            return Err(error);
        }
        if shape.element_bits() != 8 * shape.element_type().bytes() {
            return Err(NotExpressible::ElementSize);
        }
        let tiles = shape.tiles();
        let mut pjrt = Pjrt {
            minor_to_major: [0; MAX_DIMS],
            rank: shape.rank(),
            tile_dims: [0; MAX_TILE_DIMS],
            tile_dim_sizes: [0; MAX_TILES],
            tiles: *tiles,
        };
        each!(for i in 0..pjrt.rank {
            pjrt.minor_to_major[i] = shape.minor_to_major()[i] as i64;
        });
        let mut entries = 0;
        each!(for tile in 0..tiles.len() {
            pjrt.tile_dim_sizes[tile] = tiles.len_of(tile);
            each!(for i in 0..pjrt.tile_dim_sizes[tile] {
                pjrt.tile_dims[entries] = number(tiles.dim(tile, i));
                entries += 1;
            });
        });
        Ok(pjrt)
    }

    /// The array with these dimensions (dimension 0 first) and the layout of a
    /// `PJRT_Buffer_MemoryLayout_Tiled`, given as slices. The length of `tile_dims` is the sum of
    /// `tile_dim_sizes`.
    ///
    /// # Errors
    /// If a dimension is negative, if the length of `tile_dims` is not the sum of `tile_dim_sizes`, if an
    /// entry of a tile is neither positive nor −2⁶³ (XLA's `*`), and for every fault that parsing the
    /// layout's text would report.
    ///
    /// # Examples
    /// ```
    /// use layout::ElementType;
    /// use layout_notation::notation::Pjrt;
    ///
    /// let shape = Pjrt::shape(ElementType::BF16, &[20, 300], &[1, 0], &[8, 128, 2, 1], &[2, 2])?;
    /// assert_eq!(shape.to_string(), "bf16[20,300]{1,0:T(8,128)(2,1)}");
    ///
    /// let error = Pjrt::shape(ElementType::BF16, &[20, 300], &[1, 0], &[8, 2], &[2, 2]).unwrap_err();
    /// assert_eq!(error.to_string(), "tile_dims has 2 entries, but tile_dim_sizes add up to 4");
    /// # Ok::<(), layout_notation::notation::NotThisLayout>(())
    /// ```
    pub fn shape(
        element: ElementType,
        dims: &[i64],
        minor_to_major: &[i64],
        tile_dims: &[i64],
        tile_dim_sizes: &[usize],
    ) -> Result<ArrayShape, NotThisLayout> {
        // One more than there can be is enough to be found too many.
        let mut sizes = [Dim::Static(0); MAX_DIMS + 1];
        for (dim, (to, &size)) in sizes.iter_mut().zip(dims).enumerate() {
            *to = Dim::Static(unsigned(size).ok_or(NotThisLayout::NegativeSize { dim, size })?);
        }
        if minor_to_major.len() != dims.len() {
            let kind =
                FaultKind::MinorToMajorCount { entries: minor_to_major.len(), rank: dims.len() };
            return Err(Fault::of_value(kind, Place::MinorToMajor).into());
        }
        let mut order = [0; MAX_DIMS + 1];
        for (to, &dim) in order.iter_mut().zip(minor_to_major) {
            // No dimension has this number, nor a negative one.
            *to = unsigned(dim).map_or(usize::MAX, native);
        }
        let sum = tile_dim_sizes.iter().fold(0, |sum: usize, &len| sum.saturating_add(len));
        if sum != tile_dims.len() {
            return Err(NotThisLayout::TileDims { entries: tile_dims.len(), sum });
        }
        let mut entries = [TileDim::Combined; MAX_TILE_DIMS + 1];
        for (entry, (to, &size)) in entries.iter_mut().zip(tile_dims).enumerate() {
            if size != COMBINED {
                *to = TileDim::Size(unsigned(size).ok_or(NotThisLayout::TileDim { entry, size })?);
            }
        }
        let mut tiles: [&[TileDim]; MAX_TILES + 1] = [&[]; MAX_TILES + 1];
        let mut rest = &entries[..tile_dims.len().min(entries.len())];
        for (tile, &len) in tiles.iter_mut().zip(tile_dim_sizes) {
            (*tile, rest) = rest.split_at(len.min(rest.len()));
        }
        let dims = &sizes[..dims.len().min(sizes.len())];
        let minor_to_major = &order[..minor_to_major.len().min(order.len())];
        let tiles = &tiles[..tile_dim_sizes.len().min(tiles.len())];
        Ok(ArrayShape::of_lists(element, dims, minor_to_major, tiles)?)
    }
}

/// A number that is not negative.
fn unsigned(number: i64) -> Option<Size> {
    Size::try_from(number).ok()
}
