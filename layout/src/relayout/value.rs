//! Copies between layouts that are known at run time.

pub(crate) mod element_bits;
pub(crate) mod error;
mod moving;
#[cfg(feature = "alloc")]
pub(crate) mod parts;
mod planning;

use core::fmt;
use core::ops::Range;

use layout_copy::__private::{Kernels, LARGER_BLOCKS, PaddingPlan, PreparedPlan};
use layout_copy::Settings;
use layout_core::__private::native;
use layout_core::{ArrayShape, Size};

use crate::relayout::error::RelayoutError;
use crate::relayout::padding::Padding;
use crate::relayout::strided::value::SideStrides;
use crate::relayout::value::element_bits::ElementBits;

/// A planned copy of an array between two layouts that are known at run time.
///
/// [`new`](Self::new) plans the copy, which takes a quarter to half of a microsecond and 4 kilobytes of memory; [`run`](Self::run)
/// makes it. A plan takes as long as a copy of some ten kilobytes: make it where the layouts become known, and keep it, in a field or
/// in a `OnceLock`. Any number of threads can run it, any number of times. Where the layouts are types and only sizes are known
/// late, a [`Copier`](crate::Copier) needs no plan at run time.
///
/// It takes memory as bytes, aligned or not, and copies as fast as [`relayout`](crate::relayout()). It copies elements of
/// 1, 2, 4, 8 and 16 bytes, and packed elements of 1, 2 and 4 bits (the first element of a byte in its low bits), also to
/// and from bytes. Per byte, copies of packed elements take about twice as long, and transposes of them four times.
///
/// # Examples
/// ```
/// use layout::{ArrayShape, Padding, Relayout};
///
/// let host: ArrayShape = "s8[3,5]".parse()?;
/// let device: ArrayShape = "s8[3,5]{1,0:T(2,2)}".parse()?;
/// let relayout = Relayout::new(&host, &device)?;
///
/// let bytes: Vec<u8> = (0..15).collect();
/// let mut tiles = [9; 24];
/// relayout.run(&bytes, &mut tiles, Padding::Zero)?;
/// assert_eq!(tiles[..10], [0, 1, 5, 6, 2, 3, 7, 8, 4, 0]);
///
/// // Parts of the destination, for instance to show progress or to save memory: any ranges of bytes.
/// let mut again = [9; 24];
/// for part in [0..7, 7..24] {
///     relayout.run_part(part.clone(), &bytes, &mut again[part], Padding::Zero)?;
/// }
/// assert_eq!(again, tiles);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Relayout {
    source: ArrayShape,
    destination: ArrayShape,
    pub(super) prepared: PreparedPlan,
    kernels: Kernels,
    /// Where the destination has padding, if that can be planned.
    pub(super) padding: Option<PaddingPlan>,
    pub(super) has_padding: bool,
    bits: ElementBits,
    /// Slots in memory.
    pub(super) slots: [usize; 2],
    settings: Settings,
}

/// The strides of sides that are not as their layouts say. They are not in the plan, which has them only if its layouts share no split.
pub(super) type SidesStrides = [Option<SideStrides>; 2];

pub(super) const NO_STRIDES: SidesStrides = [None; 2];

impl Relayout {
    /// This copy with other settings. The size of the whole destination decides whether stores bypass the caches, also in
    /// copies of parts: if you write all parts to one buffer, one after another, as for a file, `streams: Some(false)`
    /// is faster.
    #[must_use]
    pub const fn with_settings(mut self, settings: Settings) -> Relayout {
        self.settings = settings;
        self
    }

    /// The layout that is read.
    pub const fn source(&self) -> &ArrayShape {
        &self.source
    }

    /// The layout that is written.
    pub const fn destination(&self) -> &ArrayShape {
        &self.destination
    }

    /// Bytes of the source, padding counted.
    pub fn source_bytes(&self) -> usize {
        self.bits.bytes(self.slots[0], 0)
    }

    /// Bytes of the destination, padding counted.
    pub fn destination_bytes(&self) -> usize {
        self.bits.bytes(self.slots[1], 1)
    }

    /// Copies the array. Bytes past those of the layouts are left as they are; the padding of the destination
    /// becomes what `padding` says, a value given by its bits, which are stored in this machine's order of bytes.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    pub fn run(
        &self,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        self.run_part(0..self.destination_bytes(), src, dst, padding)
    }

    /// Ranges of the destination's bytes for [`run_part`](Self::run_part), one after another. Each has at most `bytes` bytes, or
    /// the fewest that a part can have. If parts of this size would read some memory several times, each has at most 16
    /// times `bytes`.
    pub fn parts(
        &self,
        bytes: usize,
    ) -> impl ExactSizeIterator<Item = Range<usize>> + Clone + use<> {
        let end = self.destination_bytes();
        let most = self.bits.slots(bytes) as Size;
        let block = self.prepared.plan.largest_block(self.bits.per_byte(), most, LARGER_BLOCKS);
        let block = block.map_or(0, |block| self.bits.bytes(native(block), 1));
        // Whole elements, and whole bytes.
        let block = block.max(self.bits.bytes(1, 1));
        let part = (bytes / block).max(1).saturating_mul(block);
        let count = end.div_ceil(part).max(1);
        (0..count).map(move |at| at * part..end.min((at + 1).saturating_mul(part)))
    }

    /// Copies what lies in a range of the destination's bytes, padding too: the bytes that [`run`](Self::run) writes there. `dst`
    /// is that range, `src` the whole source.
    ///
    /// The range begins and ends where elements do; where elements take less than a byte, at any byte. Each call plans the range,
    /// which takes 0.3 to some microseconds: for ranges that are copied again and again, keep the plans
    #[cfg_attr(feature = "alloc", doc = "([`plan_parts`](Self::plan_parts)).")]
    #[cfg_attr(not(feature = "alloc"), doc = "(`plan_parts`, with the feature `alloc`).")]
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    ///
    /// # Panics
    /// If the range is reversed, exceeds [`destination_bytes`](Self::destination_bytes), or cuts an element.
    #[track_caller]
    pub fn run_part(
        &self,
        part: Range<usize>,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        self.run_strided(&NO_STRIDES, part, src, dst, padding)
    }

    /// [`run_part`](Self::run_part) of sides that have these strides.
    #[track_caller]
    pub(super) fn run_strided(
        &self,
        strides: &SidesStrides,
        part: Range<usize>,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        self.check_range(&part);
        let mut part = self.checked(&part, src, dst, padding)?;
        part.of.strides = strides;
        self.copy_part(part);
        Ok(())
    }

    /// # Panics
    /// If this is not a range of the destination's bytes for [`run_part`](Self::run_part).
    #[track_caller]
    pub(super) fn check_range(&self, part: &Range<usize>) {
        let (bytes, element) = (self.destination_bytes(), self.bits.bytes(1, 1));
        assert!(
            part.start <= part.end && part.end <= bytes,
            "{part:?} is not a range of the destination's {bytes} bytes"
        );
        assert!(
            part.start.is_multiple_of(element) && part.end.is_multiple_of(element),
            "{part:?} cuts an element: elements take {element} bytes"
        );
    }

    /// Bytes of an element, 0 of a narrower one.
    pub(super) const fn element_bytes(&self) -> usize {
        let [from, to] = self.bits.0;
        if from < to { from / 8 } else { to / 8 }
    }

    /// The bits that the destination declares for its padding.
    pub(crate) fn declared(&self) -> Option<u128> {
        let to = self.destination();
        to.fill().and_then(|fill| fill.bits(to.element_type()))
    }
}

impl fmt::Debug for Relayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Relayout({} -> {})", self.source, self.destination)
    }
}
