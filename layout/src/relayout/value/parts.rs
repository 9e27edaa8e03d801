//! Parts of a copy whose plans are kept.

use alloc::vec::Vec;
use core::fmt;
use core::ops::Range;

use layout_copy::__private::{Kernels, PreparedPlan};

use crate::relayout::error::RelayoutError;
use crate::relayout::padding::Padding;
use crate::relayout::value::Relayout;

/// Plans before a new one among which one like it is looked for: a range has few.
const LOOK_BACK: usize = 32;

/// Parts of a [`Relayout`] whose plans are kept, so that each runs any number of times without planning: made by
/// [`Relayout::plan_parts`].
///
/// Parts of the same shape share their plans: as a rule there are few, each of about 2 kilobytes, and a part takes some 60 bytes.
/// Any number of threads can run parts at the same time, each into memory of its own.
///
/// # Examples
/// Threads that each take a share, again and again:
/// ```
/// use layout::{ArrayShape, Padding, Relayout};
///
/// let host: ArrayShape = "f32[64,256]".parse()?;
/// let device: ArrayShape = "f32[64,256]{1,0:T(8,128)}".parse()?;
/// let relayout = Relayout::new(&host, &device)?;
/// let shares = relayout.plan_parts(relayout.parts(16 << 10));
/// assert_eq!(shares.len(), 4);
///
/// let src = vec![1; relayout.source_bytes()];
/// let mut dst = vec![0; relayout.destination_bytes()];
/// for _frame in 0..3 {
///     std::thread::scope(|scope| {
///         for (number, share) in dst.chunks_mut(16 << 10).enumerate() {
///             let (shares, src) = (&shares, &src);
///             scope.spawn(move || shares.run(number, src, share, Padding::Zero));
///         }
///     });
/// }
/// assert!(dst.iter().all(|byte| *byte == 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct PlannedParts {
    relayout: Relayout,
    plans: Vec<(PreparedPlan, Kernels)>,
    boxes: Vec<KeptBox>,
    parts: Vec<KeptPart>,
}

/// A range of the destination's bytes, and its boxes.
#[derive(Clone)]
struct KeptPart {
    bytes: Range<usize>,
    boxes: Range<usize>,
}

/// The number of a plan, and the slots at which its memory begins: in the source, and in the part.
#[derive(Clone)]
struct KeptBox {
    plan: usize,
    at: [usize; 2],
}

/// The plans of one part.
pub(in crate::relayout) struct KeptPlans<'a> {
    plans: &'a [(PreparedPlan, Kernels)],
    boxes: &'a [KeptBox],
}

impl KeptPlans<'_> {
    pub(in crate::relayout) fn each(
        &self,
        mut then: impl FnMut(&PreparedPlan, &Kernels, [usize; 2]),
    ) {
        for KeptBox { plan, at } in self.boxes {
            let (prepared, kernels) = &self.plans[*plan];
            then(prepared, kernels, *at);
        }
    }
}

impl Relayout {
    /// Plans ranges of the destination's bytes, such as those of [`parts`](Self::parts), and keeps the plans: for ranges that are
    /// copied many times, as by threads that each take a share, or by a stream that writes an array in pieces, one array after the
    /// other.
    ///
    /// # Panics
    /// If a range is not one for [`run_part`](Self::run_part).
    #[track_caller]
    #[must_use]
    pub fn plan_parts(&self, ranges: impl IntoIterator<Item = Range<usize>>) -> PlannedParts {
        let (mut plans, mut boxes) = (Vec::<(PreparedPlan, Kernels)>::new(), Vec::new());
        let mut parts = Vec::new();
        for bytes in ranges {
            self.check_range(&bytes);
            let first = boxes.len();
            self.plans(&self.part_of(&bytes), |prepared, kernels, _, at| {
                let is_same = |(other, _): &(PreparedPlan, Kernels)| other.plan == prepared.plan;
                let start = plans.len().saturating_sub(LOOK_BACK);
                let plan = plans[start..].iter().position(is_same).map_or_else(
                    || {
                        plans.push((*prepared, *kernels));
                        plans.len() - 1
                    },
                    |found| start + found,
                );
                boxes.push(KeptBox { plan, at });
            });
            parts.push(KeptPart { bytes, boxes: first..boxes.len() });
        }
        PlannedParts { relayout: self.clone(), plans, boxes, parts }
    }
}

impl PlannedParts {
    /// How many parts there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.parts.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// The range of the destination's bytes that each part writes.
    pub fn ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> + Clone {
        self.parts.iter().map(|part| part.bytes.clone())
    }

    /// The copy that these are parts of.
    #[must_use]
    pub const fn relayout(&self) -> &Relayout {
        &self.relayout
    }

    /// Copies the part of a number, padding too, as [`Relayout::run_part`] does: `dst` is its range of the destination, `src` the
    /// whole source.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    ///
    /// # Panics
    /// If there is no part of this number.
    #[track_caller]
    pub fn run(
        &self,
        number: usize,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        let Some(KeptPart { bytes, boxes }) = self.parts.get(number) else {
            panic!("part {number} of {}", self.parts.len())
        };
        let mut part = self.relayout.checked(bytes, src, dst, padding)?;
        part.of.kept = Some(KeptPlans { plans: &self.plans, boxes: &self.boxes[boxes.clone()] });
        self.relayout.copy_part(part);
        Ok(())
    }
}

impl fmt::Debug for PlannedParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlannedParts({:?}, {} parts)", self.relayout, self.parts.len())
    }
}
