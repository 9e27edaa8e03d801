//! Running the copy that a plan describes: by which kernels, and on how many threads.

use core::marker::PhantomData;

use layout_core::__private::PaddingPlan;

use crate::compiled::AnyLayout;
use crate::memory::stored::{Plain, StoredIn};
use crate::relayout::kernel::fill;
pub use crate::relayout::kernel::planned::Copying;
pub(in crate::relayout) use crate::relayout::kernel::planned::Kernels;
use crate::relayout::kernel::portable::{MoveBlocks, Portable, move_blocks, runs};
use crate::relayout::kernel::raw::{self, Unit};
use crate::relayout::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::relayout::kernel::threads;
use crate::relayout::policy;

/// What is known of a copy when it is compiled: the type of its elements, and its plan if that is a constant. Code for other
/// plans does not become part of the program.
pub trait Plans<T> {
    /// Whether the elements are plain numbers.
    const PLAIN: Plain<T>;
    /// The copy, if all sizes are known.
    const COPYING: Option<&'static Copying<'static>> = None;
}

/// Copies to the layout `B` by plans that are made at run time.
pub(crate) struct AnyPlan<B>(PhantomData<B>);

impl<B: AnyLayout, T: StoredIn<B>> Plans<T> for AnyPlan<B> {
    const PLAIN: Plain<T> = T::PLAIN_HERE;
}

/// Whether the plan can be a general one (`true`), or one of loops (`false`).
const fn may_be<P: Plans<T>, T>(general: bool) -> bool {
    match P::COPYING {
        Some(copying) => copying.plan.is_general() == general,
        None => true,
    }
}

impl Copying<'_> {
    /// Moves the elements. The slices are as long as the layouts ask.
    #[inline]
    pub fn run<P: Plans<T>, T: Copy + 'static>(
        &self,
        src: &[T],
        dst: &mut [T],
        settings: &Settings,
    ) {
        macro_rules! units {
            ($($unit:ty)*) => {
                $(if const { P::PLAIN.is_plain() && size_of::<T>() == size_of::<$unit>() } {
                    let (src, dst) = raw::cast::<T, $unit>(P::PLAIN, src, dst);
                    let by = self.by::<P, T, $unit>();
                    if const { may_be::<P, T>(false) } && !self.plan.is_general() {
                        self.unit::<false, $unit>(by, src, dst, settings);
                    } else if const { may_be::<P, T>(true) } {
                        self.unit::<true, $unit>(by, src, dst, settings);
                    }
                    return;
                })*
            };
        }
        // Complex numbers are aligned as their parts.
        units! { u8 u16 u32 [u32; 2] [u64; 2] }
        let by = self.by::<P, T, T>();
        if const { may_be::<P, T>(false) } && !self.plan.is_general() {
            self.portable::<false, T>(by, src, dst);
        } else if const { may_be::<P, T>(true) } {
            self.portable::<true, T>(by, src, dst);
        }
    }

    /// What moves blocks of elements that are stored as `U`.
    #[inline]
    fn by<P: Plans<T>, T, U: Copy + 'static>(&self) -> MoveBlocks<U> {
        if const { P::COPYING.is_none() } {
            return move_blocks(&self.nest.block);
        }
        const {
            match P::COPYING {
                Some(copying) => move_blocks(&copying.nest.block),
                // The compiler evaluates this block for plans that are made at run time too.
                None => runs,
            }
        }
    }

    /// Moves elements of `N` bytes of whatever type, by any plan. The slices are as long as the layouts ask.
    pub fn run_bytes<U: Unit, const N: usize>(
        &self,
        src: &[[u8; N]],
        dst: &mut [[u8; N]],
        settings: &Settings,
    ) {
        let (block, is_general) = (&self.nest.block, self.plan.is_general());
        match raw::aligned::<U, N>(src, dst) {
            Some((src, dst)) if is_general => {
                self.unit::<true, U>(move_blocks(block), src, dst, settings);
            }
            Some((src, dst)) => self.unit::<false, U>(move_blocks(block), src, dst, settings),
            None if is_general => self.portable::<true, _>(move_blocks(block), src, dst),
            None => self.portable::<false, _>(move_blocks(block), src, dst),
        }
    }

    /// Moves units on threads, by a general plan or by one of loops.
    #[inline(never)]
    pub(crate) fn unit<const GENERAL: bool, U: Unit>(
        &self,
        by: MoveBlocks<U>,
        src: &[U],
        dst: &mut [U],
        settings: &Settings,
    ) {
        let set = settings.set;
        let streams = settings.streams.unwrap_or(size_of_val(dst) >= policy::STREAMED);
        #[cfg(feature = "rayon")]
        if settings.threads.unwrap_or(size_of_val(dst) >= policy::SHARED)
            && threads::copy(&self.plan, src, dst, [1; 2], 1, |plan, src, dst| {
                let share = Copying::of(*plan, self.kernels, self.digits);
                let share = Copying { origin: self.origin, ..share };
                share.one_thread::<GENERAL, U>(by, src, dst, set, streams);
            })
        {
            return;
        }
        self.one_thread::<GENERAL, U>(by, src, dst, set, streams);
    }

    fn one_thread<const GENERAL: bool, U: Unit>(
        &self,
        by: MoveBlocks<U>,
        src: &[U],
        dst: &mut [U],
        set: Option<InstructionSet>,
        streams: bool,
    ) {
        if !GENERAL && let Some(exchange) = self.kernels.exchange {
            let set = set.unwrap_or_else(InstructionSet::best);
            if raw::vectors_of(set) >= exchange.least {
                let (src, dst) = raw::bytes_of_units(src, dst);
                return (exchange.run)(&self.plan, size_of::<U>(), src, dst, set, streams);
            }
        }
        if !raw::copy::<GENERAL, U>(self, by, src, dst, set, streams) {
            self.portable::<GENERAL, U>(by, src, dst);
        }
    }

    fn portable<const GENERAL: bool, T: Copy + 'static>(
        &self,
        by: MoveBlocks<T>,
        src: &[T],
        dst: &mut [T],
    ) {
        self.walk::<GENERAL, _>(self.plan.is_source_tiled, &mut Portable { src, dst, by });
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
            ranges.for_each(|range| {
                let (before, gap) = dst.split_at_mut(range.start);
                gap[..first.len()].copy_from_slice(&before[first.clone()]);
            });
        }),
        None => dst[..slots].fill(value),
    }
}
