//! Parts of a planned copy.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use layout_copy::__private::{self as copying, LARGER_BLOCKS, Memory, PreparedPlan, packed};
use layout_core::__private::{DigitsView, native};
use layout_core::{Digits, Size};

use crate::copies::door::dest::{Dest, DestSlots};
use crate::copies::error::{CopyError, Side};
use crate::copies::padding::{Padding, pad};
use crate::copies::plan::Plan;

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
    /// The destination's slots that are written.
    slots: Range<usize>,
    /// Those of the whole destination are the plan's.
    #[cfg(feature = "alloc")]
    kept: Option<Vec<KeptPlan>>,
}

/// A plan of a box, and the slots at which its memory begins: in the source, and in the part.
#[cfg(feature = "alloc")]
type KeptPlan = (PreparedPlan, [usize; 2]);

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
        let part = self.part_of(range);
        #[cfg(feature = "alloc")]
        let part = PlanPart { kept: (!is_whole).then(|| part.planned()), ..part };
        Ok(part)
    }

    /// The whole copy as a part.
    pub(super) fn whole(&self) -> PlanPart<'_> {
        self.part_of(0..self.destination_bytes())
    }

    fn part_of(&self, bytes: Range<usize>) -> PlanPart<'_> {
        let is_last = bytes.end == self.destination_bytes();
        let end = if is_last { self.slots[1] } else { self.bits.slots(bytes.end) };
        PlanPart {
            plan: self,
            slots: self.bits.slots(bytes.start)..end,
            bytes,
            #[cfg(feature = "alloc")]
            kept: None,
        }
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
        let (plan, needed) = (self.plan, self.bytes.len());
        let src = &CopyError::source(src, plan.source_bytes())?[plan.before(0)..];
        let value = padding.into().value(true, || plan.declared())?;
        let padding = value.map(|_| 0);
        let slots = DestSlots { src, needed, has_padding: true, padding, unused: Some(0) };
        dst.write(slots, |slots| {
            let is_whole = needed == plan.destination_bytes();
            if is_whole && plan.bits.element() > 0 && plan.strides[1].is_none() {
                return plan.copy_whole(slots, value.unwrap_or(0));
            }
            let all = slots.initialised(None);
            self.copy(src, &mut all[plan.before(1)..], value.filter(|_| plan.has_padding));
            all
        })
    }

    /// Writes padding, of the bits of a value, and moves the elements over it.
    fn copy(&self, src: &[u8], dst: &mut [u8], value: Option<u128>) {
        let plan = self.plan;
        let is_whole = self.slots == (0..plan.slots[1]);
        // Of a part all is written.
        let padding = plan.padding.as_ref().filter(|_| is_whole);
        let (size, widths) = (plan.bits.element(), plan.bits.widths(plan.destination()));
        match value {
            Some(value) if size > 0 => pad(padding, size, dst, value, |byte| byte),
            Some(value) => packed::pad(dst, widths, Some(value as u8), padding, self.slots.len()),
            None => {}
        }
        self.plans(|prepared, digits, at| {
            if size == 0 {
                let (of_box, blocks) = (&prepared.plan, plan.blocks().filter(|_| is_whole));
                let memory = (src, &mut *dst);
                return packed::run_at(of_box, blocks, digits, widths, memory, at, &plan.settings);
            }
            let [from, to] = at.map(|slot| slot * size);
            let mut copying = prepared.copying();
            copying.digits = digits;
            copying.run(Memory::of_bytes(&src[from..], &mut dst[to..]), size, &plan.settings);
        });
    }

    #[cfg(feature = "alloc")]
    fn planned(&self) -> Vec<KeptPlan> {
        let mut kept = Vec::new();
        self.plans(|prepared, _, at| kept.push((*prepared, at)));
        kept
    }

    /// Calls `then` with each plan that is needed to copy the part. With it come the digits of both layouts if it is a
    /// general plan, and where its memory begins: a slot of the source, and one of the part's.
    fn plans(&self, mut then: impl FnMut(&PreparedPlan, Option<&[DigitsView<'_>; 2]>, [usize; 2])) {
        let PlanPart { plan, slots, .. } = self;
        plan.with_digits(|digits| {
            let views = digits.map(|digits| digits.map(Digits::view));
            let views = views.as_ref();
            #[cfg(feature = "alloc")]
            if let Some(kept) = &self.kept {
                return kept.iter().for_each(|(prepared, at)| then(prepared, views, *at));
            }
            if *slots == (0..plan.slots[1]) {
                return then(&plan.prepared, views, [0; 2]);
            }
            let element = plan.bits.element();
            let window = slots.start as Size..slots.end as Size;
            let mut of_box = |of_box: &copying::Plan, at: [Size; 2]| {
                let [from, to] = at.map(native);
                let prepared = PreparedPlan::at_call(*of_box, element);
                then(&prepared, views, [from, to - slots.start]);
            };
            let per = plan.bits.per_byte();
            match digits {
                Some(digits) => copying::Plan::index_boxes(digits, window, &mut of_box),
                None => plan.prepared.plan.boxes(element as Size, per, window, &mut of_box),
            }
        });
    }
}

impl fmt::Debug for PlanPart<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlanPart({:?} of {:?})", self.bytes, self.plan)
    }
}
