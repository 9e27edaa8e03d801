//! Parts of a planned copy.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use layout_copy::__private::LARGER_BLOCKS;
use layout_core::__private::native;
use layout_core::Size;

use crate::copies::door::dest::Dest;
use crate::copies::error::{CopyError, Side};
use crate::copies::padding::Padding;
use crate::copies::plan::Plan;
#[cfg(feature = "alloc")]
use crate::copies::plan::moving::{KeptPlan, PlannedPart};

/// A range of the bytes of a [`Plan`]'s destination, made by [`Plan::part`].
///
/// With the feature `alloc` it keeps the plans of its boxes, as a rule few of about 2 kilobytes each, and runs any number of times without
/// planning. Any number of threads can run parts at the same time, each into memory of its own.
///
/// # Examples
/// Threads that each take a share, again and again:
/// ```
/// use layout::{ArrayShape, Padding, Plan};
///
/// let host: ArrayShape = "f32[64,256]".parse()?;
/// let device: ArrayShape = "f32[64,256]{1,0:T(8,128)}".parse()?;
/// let plan = Plan::new(&host, &device)?;
/// let shares: Vec<_> = plan.parts(16 << 10).map(|range| plan.part(range)).collect::<Result<_, _>>()?;
/// assert_eq!(shares.len(), 4);
///
/// let src = vec![1; plan.source_bytes()];
/// let mut dst = vec![0; plan.destination_bytes()];
/// for _frame in 0..3 {
///     std::thread::scope(|scope| {
///         for (share, memory) in shares.iter().zip(dst.chunks_mut(16 << 10)) {
///             let src = &src;
///             scope.spawn(move || share.run_bytes(src, memory, Padding::Zero));
///         }
///     });
/// }
/// assert!(dst.iter().all(|byte| *byte == 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PlanPart<'p> {
    plan: &'p Plan,
    bytes: Range<usize>,
    /// Those of the whole destination are the plan's.
    #[cfg(feature = "alloc")]
    kept: Option<Vec<KeptPlan>>,
}

impl Plan {
    /// Ranges of the destination's bytes for [`part`](Self::part), one after another. Each has at most `bytes` bytes, or
    /// the fewest that a part can have. If parts of this size would read some memory several times, each has at most 16
    /// times `bytes`. A copy from or to strides or blocks has one part.
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
        let part = if self.undivided_side().is_none() { part } else { end.max(1) };
        let count = end.div_ceil(part).max(1);
        (0..count).map(move |at| at * part..end.min((at + 1).saturating_mul(part)))
    }

    /// A side with strides, or of blocks: the copy has one part.
    fn undivided_side(&self) -> Option<Side> {
        let sides = [Side::Source, Side::Destination].into_iter();
        sides.zip(&self.strides).find_map(|(side, strides)| strides.is_some().then_some(side))
    }

    /// Plans the copy of what lies in a range of the destination's bytes, padding too: the bytes that [`run_bytes`](Self::run_bytes) writes there.
    ///
    /// The range begins and ends where elements do; where elements take less than a byte, at any byte. It takes 0.3 to some microseconds:
    /// for ranges that are copied again and again, keep the parts.
    ///
    /// # Errors
    /// If the range is reversed, exceeds [`destination_bytes`](Self::destination_bytes), or cuts an element. If a side has strides or is
    /// a part of blocks, and the range is not the whole destination.
    pub fn part(&self, range: Range<usize>) -> Result<PlanPart<'_>, CopyError> {
        let (bytes, element) = (self.destination_bytes(), self.bits.bytes(1, 1));
        let Range { start, end } = range;
        let cuts = !start.is_multiple_of(element) || !end.is_multiple_of(element);
        let is_whole = range == (0..bytes);
        if !is_whole && (start > end || end > bytes || cuts) {
            return Err(CopyError::Part { start, end, bytes, element });
        }
        if let Some(side) = self.undivided_side().filter(|_| !is_whole) {
            return Err(CopyError::OnePart { side, bytes });
        }
        Ok(PlanPart {
            #[cfg(feature = "alloc")]
            kept: (!is_whole).then(|| self.kept_plans(&self.part_of(&range))),
            plan: self,
            bytes: range,
        })
    }
}

impl PlanPart<'_> {
    /// The range of the destination's bytes.
    pub const fn range(&self) -> Range<usize> {
        self.bytes.start..self.bytes.end
    }

    /// Copies the part, padding too, as [`Plan::run_bytes`] does. `dst` is the range of the destination, `src` the whole source.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    pub fn run_bytes<'d, D: Dest<u8> + ?Sized>(
        &self,
        src: &[u8],
        dst: &'d mut D,
        padding: impl Into<Padding<u128>>,
    ) -> Result<D::Out<'d>, CopyError> {
        let part = self.plan.part_of(&self.bytes);
        #[cfg(feature = "alloc")]
        let part = PlannedPart { kept: self.kept.as_deref(), ..part };
        self.plan.run_part(part, &self.bytes, src, dst, padding.into())
    }
}

impl fmt::Debug for PlanPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlanPart({:?} of {:?})", self.bytes, self.plan)
    }
}
