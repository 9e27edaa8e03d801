//! Planned copies from and to strides that are values.

use core::fmt;

use layout_core::limits::MAX_DIMS;
use layout_core::{ArrayShape, Digits, Size};

use crate::memory::strided::{self, Span};
use crate::relayout::error::{RelayoutError, Side};
use crate::relayout::padding::Padding;
use crate::relayout::value::{ElementBits, Relayout, RelayoutPlanError};
use layout_copy::Settings;

/// The strides of a side, and where its index 0 lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct SideStrides {
    strides: [isize; MAX_DIMS],
    pub first: usize,
    pub slots: usize,
}

impl SideStrides {
    fn new(
        side: Side,
        shape: &ArrayShape,
        strides: &[isize],
    ) -> Result<SideStrides, RelayoutPlanError> {
        assert!(strides.len() == shape.rank(), "`{shape}` has {} strides, not {}", shape.rank(), strides.len());
        let mut dims = [0; MAX_DIMS];
        for (to, dim) in dims.iter_mut().zip(shape.dims()) {
            // Sizes that are not known are found later.
            let size = dim.size().unwrap_or(0);
            *to = usize::try_from(size).unwrap_or(usize::MAX);
        }
        let dims = &dims[..strides.len()];
        let span = Span::new(dims, strides).and_then(|span| {
            if side == Side::Destination {
                strided::check_apart(dims, strides)?;
            }
            Ok(span)
        });
        let Span { down, slots } = span.map_err(|error| RelayoutPlanError::Strides(side, error))?;
        let mut all = [0; MAX_DIMS];
        all[..strides.len()].copy_from_slice(strides);
        Ok(SideStrides { strides: all, first: down, slots })
    }

    pub(super) fn digits(&self, dims: &[Size]) -> Digits {
        let mut sizes = [0; MAX_DIMS];
        for (to, size) in sizes.iter_mut().zip(dims) {
            *to = *size as usize;
        }
        strided::digits(&sizes[..dims.len()], &self.strides[..dims.len()])
    }
}

/// A planned copy from or to memory with strides of its own, known at run time: a [`Relayout`] in which one side or both are not a layout's.
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
/// let panels: ArrayShape = "u8[3,3]{0,1:T(2,1)}".parse()?;
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
        let relayout =
            Relayout::between([(shapes[0], strides[0]), (shapes[1], strides[1])], bits)?;
        Ok(StridedRelayout { relayout, strides })
    }

    /// This copy with other settings.
    #[must_use]
    pub const fn with_settings(mut self, settings: Settings) -> Self {
        self.relayout = self.relayout.with_settings(settings);
        self
    }

    /// Bytes of the source: from its lowest element to its highest one, or those of its layout.
    pub fn source_bytes(&self) -> usize {
        self.relayout.source_bytes()
    }

    /// Bytes of the destination.
    pub fn destination_bytes(&self) -> usize {
        self.relayout.destination_bytes()
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
        self.relayout.run(src, dst, padding)
    }
}

impl fmt::Debug for StridedRelayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: usize| [self.relayout.source(), self.relayout.destination()][side];
        let mut said = f.debug_tuple("StridedRelayout");
        for number in 0..2 {
            match &self.strides[number] {
                Some(strides) => said.field(&&strides.strides[..side(number).rank()]),
                None => said.field(&format_args!("{}", side(number))),
            };
        }
        said.finish()
    }
}
