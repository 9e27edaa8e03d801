//! Where the elements of the sides of a plan lie.

use layout_core::__private::native;
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Digits, Size};

use crate::copies::{error::CopyError, error::Side, plan::blocks::PartOfBlocks};
use crate::memory::{place::digits::digits, place::strided::Span};

/// Where the array of one side of a [`Plan`](crate::Plan) lies: as a layout says, in strides, or in every block of a buffer.
///
/// An [`ArrayShape`] and a [`PartOfBlocks`] are places by themselves; [`strides`](Self::strides) makes one.
///
/// # Examples
/// ```
/// use layout::copies::Placed;
/// use layout::{ArrayShape, Padding, Plan};
///
/// // A matrix in rows of 8, of which 3 columns are taken, to panels of 2 rows, and back upside down.
/// let panels: ArrayShape = "u8[3,3]{1,0:T(2,1)}".parse()?;
/// let pack = Plan::between(Placed::strides(&panels, &[8, 1]), &panels)?;
/// let matrix: Vec<u8> = (0..19).collect();
/// let mut packed = [9; 12];
/// pack.run_bytes(&matrix, &mut packed, Padding::Zero)?;
/// assert_eq!(packed, [0, 8, 1, 9, 2, 10, 16, 0, 17, 0, 18, 0]);
///
/// let mut rows = [9; 9];
/// let unpack = Plan::between(&panels, Placed::strides(&panels, &[-3, 1]))?;
/// unpack.run_bytes(&packed, &mut rows, Padding::Leave)?;
/// assert_eq!(rows, [16, 17, 18, 8, 9, 10, 0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    pub(super) lies: Lies<'a>,
    pub(super) element_bytes: Option<usize>,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Lies<'a> {
    Shape(&'a ArrayShape),
    Strides(&'a ArrayShape, &'a [isize]),
    Part(&'a PartOfBlocks),
}

impl<'a> Placed<'a> {
    const fn new(lies: Lies<'a>) -> Placed<'a> {
        Placed { lies, element_bytes: None }
    }

    /// An array with the dimensions and the elements of a shape, and these strides in elements, dimension 0 first. They may be below 0,
    /// and in the source 0. The array takes the memory between its lowest and its highest element, and begins with the lowest one.
    #[must_use]
    pub const fn strides(shape: &'a ArrayShape, strides: &'a [isize]) -> Placed<'a> {
        Placed::new(Lies::Strides(shape, strides))
    }

    /// The array with elements of `bytes` bytes, 3, 12 or 24 for instance, on both sides: of the layouts, only the dimensions, the order
    /// and the tiles count. A value for padding has its bits in the first 16 bytes of an element; the others are 0.
    ///
    /// # Examples
    /// ```
    /// use layout::copies::Placed;
    /// use layout::{ArrayShape, Padding, Plan};
    ///
    /// let [rows, columns]: [ArrayShape; 2] = ["u8[2,3]".parse()?, "u8[2,3]{0,1}".parse()?];
    /// let plan = Plan::between(Placed::from(&rows).element_bytes(size_of::<[f32; 3]>()), &columns)?;
    /// let points: Vec<[f32; 3]> = (0..6).map(|number| [number as f32; 3]).collect();
    /// let mut turned = [[0.0; 3]; 6];
    /// plan.run(&points, &mut turned, Padding::Leave)?;
    /// assert_eq!(turned.map(|point| point[2]), [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn element_bytes(self, bytes: usize) -> Placed<'a> {
        Placed { element_bytes: Some(bytes), ..self }
    }

    /// The shape of the array; that of all blocks is the other side's.
    pub(super) const fn shape(&self) -> Option<&'a ArrayShape> {
        match self.lies {
            Lies::Shape(shape) | Lies::Strides(shape, _) => Some(shape),
            Lies::Part(_) => None,
        }
    }

    /// Its layout: of one block, of a part of blocks.
    pub(super) const fn layout(&self) -> &'a ArrayShape {
        match self.lies {
            Lies::Shape(layout)
            | Lies::Strides(layout, _)
            | Lies::Part(PartOfBlocks { layout, .. }) => layout,
        }
    }

    /// Where the elements of an array of this shape lie, if not as in its layout.
    pub(super) fn side_strides(
        &self,
        side: Side,
        shape: &ArrayShape,
    ) -> Result<Option<SideStrides>, CopyError> {
        match self.lies {
            Lies::Shape(_) => Ok(None),
            Lies::Strides(_, strides) => SideStrides::new(side, shape, strides).map(Some),
            Lies::Part(part) => {
                let [own, given] = [part.layout.element_type(), shape.element_type()];
                if own != given {
                    let [source, destination] =
                        if side == Side::Source { [own, given] } else { [given, own] };
                    return Err(CopyError::OtherElements { source, destination });
                }
                let slots = part.slots(shape).ok_or(CopyError::Blocks)?;
                let PartOfBlocks { base_bits, pitch_bits, .. } = *part;
                let lies = SideLies::Part { base_bits, pitch_bits };
                Ok(Some(SideStrides { lies, first: 0, slots }))
            }
        }
    }
}

impl<'a> From<&'a ArrayShape> for Placed<'a> {
    fn from(shape: &'a ArrayShape) -> Placed<'a> {
        Placed::new(Lies::Shape(shape))
    }
}

impl<'a> From<&'a PartOfBlocks> for Placed<'a> {
    fn from(part: &'a PartOfBlocks) -> Placed<'a> {
        Placed::new(Lies::Part(part))
    }
}

/// Where the elements of a side lie, if not as in a layout.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideStrides {
    lies: SideLies,
    /// The slot of index 0.
    pub first: usize,
    pub slots: usize,
}

#[derive(Clone, Copy, Debug)]
enum SideLies {
    Strides([isize; MAX_DIMS]),
    /// [`PartOfBlocks`] without the layout, which the plan has.
    Part {
        base_bits: Size,
        pitch_bits: Size,
    },
}

impl SideStrides {
    fn new(side: Side, shape: &ArrayShape, strides: &[isize]) -> Result<SideStrides, CopyError> {
        let (needed, given) = (shape.rank(), strides.len());
        if needed != given {
            return Err(CopyError::StrideCount { needed, given });
        }
        let (mut sizes, mut all) = ([0; MAX_DIMS], [0; MAX_DIMS]);
        all[..given].copy_from_slice(strides);
        let dims = &mut sizes[..given];
        for (to, dim) in dims.iter_mut().zip(shape.dims()) {
            *to = native(dim.size().unwrap_or(0));
        }
        let span = Span::new(dims, strides)?;
        if side == Side::Destination {
            span.check_apart(dims, strides)?;
        }
        Ok(SideStrides { lies: SideLies::Strides(all), first: span.down, slots: span.slots })
    }

    /// Bytes before the lowest element.
    pub(super) fn before(&self) -> usize {
        match &self.lies {
            SideLies::Strides(_) => 0,
            SideLies::Part { base_bits, .. } => native(base_bits / 8),
        }
    }

    /// Whether the layout of the side is that of one block.
    pub(super) const fn is_part(&self) -> bool {
        matches!(self.lies, SideLies::Part { .. })
    }

    /// The digits of an array of these sizes. The layout is that of the side.
    fn digits(&self, layout: &ArrayShape, dims: &[Size]) -> Digits {
        match self.lies {
            SideLies::Strides(ref strides) => digits(dims, strides[..dims.len()].iter().copied()),
            SideLies::Part { base_bits, pitch_bits } => {
                PartOfBlocks { layout: *layout, base_bits, pitch_bits }.digits(dims)
            }
        }
    }
}

/// The digits of the sides that have strides, of an array of these sizes.
pub(super) fn strided_digits(
    strides: &[Option<SideStrides>; 2],
    layouts: [&ArrayShape; 2],
    dims: &[Size],
) -> [Option<Digits>; 2] {
    [0, 1].map(|side| strides[side].as_ref().map(|strides| strides.digits(layouts[side], dims)))
}
