//! Elements narrower than a byte: packing, unpacking, and from one packed layout to another.

use core::marker::PhantomData;

use layout_copy::__private::Plan;
use layout_copy::__private::packed::{self, Extend, FixedPair, Widths};
use layout_copy::Settings;

use crate::copies::{
    choose::FEW_PACKED_STRETCHES, choose::Way, choose::are_few, choose::by_loops, choose::of_types,
    padding::with_padding_plan, pair::Pair, pair::Planned, pair::general_digits, related::CopiedAs,
    run::each_stretch, slots::CopiedSlots,
};
use crate::memory::{
    Format, Place, place::mapping::Mapping, unpacked::copied_by_digits as by_digits,
};

/// The bytes of packed elements on both sides.
type Bytes<'a> = (&'a [u8], &'a mut [u8]);

/// Copies elements of which one side at least is narrower than a byte, and writes the padding.
pub(super) fn copy_bits<F: CopiedAs<G>, G: Format, P: Place, Q: Place>(
    (from, to): (&P, &Q),
    padding: Option<u8>,
    bytes: Bytes<'_>,
) {
    if const { Pair::<P, Q>::IS_CONSTANT } {
        return Copied::<P, Q, F, G>::run(Pair::of(from.clone(), to.clone()), padding, bytes);
    }
    pad(to, F::WIDTHS, padding, bytes.1);
    match const { of_types::<P, Q>() } {
        // Rows of a part begin within bytes: to unpack the whole memory takes longer than few of them.
        Way::BySizes | Way::Stretches
            if const { P::IS_PART || Q::IS_PART } && are_few(from, to, FEW_PACKED_STRETCHES) =>
        {
            stretches(from, to, F::WIDTHS, bytes);
        }
        Way::BySizes => between(Pair::of(from.side(), to.side()), F::WIDTHS, bytes),
        _ => by_digits(from, to, F::WIDTHS, bytes),
    }
}

/// Writes bits to the slots of a place that hold no element.
fn pad(to: &impl Mapping, of: Widths, padding: Option<u8>, dst: &mut [u8]) {
    let Some(value) = padding else { return };
    let Widths { dst: bits, mirrors, .. } = of;
    let mirrors = [false, mirrors[1]];
    let widths = Widths { src: bits, dst: bits, fixed: 0, extend: Extend::Zeros, mirrors };
    with_padding_plan(to, dst.len(), |plan| {
        packed::pad(dst, widths, Some(value), plan, to.slots())
    });
}

/// Stretches that go on where the last one ends, in both memories, are one.
fn stretches(from: &impl Place, to: &impl Place, widths: Widths, (src, dst): Bytes<'_>) {
    let (mut first, mut length) = ([0; 2], 0);
    each_stretch(from, to, |at, count| {
        if at == first.map(|slot| slot + length) {
            length += count;
            return;
        }
        packed::stretch(widths, src, dst, first, length);
        (first, length) = (at, count);
    });
    packed::stretch(widths, src, dst, first, length);
}

/// A copy between layouts that are constants, of elements of the format `F` to `G`.
struct Copied<A, B, F, G>(PhantomData<(A, B, F, G)>);

impl<A: Mapping, B: Mapping, F: CopiedAs<G>, G: Format> FixedPair for Copied<A, B, F, G> {
    /// Not of the elements' size: their numbers are those of bits.
    const PLAN: &'static Plan = &Planned::<A, B, ()>::PLAN;
    const WIDTHS: Widths = F::WIDTHS;
}

impl<A: Mapping, B: Mapping, F: CopiedAs<G>, G: Format> Copied<A, B, F, G> {
    /// Whether it is code of its own.
    const IS_FIXED: bool = packed::is_fixed::<Self>();

    const SLOTS: [usize; 2] = match [A::SLOTS, B::SLOTS] {
        [Some(from), Some(to)] => [from, to],
        _ => [0; 2],
    };

    /// Copies between slices that are as long as the layouts ask.
    fn run(pair: Pair<A, B>, padding: Option<u8>, (src, dst): Bytes<'_>) {
        if padding.is_some() {
            let (plan, slots) =
                const { Planned::<A, B, ()>::PADDING }.unwrap_or((None, Self::SLOTS[1]));
            packed::pad(dst, Self::WIDTHS, padding, plan, slots);
        }
        if const { Self::IS_FIXED } && packed::run_fixed::<Self>(src, dst) {
            return;
        }
        if const { !Self::IS_FIXED && Self::SLOTS[0] <= FEW_SLOTS / 2 && Self::SLOTS[1] <= FEW_SLOTS / 2 }
            && as_bytes(pair, Self::SLOTS, Self::WIDTHS, src, dst)
        {
            return;
        }
        let digits = const { &general_digits::<A, B>(Self::PLAN) }.as_ref();
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
fn as_bytes<A: Mapping, B: Mapping>(
    pair: Pair<A, B>,
    slots: [usize; 2],
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
) -> bool {
    if const { !Pair::<A, B>::HAS_NEST }
        || slots[0].max(slots[1]) > FEW_SLOTS
        || pair.elements() == 0
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
        return by_loops(pair, &mut slots);
    }
    let to = &mut to[..slots[1]];
    if pair.elements() < slots[1] {
        packed::stretch(packed.turned(), dst, to, [0; 2], slots[1]);
    }
    if !by_loops(pair, &mut CopiedSlots::of(from, to, None)) {
        return false;
    }
    packed::stretch(packed, to, dst, [0; 2], slots[1]);
    true
}

/// Copies a whole array between memories of which sizes or strides are known at the call.
pub(super) fn between<A: Mapping, B: Mapping>(
    pair: Pair<A, B>,
    widths: Widths,
    (src, dst): Bytes<'_>,
) {
    let slots = [(src.len(), widths.src), (dst.len(), widths.dst)];
    let slots = slots.map(|(bytes, bits)| bytes.saturating_mul(8 / bits as usize));
    if pair.elements() == 0 || as_bytes(pair.clone(), slots, widths, src, dst) {
        return;
    }
    let run = |plan: &Plan| packed::run(plan, None, None, widths, src, dst, &Settings::default());
    if pair.plan(0, run).is_none() {
        by_digits(&pair.from, &pair.to, widths, (src, dst));
    }
}
