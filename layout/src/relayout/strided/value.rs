//! Planned copies from and to strides that are values.

use core::fmt;

use layout_copy::bitcast::OtherArray;
use layout_core::__private::native;
use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Digits, Size};

use super::part::PartOfBlocks;
use crate::memory::strided::{self, Span};
use crate::relayout::error::{RelayoutError, Side};
use crate::relayout::padding::Padding;
use crate::relayout::value::Relayout;
use crate::relayout::value::element_bits::ElementBits;
use crate::relayout::value::error::RelayoutPlanError;
use layout_copy::Settings;

/// Where the elements of a side lie, if not as in a layout.
#[derive(Clone, Copy, Debug)]
pub(in crate::relayout) struct SideStrides {
    lies: Lies,
    /// The slot of index 0.
    pub first: usize,
    pub slots: usize,
}

#[derive(Clone, Copy, Debug)]
enum Lies {
    Strides([isize; MAX_DIMS]),
    Part(PartOfBlocks),
}

impl SideStrides {
    fn new(
        side: Side,
        shape: &ArrayShape,
        strides: &[isize],
    ) -> Result<SideStrides, RelayoutPlanError> {
        assert!(
            strides.len() == shape.rank(),
            "`{shape}` has {} strides, not {}",
            shape.rank(),
            strides.len()
        );
        let (mut sizes, mut all) = ([0; MAX_DIMS], [0; MAX_DIMS]);
        all[..strides.len()].copy_from_slice(strides);
        let dims = &mut sizes[..strides.len()];
        for (to, dim) in dims.iter_mut().zip(shape.dims()) {
            // Sizes that are not known are found later.
            *to = native(dim.size().unwrap_or(0));
        }
        let span = Span::new(dims, strides).and_then(|span| {
            if side == Side::Destination {
                span.check_apart(dims, strides)?;
            }
            Ok(span)
        });
        let Span { down, slots, .. } =
            span.map_err(|error| RelayoutPlanError::Strides(side, error))?;
        Ok(SideStrides { lies: Lies::Strides(all), first: down, slots })
    }

    pub(in crate::relayout) fn digits(&self, dims: &[Size]) -> Digits {
        let strides = match &self.lies {
            Lies::Strides(strides) => strides,
            Lies::Part(part) => return part.digits(dims),
        };
        let mut sizes = [0; MAX_DIMS];
        for (to, size) in sizes.iter_mut().zip(dims) {
            *to = native(*size);
        }
        strided::digits(&sizes[..dims.len()], strides[..dims.len()].iter().copied())
    }
}

/// A planned copy from or to memory with strides of its own, known at run time: a [`Relayout`] whose source, destination or both
/// have strides in place of a layout.
///
/// Strides are in elements, dimension 0 first, and may be 0 in the source, and below 0. A side with strides takes the memory between its
/// lowest and its highest element, and begins with the lowest one. Keep the plan to make the same copy again.
///
/// # Examples
/// ```
/// use layout::copies::StridedRelayout;
/// use layout::{ArrayShape, Padding};
///
/// // A matrix in rows of 8, of which 3 columns are taken, to panels of 2 rows, and back upside down.
/// let panels: ArrayShape = "u8[3,3]{1,0:T(2,1)}".parse()?;
/// let pack = StridedRelayout::new([&panels; 2], [Some(&[8, 1]), None])?;
/// let matrix: Vec<u8> = (0..19).collect();
/// let mut packed = [9; 12];
/// pack.run(&matrix, &mut packed, Padding::Zero)?;
/// assert_eq!(packed, [0, 8, 1, 9, 2, 10, 16, 0, 17, 0, 18, 0]);
///
/// let mut rows = [9; 9];
/// let unpack = StridedRelayout::new([&panels; 2], [None, Some(&[-3, 1])])?;
/// unpack.run(&packed, &mut rows, Padding::Leave)?;
/// assert_eq!(rows, [16, 17, 18, 8, 9, 10, 0, 1, 2]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct StridedRelayout {
    relayout: Relayout,
    strides: [Option<SideStrides>; 2],
    /// Bytes of each side before its lowest element.
    before: [usize; 2],
}

impl StridedRelayout {
    /// Plans the copy of an array from one side to the other: each is a layout, or has the dimensions and the elements of a layout, and these
    /// strides.
    ///
    /// # Errors
    /// Those of [`Relayout::new`]. If strides span more memory than there can be, or if elements of the destination could share memory: see
    /// [`StridedMut::new`](crate::StridedMut::new).
    ///
    /// # Panics
    /// If there is not one stride for each dimension.
    #[track_caller]
    pub fn new(
        shapes: [&ArrayShape; 2],
        strides: [Option<&[isize]>; 2],
    ) -> Result<StridedRelayout, RelayoutPlanError> {
        let side = |side: Side| match strides[side as usize] {
            Some(strides) => SideStrides::new(side, shapes[side as usize], strides).map(Some),
            None => Ok(None),
        };
        let strides = [side(Side::Source)?, side(Side::Destination)?];
        let bits = ElementBits::of(shapes)?;
        Self::between(shapes, strides, bits, [0; 2])
    }

    fn between(
        shapes: [&ArrayShape; 2],
        strides: [Option<SideStrides>; 2],
        bits: ElementBits,
        before: [usize; 2],
    ) -> Result<StridedRelayout, RelayoutPlanError> {
        Ok(StridedRelayout {
            relayout: Relayout::between(shapes, &strides, bits)?,
            strides,
            before,
        })
    }

    /// Plans the copy of a part of all blocks, such as the codes or the scales, to an array. Blocks come row by row of blocks; the array
    /// has the elements of the part in whole blocks, and their type.
    ///
    /// # Errors
    /// Those of [`Relayout::new`], and if the array is not whole blocks.
    ///
    /// # Examples
    /// ```
    /// use layout::Padding;
    /// use layout::copies::{PartOfBlocks, StridedRelayout};
    ///
    /// // Two rows of two blocks of 18 bytes: a scale, and 32 codes of 4 bits. The crate `tiled-layout-formats` has these parts by
    /// // their names, `q4_0` and `codes`.
    /// let blocks: Vec<u8> = (0..4).flat_map(|block| [&[block, 0][..], &[0x21; 16]].concat()).collect();
    ///
    /// let layout = "u4[1,32]{1,0:T(16)(2,1)E(4)}".parse()?;
    /// let codes = PartOfBlocks { layout, base_bits: 16, pitch_bits: 18 * 8 };
    /// let mut bytes = [0; 2 * 64];
    /// let unpack = StridedRelayout::from_part(&codes, &"u4[2,64]".parse()?)?;
    /// unpack.run(&blocks, &mut bytes, Padding::Zero)?;
    /// assert_eq!((bytes[0], bytes[16], bytes[127]), (1, 2, 2));
    ///
    /// let scales = PartOfBlocks { layout: "f16[1,1]".parse()?, base_bits: 0, pitch_bits: 18 * 8 };
    /// let mut columns = [0; 2 * 2 * 2];
    /// let gather = StridedRelayout::from_part(&scales, &"f16[2,2]{0,1}".parse()?)?;
    /// gather.run(&blocks, &mut columns, Padding::Zero)?;
    /// assert_eq!(columns, [0, 0, 2, 0, 1, 0, 3, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn from_part(part: &PartOfBlocks, to: &ArrayShape) -> Result<Self, RelayoutPlanError> {
        Self::of_part(part, to, Side::Source)
    }

    /// Plans the copy of an array to a part of all blocks; the others stay as they are. See [`from_part`](Self::from_part).
    ///
    /// # Errors
    /// Those of [`from_part`](Self::from_part).
    pub fn to_part(from: &ArrayShape, part: &PartOfBlocks) -> Result<Self, RelayoutPlanError> {
        Self::of_part(part, from, Side::Destination)
    }

    fn of_part(
        part: &PartOfBlocks,
        shape: &ArrayShape,
        side: Side,
    ) -> Result<Self, RelayoutPlanError> {
        if let Some(error) = shape.unknown_size() {
            return Err(RelayoutPlanError::UnknownSize(error));
        }
        let of_block = &part.layout;
        let slots = part.slots(shape);
        let slots = slots.filter(|_| of_block.element_type() == shape.element_type());
        let Some(slots) = slots else {
            return Err(RelayoutPlanError::OtherArray(OtherArray::new(of_block, shape)));
        };
        let (mut strides, mut before, mut shapes) = ([None; 2], [0; 2], [shape; 2]);
        let place = SideStrides { lies: Lies::Part(*part), first: 0, slots };
        (strides[side as usize], shapes[side as usize]) = (Some(place), of_block);
        before[side as usize] = native(part.base_bits / 8);
        let bits = ElementBits::of(shapes)?;
        Self::between([shape; 2], strides, bits, before)
    }

    /// This copy with other settings.
    #[must_use]
    pub const fn with_settings(mut self, settings: Settings) -> Self {
        self.relayout = self.relayout.with_settings(settings);
        self
    }

    /// Bytes of the source: those of its layout, or up to its highest element.
    pub fn source_bytes(&self) -> usize {
        self.before[0] + self.relayout.source_bytes()
    }

    /// Bytes of the destination, likewise.
    pub fn destination_bytes(&self) -> usize {
        self.before[1] + self.relayout.destination_bytes()
    }

    /// Copies the array: see [`Relayout::run`]. Packed elements have the first element of a byte in its low bits.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    pub fn run(
        &self,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        let src = RelayoutError::source(src, self.source_bytes())?;
        let dst = RelayoutError::destination(dst, self.destination_bytes())?;
        let [from, to] = self.before;
        let (src, dst) = (&src[from..], &mut dst[to..]);
        self.relayout.run_strided(&self.strides, 0..dst.len(), src, dst, padding)
    }

    /// Copies elements of a type that takes as many bytes as the plan's: see [`Relayout::run_any`].
    ///
    /// # Errors
    /// If a slice is too short, in elements; nothing is written then.
    ///
    /// # Panics
    /// If `T` has another size than the plan's elements. If the plan is one of a part of blocks, whose memory is bytes.
    #[track_caller]
    pub fn run_any<T: Copy + 'static>(
        &self,
        src: &[T],
        dst: &mut [T],
        padding: Option<T>,
    ) -> Result<(), RelayoutError> {
        assert!(self.before == [0; 2], "blocks are bytes: `run` copies parts of them");
        self.relayout.run_any_strided(&self.strides, src, dst, padding)
    }
}

impl fmt::Debug for StridedRelayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: usize| [self.relayout.source(), self.relayout.destination()][side];
        let mut said = f.debug_tuple("StridedRelayout");
        for number in 0..2 {
            match self.strides[number].map(|side| side.lies) {
                Some(Lies::Strides(strides)) => said.field(&&strides[..side(number).rank()]),
                Some(Lies::Part(part)) => said.field(&part),
                None => said.field(&format_args!("{}", side(number))),
            };
        }
        said.finish()
    }
}
