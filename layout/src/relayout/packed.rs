//! Elements narrower than a byte: packing, unpacking, and from one packed layout to another.

use core::marker::PhantomData;

use layout_copy::__private::Plan;
use layout_copy::__private::packed::{self, FixedPair, Widths};
use layout_copy::Settings;
use layout_core::{Digits, Size};

use crate::array::same_array::SameDims;
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::relayout::choice::by_loops;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::padding::Padded;
use crate::relayout::places::BitWidths;
use crate::relayout::sides::{Side, Sides, general_digits};

/// A copy between layouts that are constants, of elements as wide as `W` says.
pub(super) struct Copied<A, B, W>(PhantomData<(A, B, W)>);

impl<A: SameDims<B>, B: AnyLayout, W: BitWidths> FixedPair for Copied<A, B, W> {
    /// Not of the elements' size: their numbers are those of bits.
    const PLAN: &'static Plan = &Plan::new(A::DIGITS, B::DIGITS, 0);
    const WIDTHS: Widths = W::WIDTHS;
}

impl<A: SameDims<B>, B: AnyLayout, W: BitWidths> Copied<A, B, W> {
    /// Whether it is code of its own.
    const IS_FIXED: bool = packed::is_fixed::<Self>();

    /// Copies between slices that are as long as the layouts ask.
    pub(super) fn run(
        sides: Sides<WithDims<A>, WithDims<B>>,
        padding: Option<u8>,
        src: &[u8],
        dst: &mut [u8],
    ) {
        if padding.is_some() {
            packed::pad(dst, Self::WIDTHS, padding, B::PADDING, B::SLOTS);
        }
        if const { Self::IS_FIXED } && packed::run_fixed::<Self>(src, dst) {
            return;
        }
        let slots = [A::SLOTS, B::SLOTS];
        if const { !Self::IS_FIXED && A::SLOTS <= FEW_SLOTS / 2 && B::SLOTS <= FEW_SLOTS / 2 }
            && copy_as_bytes(sides, slots, Self::WIDTHS, src, dst)
        {
            return;
        }
        let digits = const { &general_digits::<WithDims<A>, WithDims<B>>(Self::PLAN) }.as_ref();
        let blocks =
            if const { Self::IS_FIXED } { None } else { packed::constant_blocks::<Self>() };
        packed::run(Self::PLAN, blocks, digits, Self::WIDTHS, src, dst, &Settings::default());
    }
}

/// Slots up to which the elements of an array are moved as bytes.
const FEW_SLOTS: usize = 512;

/// Copies an array of some slots that are few: unpacked to bytes, by loops in the caller's code, and packed again. False if it is not
/// done; nothing is written then.
#[inline(always)]
fn copy_as_bytes<A: Side, B: Side>(
    sides: Sides<A, B>,
    slots: [usize; 2],
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
) -> bool {
    if const { !Sides::<A, B>::HAS_NEST }
        || slots[0].max(slots[1]) > FEW_SLOTS
        || sides.elements() == 0
    {
        return false;
    }
    let [unpacked, packed] = widths.by_bytes();
    let (mut from, mut to) = ([0; FEW_SLOTS], [0; FEW_SLOTS]);
    let from = if widths.src < 8 {
        packed::stretch(unpacked, src, &mut from, [0; 2], slots[0]);
        &from[..slots[0]]
    } else {
        &src[..slots[0]]
    };
    if widths.dst == 8 {
        let mut slots = CopiedSlots::of(from, &mut dst[..slots[1]], None);
        return by_loops(sides, &mut slots);
    }
    let to = &mut to[..slots[1]];
    if sides.elements() < slots[1] {
        packed::stretch(packed.turned(), dst, to, [0; 2], slots[1]);
    }
    if !by_loops(sides, &mut CopiedSlots::of(from, to, None)) {
        return false;
    }
    packed::stretch(packed, to, dst, [0; 2], slots[1]);
    true
}

/// Copies a whole array between memories of which sizes or strides are known at the call.
pub(super) fn copy_bits<A: Side, B: Side>(
    sides: Sides<A, B>,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
) {
    let slots = [(src.len(), widths.src), (dst.len(), widths.dst)];
    let slots = slots.map(|(bytes, bits)| bytes.saturating_mul(8 / bits as usize));
    if sides.elements() == 0 || copy_as_bytes(sides, slots, widths, src, dst) {
        return;
    }
    if let Some(plan) = &sides.plan(0) {
        return packed::run(plan, None, None, widths, src, dst, &Settings::default());
    }
    let (digits, first) = (&sides.digits(), sides.first().map(|first| first as Size));
    let plan = &mut Plan::new(&digits[0], &digits[1], 0);
    plan.begin_at(first);
    let views = plan.is_general().then(|| digits.each_ref().map(Digits::view));
    packed::run(plan, None, views.as_ref(), widths, src, dst, &Settings::default());
}
