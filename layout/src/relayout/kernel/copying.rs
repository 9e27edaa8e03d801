//! The copy that a plan describes: the choice of its kernel.

use layout_core::__private::{PaddingPlan, Plan, StoredDigits};
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Size};

use crate::memory::stored::Plain;
use crate::relayout::kernel::block::Mover;
use crate::relayout::kernel::nest::Nest;
use crate::relayout::kernel::portable::Portable;
use crate::relayout::kernel::raw;
use crate::relayout::kernel::raw::{Units, units, units_of_bytes};
use crate::relayout::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::relayout::kernel::threads;
use crate::relayout::kernel::{fill, general};

/// Bytes from which on stores go around the cache: where the destination fits in it with the source,
/// that is slower.
pub(crate) const STREAMED: usize = 8 << 20;
/// Bytes from which on an array is spread over threads: what one copies while another is woken.
#[cfg(feature = "rayon")]
pub(crate) const SHARED: usize = 1 << 20;

/// The copy from one layout to another, ready to run.
#[derive(Clone, Copy, Debug)]
pub struct Copying<'a> {
    /// The loops.
    pub plan: Plan,
    /// What the walk over them has to know.
    pub(super) nest: Nest,
    /// Both layouts, where the plan does not say it all.
    pub digits: Option<[StoredDigits<'a>; 2]>,
    /// The index of the first element in the source, of a part of an array that no plan describes.
    pub origin: &'a [Size; MAX_DIMS],
}

impl<'a> Copying<'a> {
    /// Plans it. `element` is the size of an element in bytes.
    pub const fn new(src: &'a Digits, dst: &'a Digits, element: usize) -> Copying<'a> {
        let plan = Plan::new(src, dst, element as Size);
        let whole = [StoredDigits::Whole(src), StoredDigits::Whole(dst)];
        Copying::of(plan, if plan.is_general() { Some(whole) } else { None })
    }

    /// By a plan, with both layouts where it is a general one.
    pub const fn of(plan: Plan, digits: Option<[StoredDigits<'a>; 2]>) -> Copying<'a> {
        Copying { nest: Nest::new(&plan), plan, digits, origin: &[0; MAX_DIMS] }
    }

    /// Plans the copy of a part of an array, which begins at an index.
    pub const fn of_part(
        src: &'a Digits,
        origin: &'a [Size; MAX_DIMS],
        dst: &'a Digits,
    ) -> Copying<'a> {
        let plan = Plan::of_part(src, dst);
        let whole = [StoredDigits::Whole(src), StoredDigits::Whole(dst)];
        let digits = if plan.is_general() { Some(whole) } else { None };
        Copying { origin, ..Copying::of(plan, digits) }
    }

    /// Moves the elements. The slices are as long as the layouts ask.
    pub fn run<T: Copy + 'static>(
        &self,
        plain: Plain<T>,
        src: &[T],
        dst: &mut [T],
        settings: &Settings,
    ) {
        match units(plain, src, dst) {
            Some(units) => self.units(units, settings),
            None => self.portable(src, dst),
        }
    }

    /// Moves elements of `N` bytes of whatever type. The slices are as long as the layouts ask.
    pub fn run_bytes<const N: usize>(
        &self,
        src: &[[u8; N]],
        dst: &mut [[u8; N]],
        settings: &Settings,
    ) {
        match units_of_bytes(src, dst) {
            Some(units) => self.units(units, settings),
            None => self.portable(src, dst),
        }
    }

    /// Compiled once, for all layouts.
    #[inline(never)]
    fn units(&self, units: Units, settings: &Settings) {
        match units {
            Units::One(src, dst) => self.unit(src, dst, settings),
            Units::Two(src, dst) => self.unit(src, dst, settings),
            Units::Four(src, dst) => self.unit(src, dst, settings),
            Units::Eight(src, dst) => self.unit(src, dst, settings),
            Units::Sixteen(src, dst) => self.unit(src, dst, settings),
        }
    }

    fn unit<U: Copy + Send + Sync + 'static>(&self, src: &[U], dst: &mut [U], settings: &Settings) {
        let set = settings.set;
        let streams = settings.streams.unwrap_or(size_of_val(dst) >= STREAMED);
        #[cfg(feature = "rayon")]
        if settings.threads.unwrap_or(size_of_val(dst) >= SHARED)
            && threads::copy(&self.plan, src, dst, [1; 2], |plan, src, dst| {
                let share = Copying { origin: self.origin, ..Copying::of(*plan, self.digits) };
                share.one_thread(src, dst, set, streams);
            })
        {
            return;
        }
        self.one_thread(src, dst, set, streams);
    }

    fn one_thread<U: Copy + 'static>(
        &self,
        src: &[U],
        dst: &mut [U],
        set: Option<InstructionSet>,
        streams: bool,
    ) {
        if !raw::copy(self, src, dst, set, streams) {
            self.portable(src, dst);
        }
    }

    fn portable<T: Copy + 'static>(&self, src: &[T], dst: &mut [T]) {
        self.walk(self.plan.is_source_tiled, &mut Portable { src, dst });
    }

    /// Moves every element.
    pub(super) fn walk<M: Mover>(&self, by_source: bool, mover: &mut M) {
        match self.digits {
            Some(digits) => {
                general::copy(&self.plan, digits.map(StoredDigits::view), self.origin, mover);
            }
            None if self.plan.is_empty() => {}
            None => self.nest.walk(&self.plan, by_source, mover),
        }
    }
}

/// Writes a value to the padding of a layout: before the elements, since layouts that no plan
/// describes are written all over.
pub fn fill<T: Copy + 'static>(plan: Option<&PaddingPlan>, slots: usize, dst: &mut [T], value: T) {
    match plan {
        Some(plan) => fill::paddings(plan, |gaps| {
            let mut ranges = gaps.ranges();
            let Some(first) = ranges.next() else { return };
            dst[first.clone()].fill(value);
            // By `memcpy`, which has larger vectors than what the program is compiled for.
            ranges.for_each(|range| dst.copy_within(first.clone(), range.start));
        }),
        None => dst[..slots].fill(value),
    }
}
