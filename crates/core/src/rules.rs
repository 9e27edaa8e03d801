//! Building an array's shape from its parts, which types or users list, and the rules for values.

pub(crate) mod check;
mod swizzle;

use crate::analysis::digits::Digits;
use crate::analysis::tiling::Tiling;
use crate::base::{MAX_DIMS, MAX_SIZE, SHORT_BOUNDS, SHORT_TILE_DIMS, Size};
use crate::fault::{Fault, FaultKind, Faults, Place};
use crate::shape::{
    ArrayFields, ArrayShape, Dim, ElementType, Fill, Property, Swizzle, SwizzleUnit, TileDim, Tiles,
};

impl ArrayShape {
    /// An array in the default layout: the last dimension is the most minor, without tiles.
    ///
    /// # Errors
    /// If there are more than [`MAX_DIMS`] dimensions, or if the elements do not fit in [`MAX_SIZE`](crate::limits::MAX_SIZE) bytes.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::Dim;
    /// use layout::{ArrayShape, ElementType};
    ///
    /// let shape = ArrayShape::new(ElementType::F32, &[Dim::Static(3), Dim::Bounded(5)]).unwrap();
    /// assert_eq!(shape.to_string(), "f32[3,<=5]{1,0}");
    /// ```
    #[doc(alias("MakeShape", "MakeValidatedShape", "MakeShapeWithDescendingLayout"))]
    #[doc(alias = "GetDefaultLayoutForShape")]
    pub const fn new(element: ElementType, dims: &[Dim]) -> Result<ArrayShape, Fault> {
        let mut fields = ok!(fields_of_dims(element, dims));
        fields.set_default_order();
        fields.checked()
    }

    /// The shape with these dimensions, dimension 0 first, in this order, the most minor dimension first, and with these tiles.
    ///
    /// # Errors
    /// The first fault that parsing the shape's text would report.
    ///
    /// # Examples
    /// ```
    /// use layout::shape::{Dim, TileDim::Size};
    /// use layout::{ArrayShape, ElementType};
    ///
    /// let dims = [Dim::Static(3), Dim::Static(5)];
    /// let shape = ArrayShape::of_lists(ElementType::F32, &dims, &[0, 1], &[&[Size(2), Size(2)]]);
    /// assert_eq!(shape.unwrap().to_string(), "f32[3,5]{0,1:T(2,2)}");
    /// ```
    #[doc(alias = "MakeShapeWithDenseLayout")]
    #[inline]
    pub const fn of_lists(
        element: ElementType,
        dims: &[Dim],
        minor_to_major: &[usize],
        tiles: &[&[TileDim]],
    ) -> Result<ArrayShape, Fault> {
        let lists = ArrayLists { element, dims, minor_to_major, tiles, properties: &[] };
        Ok(ok!(build(&lists, MAX_SIZE)).shape)
    }
}

/// The arguments of [`build`]: the fields of an array as lists, not yet checked.
#[derive(Clone, Copy, Debug)]
pub struct ArrayLists<'a> {
    /// Type of the elements.
    pub element: ElementType,
    /// Dimensions, dimension 0 first.
    pub dims: &'a [Dim],
    /// Their order.
    pub minor_to_major: &'a [usize],
    /// Tiles.
    pub tiles: &'a [&'a [TileDim]],
    /// Properties in their order.
    pub properties: &'a [PropertyValue<'a>],
}

/// A property with its value.
#[derive(Clone, Copy, Debug)]
pub enum PropertyValue<'a> {
    /// `PAD(3,5)`.
    Padding(&'a [Size]),
    /// `FILL(zero)`.
    Fill(Fill),
    /// `L(1024)`.
    TailAlignment(Size),
    /// `E(4)`.
    ElementSize(Size),
    /// `S(1)`.
    MemorySpace(i8),
    /// `SC(0:16)(1:8)`.
    Splits(&'a [(usize, &'a [Size])]),
    /// `M(16)`.
    MetadataPrefix(Size),
    /// `swizzle = 128B`, which is not XLA's: the unit and the three numbers.
    Swizzle(SwizzleUnit, (u8, u8, i8)),
}

impl PropertyValue<'_> {
    /// The property, and whether the value is its default, which the text leaves out. `None` of a swizzle, which XLA's
    /// notation does not have.
    const fn property_and_default(&self) -> Option<(Property, bool)> {
        Some(match *self {
            PropertyValue::Padding(_) => (Property::Padding, false),
            PropertyValue::Fill(_) => (Property::Fill, false),
            PropertyValue::TailAlignment(elements) => (Property::TailAlignment, elements == 1),
            PropertyValue::ElementSize(bits) => (Property::ElementSize, bits == 0),
            PropertyValue::MemorySpace(space) => (Property::MemorySpace, space == 0),
            PropertyValue::Splits(splits) => (Property::Splits, splits.is_empty()),
            PropertyValue::MetadataPrefix(bytes) => (Property::MetadataPrefix, bytes == 0),
            PropertyValue::Swizzle(..) => return None,
        })
    }
}

/// A shape and its digits, in as little room as most layouts need: the compiler looks at every byte of each type's
/// constant.
#[derive(Clone, Copy, Debug)]
pub struct Built {
    /// The shape.
    pub shape: ArrayShape,
    /// Its digits. If a dimension has no bound, they hold the known factors. Without terms, sums and quotients if these are
    /// more than there is room for.
    pub digits: Digits<SHORT_BOUNDS, SHORT_TILE_DIMS>,
    /// Whether they are all.
    pub is_short: bool,
}

/// The shape of an array with at most `most` elements and bytes.
///
/// # Errors
/// The first fault.
// Inline, as is what it calls: constants call it, and the library has no code of it that way.
#[inline]
pub const fn build(lists: &ArrayLists<'_>, most: Size) -> Result<Built, Fault> {
    let shape = ok!(lists.fields());
    let is_short = shape.is_short();
    let digits = if is_short {
        let mut tiling = Tiling::NONE;
        *ok!(checked_digits(&mut tiling, &shape, most))
    } else {
        let mut tiling: Tiling = Tiling::NONE;
        ok!(checked_digits(&mut tiling, &shape, most)).without_terms()
    };
    // It was checked with its tiles.
    Ok(Built { shape: shape.trusted(), digits, is_short })
}

/// The digits, made in room without bounds, of a shape without faults.
const fn checked_digits<'a, const TERMS: usize, const PARTS: usize>(
    tiling: &'a mut Tiling<TERMS, PARTS>,
    shape: &ArrayFields,
    most: Size,
) -> Result<&'a Digits<TERMS, PARTS>, Fault> {
    let mut faults = Faults::NONE;
    tiling.check(shape, most, &mut faults);
    ok!(faults.refuse(()));
    Ok(tiling.collect(shape))
}

/// The first size that is not a multiple of its number in `multiples`. A number of 0 allows any size, and so does a size
/// that is unknown.
pub const fn not_multiple(dims: &[Dim], multiples: &[Size]) -> Option<Fault> {
    each!(for dim in 0..dims.len() {
        let multiple = if dim < multiples.len() { multiples[dim] } else { 0 };
        if let Some(size) = dims[dim].size()
            && multiple > 0
            && size % multiple != 0
        {
            let kind = FaultKind::NotMultiple { dim, size, multiple };
            return Some(Fault::of_value(kind, Place::Dims));
        }
    });
    None
}

/// Tiles from their lists.
///
/// # Errors
/// The first fault.
pub const fn tiles(lists: &[&[TileDim]]) -> Result<Tiles, Fault> {
    checked(ok!(tiles_of_lists(lists)))
}

const fn tiles_of_lists(lists: &[&[TileDim]]) -> Result<Tiles, Fault> {
    let mut tiles = Tiles::NONE;
    each!(for tile in 0..lists.len() {
        ok!(begin_tile(&mut tiles));
        each!(for i in 0..lists[tile].len() {
            ok!(push_entry(&mut tiles, lists[tile][i]));
        });
    });
    Ok(tiles)
}

const fn begin_tile(tiles: &mut Tiles) -> Result<(), Fault> {
    if tiles.begin() { Ok(()) } else { FaultKind::TOO_MANY_TILES.at(Place::Tile(tiles.len())) }
}

const fn push_entry(tiles: &mut Tiles, entry: TileDim) -> Result<(), Fault> {
    if tiles.push(entry) {
        return Ok(());
    }
    FaultKind::TOO_MANY_TILE_DIMS.at(Place::Tile(tiles.len() - 1))
}

impl Tiles {
    /// Tiles by their sizes, each major to minor, in the order in which they are applied; usable in a `const`. For tiles with a
    /// `*`, parse a text: `"(*,8,128)".parse::<Tiles>()`.
    ///
    /// ```
    /// use layout::{ArrayShape, shape::Tiles};
    ///
    /// let rows = 4;
    /// let tiles = Tiles::of(&[&[8 * rows, 64], &[8, 32]])?;
    /// assert_eq!(tiles, "(32,64)(8,32)".parse::<Tiles>()?);
    /// let image = "u8[1080,7680]".parse::<ArrayShape>()?.with_tiles(&tiles)?;
    /// assert_eq!(image.to_string(), "u8[1080,7680]{1,0:T(32,64)(8,32)}");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// More than 8 tiles, more than 32 sizes in all tiles together, a tile without sizes or a size of 0.
    pub const fn of(sizes: &[&[Size]]) -> Result<Tiles, Fault> {
        let mut tiles = Tiles::NONE;
        each!(for tile in 0..sizes.len() {
            ok!(begin_tile(&mut tiles));
            each!(for i in 0..sizes[tile].len() {
                ok!(push_entry(&mut tiles, TileDim::Size(sizes[tile][i])));
            });
        });
        checked(tiles)
    }
}

const fn checked(tiles: Tiles) -> Result<Tiles, Fault> {
    let mut faults = Faults::NONE;
    check::tiles(&tiles, &mut faults);
    faults.refuse(tiles)
}

/// An array with these dimensions, without an order.
const fn fields_of_dims(element: ElementType, dims: &[Dim]) -> Result<ArrayFields, Fault> {
    if dims.len() > MAX_DIMS {
        return FaultKind::TOO_MANY_DIMS.at(Place::Dims);
    }
    let mut fields = ArrayFields::scalar(element);
    fields.rank = dims.len() as u8;
    fields.dims.split_at_mut(dims.len()).0.copy_from_slice(dims);
    Ok(fields)
}

impl ArrayLists<'_> {
    #[inline]
    const fn fields(&self) -> Result<ArrayFields, Fault> {
        let mut shape = ok!(fields_of_dims(self.element, self.dims));
        let (entries, rank) = (self.minor_to_major.len(), self.dims.len());
        if entries != rank {
            return FaultKind::MinorToMajorCount { entries, rank }.at(Place::MinorToMajor);
        }
        shape.minor_to_major.split_at_mut(rank).0.copy_from_slice(self.minor_to_major);
        shape.tiles = ok!(tiles_of_lists(self.tiles));
        let mut given = Given::NOTHING;
        each!(for i in 0..self.properties.len() {
            let value = &self.properties[i];
            if let Some((property, is_default)) = value.property_and_default() {
                let place = Place::Property(property);
                if let Some(fault) = given.add(property) {
                    return fault.at(place);
                }
                if is_default {
                    return FaultKind::Default { property }.at(place);
                }
            } else if i + 1 < self.properties.len() {
                return FaultKind::SwizzleBefore.at(Place::Swizzle);
            }
            ok!(set(&mut shape, value));
        });
        Ok(shape)
    }
}

/// The properties that are given so far.
pub(crate) struct Given([bool; Property::ALL.len()]);

impl Given {
    pub(crate) const NOTHING: Given = Given([false; Property::ALL.len()]);

    /// Adds a property. It is a fault if it is given twice, or after one that it belongs before.
    pub(crate) const fn add(&mut self, property: Property) -> Option<FaultKind> {
        let number = property as usize;
        if self.0[number] {
            return Some(FaultKind::PropertyRepeated { property });
        }
        self.0[number] = true;
        each!(for later in number + 1..self.0.len() {
            if self.0[later] {
                let before = Property::ALL[later];
                return Some(FaultKind::PropertyOrder { found: property, before });
            }
        });
        None
    }
}

#[inline]
const fn set(shape: &mut ArrayFields, value: &PropertyValue<'_>) -> Result<(), Fault> {
    match *value {
        PropertyValue::Padding(widths) => {
            if widths.len() != shape.rank() {
                let (entries, rank) = (widths.len(), shape.rank());
                let place = Place::Property(Property::Padding);
                return FaultKind::PaddingCount { entries, rank }.at(place);
            }
            shape.padded_dims.split_at_mut(widths.len()).0.copy_from_slice(widths);
            shape.has_padding = true;
        }
        PropertyValue::Fill(fill) => shape.fill = Some(fill),
        PropertyValue::TailAlignment(elements) => shape.tail_alignment = elements,
        PropertyValue::ElementSize(bits) => shape.element_size = bits,
        PropertyValue::MemorySpace(space) => shape.memory_space = space as i64,
        PropertyValue::MetadataPrefix(bytes) => shape.metadata_prefix = bytes,
        PropertyValue::Swizzle(unit, (bits, base, shift)) => {
            *shape = shape.with_swizzle(ok!(Swizzle::new(unit, bits, base, shift)));
        }
        PropertyValue::Splits(splits) => {
            each!(for split in 0..splits.len() {
                if !shape.splits.begin(splits[split].0) {
                    return FaultKind::TOO_MANY_SPLITS.at(Place::Split(split));
                }
                each!(for i in 0..splits[split].1.len() {
                    if !shape.splits.push(splits[split].1[i]) {
                        return FaultKind::TOO_MANY_SPLIT_INDICES.at(Place::Split(split));
                    }
                });
            });
        }
    }
    Ok(())
}
