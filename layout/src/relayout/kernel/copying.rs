//! The copy that a plan describes: the choice of its kernel.

use layout_core::__private::{PaddingPlan, Plan, StoredDigits};
use layout_core::{Digits, Size};

use crate::memory::stored::Plain;
use crate::relayout::kernel::nest::{Block, Mover};
use crate::relayout::kernel::portable::Portable;
use crate::relayout::kernel::raw;
use crate::relayout::kernel::raw::{Units, units, units_of_bytes};
use crate::relayout::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::relayout::kernel::threads;
use crate::relayout::kernel::{fill, general, nest};

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
    /// Both layouts, where the plan does not say it all.
    pub digits: Option<[StoredDigits<'a>; 2]>,
}

impl<'a> Copying<'a> {
    /// Plans it. `element` is the size of an element in bytes.
    pub const fn new(src: &'a Digits, dst: &'a Digits, element: usize) -> Copying<'a> {
        let plan = Plan::new(src, dst, element as Size);
        let whole = [StoredDigits::Whole(src), StoredDigits::Whole(dst)];
        let digits = if plan.is_general() { Some(whole) } else { None };
        Copying { plan, digits }
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
        let set = settings.set.unwrap_or_else(InstructionSet::best);
        let streams = settings.streams.unwrap_or(size_of_val(dst) >= STREAMED);
        #[cfg(feature = "rayon")]
        if settings.threads.unwrap_or(size_of_val(dst) >= SHARED)
            && threads::copy(&self.plan, src, dst, [1; 2], |plan, src, dst| {
                Copying { plan: *plan, ..*self }.one_thread(src, dst, set, streams);
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
        set: InstructionSet,
        streams: bool,
    ) {
        if !raw::copy(self, src, dst, set, streams) {
            self.portable(src, dst);
        }
    }

    fn portable<T: Copy + 'static>(&self, src: &[T], dst: &mut [T]) {
        let block = Block::new(&self.plan);
        self.walk(&block, self.plan.is_source_tiled, &mut Portable { src, dst });
    }

    /// Moves every element; `block` is the plan's.
    pub(super) fn walk<M: Mover>(&self, block: &Block, by_source: bool, mover: &mut M) {
        match self.digits {
            Some(digits) => general::copy(&self.plan, digits.map(StoredDigits::view), mover),
            None if self.plan.is_empty() => {}
            None => nest::walk(&self.plan, block, by_source, mover),
        }
    }
}

/// Writes a value to the padding of a layout: before the elements, since layouts that no plan
/// describes are written all over.
pub fn fill<T: Copy + 'static>(plan: Option<&PaddingPlan>, slots: usize, dst: &mut [T], value: T) {
    match plan {
        Some(plan) => fill::paddings(plan, |slots| dst[slots].fill(value)),
        None => dst[..slots].fill(value),
    }
}
