//! Copying an array from any layout to any other.

mod api;
mod fill;
mod general;
mod packed;
mod portable;
mod raw;
mod region;
mod reshape;
mod same;
mod settings;
mod stays;
#[cfg(feature = "rayon")]
mod threads;
mod transpose;
mod walk;

pub(crate) use api::fill_padding;
pub use api::{Padding, RelayoutError, SameArray, Side, relayout, relayout_with};
pub use packed::{OneByte, pack, repack, unpack};
use portable::Portable;
use raw::{Units, units};
pub(crate) use region::relayout_region;
pub use reshape::reshape_is_bitcast;
pub use same::same_bytes;
pub use settings::{InstructionSet, Settings};
pub use transpose::transpose_is_bitcast;

use layout_core::__private::{PaddingPlan, Plan};
use layout_core::Digits;

use crate::stored::Plain;

/// Bytes from which on stores go around the cache: where the destination fits in it with the source,
/// that is slower.
const STREAMED: usize = 8 << 20;
/// Bytes from which on an array is spread over threads: what one copies while another is woken.
#[cfg(feature = "rayon")]
const SHARED: usize = 1 << 20;

/// The copy from one layout to another, ready to run.
#[derive(Clone, Copy)]
pub struct Copying<'a> {
    /// The loops.
    pub plan: Plan,
    /// Both layouts, where the plan does not say it all.
    pub digits: Option<[&'a Digits; 2]>,
}

impl<'a> Copying<'a> {
    /// Plans it. `element` is the size of an element in bytes.
    pub const fn new(src: &'a Digits, dst: &'a Digits, element: usize) -> Copying<'a> {
        let plan = Plan::new(src, dst, element);
        let digits = if plan.is_general() { Some([src, dst]) } else { None };
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
            && threads::copy(&self.plan, src, dst, |plan, src, dst| {
                unit(plan, src, dst, set, streams)
            })
        {
            return;
        }
        match self.digits {
            Some(_) => self.portable(src, dst),
            None => unit(&self.plan, src, dst, set, streams),
        }
    }

    fn portable<T: Copy + 'static>(&self, src: &[T], dst: &mut [T]) {
        match self.digits {
            Some(digits) => general::copy(&self.plan, digits, &mut Portable { src, dst }),
            None => nest(&self.plan, src, dst),
        }
    }
}

/// A plan that says it all, for plain numbers.
fn unit<U: Copy + 'static>(
    plan: &Plan,
    src: &[U],
    dst: &mut [U],
    set: InstructionSet,
    streams: bool,
) {
    if plan.is_empty() {
        return;
    }
    #[cfg(target_arch = "x86_64")]
    if raw::x86::copy(plan, src, dst, set, streams) {
        return;
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (set, streams);
    nest(plan, src, dst);
}

/// A plan that says it all, in safe code.
fn nest<T: Copy + 'static>(plan: &Plan, src: &[T], dst: &mut [T]) {
    if !plan.is_empty() {
        walk::walk(plan, &walk::Block::new(plan), plan.is_source_tiled, &mut Portable { src, dst });
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
