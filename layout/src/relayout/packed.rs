//! Elements narrower than a byte: packing, unpacking, and from one packed layout to another.

mod destination;
mod part;
mod strided;

use core::marker::PhantomData;

use layout_copy::__private::packed::{self, FixedPair, PlannedBlocks, Widths};
use layout_copy::__private::{Plain, Plan, bytes, bytes_mut, fill};
use layout_copy::OneByte;
use layout_copy::Settings;
use layout_core::{Digits, Size};

use crate::array::same_array::SameArray;
use crate::compiled::{self, AnyLayout, StaticLayout};
use crate::memory::packed::bits::{BitOrder, LowFirst};
use crate::memory::stored::StoredIn;
use crate::relayout::error::RelayoutError;

use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::layouts::{OfConstants, general_digits};
use crate::relayout::choice::{ByLoops, OfCall, by_loops};
use crate::relayout::padding::{Padded, Padding, declared};
use crate::types::element::PackedWidth;

/// A copy whose elements become bytes as `T` says, if they do, and stand in bytes in the orders `O` and `P`.
pub(super) struct Copied<A, B, T, O = LowFirst, P = LowFirst>(PhantomData<(A, B, T, O, P)>);

impl<A, B, T, O, P> FixedPair for Copied<A, B, T, O, P>
where
    A: SameArray<B>,
    B: AnyLayout,
    T: OneByte,
    O: BitOrder,
    P: BitOrder,
{
    /// Not of the elements' size: their numbers are those of bits.
    const PLAN: &'static Plan = &Plan::new(A::DIGITS, B::DIGITS, 0);
    const WIDTHS: Widths = Widths {
        src: A::BITS as u32,
        dst: B::BITS as u32,
        fixed: 0,
        extend: T::EXTEND.0,
        mirrors: [O::IS_HIGH_FIRST, P::IS_HIGH_FIRST],
    };
}

impl<A, B, T, O, P> Copied<A, B, T, O, P>
where
    A: SameArray<B>,
    B: AnyLayout,
    T: OneByte,
    O: BitOrder,
    P: BitOrder,
{
    /// Whether it is code of its own.
    const IS_FIXED: bool = packed::is_fixed::<Self>();

    const BLOCKS: &'static Option<PlannedBlocks> =
        &if packed::has_constant_blocks(Self::PLAN, Self::WIDTHS) && !Self::IS_FIXED {
            Some(PlannedBlocks::new(Self::PLAN, Self::WIDTHS))
        } else {
            None
        };

    /// Copies between slices that are as long as the layouts ask.
    pub(super) fn run(padding: Option<u8>, src: &[u8], dst: &mut [u8]) {
        if padding.is_some() {
            packed::pad(dst, Self::WIDTHS, padding, B::PADDING, B::SLOTS);
        }
        if const { Self::IS_FIXED } && packed::run_fixed::<Self>(src, dst) {
            return;
        }
        let (pair, slots) = (OfConstants::<A, B>::PAIR, [A::SLOTS, B::SLOTS]);
        if const { !Self::IS_FIXED && A::SLOTS <= FEW_SLOTS / 2 && B::SLOTS <= FEW_SLOTS / 2 }
            && copy_as_bytes(pair, slots, Self::WIDTHS, src, dst)
        {
            return;
        }
        if let Some(blocks) = Self::BLOCKS
            && blocks.run(src, dst)
        {
            return;
        }
        let digits = const { &general_digits::<A, B>(Self::PLAN) }.as_ref();
        let (blocks, settings) = (Self::BLOCKS.as_ref(), &Settings::default());
        // A pass of its own needs nothing of the padding after it.
        let padding = if const { Self::IS_FIXED } { None } else { padding };
        packed::run(Self::PLAN, blocks, digits, Self::WIDTHS.padded(padding), src, dst, settings);
    }
}

/// Slots up to which the elements of an array are moved as bytes.
const FEW_SLOTS: usize = 512;

/// Copies an array of some slots that are few: unpacked to bytes, by loops in the caller's code, and packed again. False if it is not
/// done; nothing is written then.
#[inline(always)]
fn copy_as_bytes<S: ByLoops<u8>>(
    sides: S,
    slots: [usize; 2],
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
) -> bool {
    if const { !S::HAS_NEST } || slots[0].max(slots[1]) > FEW_SLOTS || sides.elements() == 0 {
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
        let mut slots = CopiedSlots::of(Plain::YES, from, &mut dst[..slots[1]], None);
        return by_loops(sides, &mut slots);
    }
    let to = &mut to[..slots[1]];
    if sides.elements() < slots[1] {
        packed::stretch(packed.turned(), dst, to, [0; 2], slots[1]);
    }
    if !by_loops(sides, &mut CopiedSlots::of(Plain::YES, from, to, None)) {
        return false;
    }
    packed::stretch(packed, to, dst, [0; 2], slots[1]);
    true
}

/// Elements up to which a plan takes longer than a copy of each element by itself.
pub(super) const FEW: usize = 128;

/// Copies a whole array between memories of which sizes or strides are known at the call.
pub(super) fn copy_bits<S: ByLoops<u8> + OfCall>(
    sides: S,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
) {
    let slots = [(src.len(), widths.src), (dst.len(), widths.dst)];
    let slots = slots.map(|(bytes, bits)| bytes.saturating_mul(8 / bits as usize));
    if sides.elements() == 0 || copy_as_bytes(sides, slots, widths, src, dst) {
        return;
    }
    if let Some(template) = S::TEMPLATE {
        let plan = &sides.plan(template, 0);
        return packed::run(plan, None, None, widths, src, dst, &Settings::default());
    }
    let (digits, first) = (&sides.digits(), sides.first().map(|first| first as Size));
    let plan = &mut Plan::new(&digits[0], &digits[1], 0);
    plan.begin_at(first);
    let views = plan.is_general().then(|| digits.each_ref().map(Digits::view));
    packed::run(plan, None, views.as_ref(), widths, src, dst, &Settings::default());
}

/// What is written to the padding of a packed layout.
pub(super) fn packed_value<L: AnyLayout, T: OneByte>(padding: Padding<T>) -> Option<u8> {
    match padding {
        Padding::Leave => None,
        Padding::Zero => Some(0),
        Padding::Fill(value) => Some(value.byte()),
        Padding::Declared => declared::<L>().map(|bits| bits as u8),
    }
}

/// Stops the build if a size is not known.
const fn packed_bits<L: AnyLayout>() {
    compiled::known::<L>();
}

const fn packed_bytes<L: AnyLayout>() -> usize {
    compiled::bytes::<L>(L::SLOTS)
}

/// Copies an array from one element a byte to packed elements: `B` has `E(1)`, `E(2)` or `E(4)`, the
/// first element of a byte its low bits. The low bits of each value are taken.
///
/// It treats padding like [`relayout`](super::relayout). Bits after the last element in the last byte keep their value.
/// [`View::relayout_to`](crate::View::relayout_to) and that of its slices copy to packed views and to parts of them, in either order
/// of bits ([`high_first`](crate::PackedViewMut::high_first)).
///
/// # Errors
/// If a slice is too short; the destination's numbers are bytes.
///
/// # Examples
/// ```
/// use layout::{Padding, layout, pack};
///
/// type Bytes = layout!(S4[3]);
/// type Packed = layout!(S4[3]{0:E(4)});
/// let mut packed = [0; Packed::BYTES];
/// pack::<Bytes, Packed, i8>(&[1, -1, 2], &mut packed, Padding::Zero)?;
/// assert_eq!(packed, [0xf1, 0x02]);
/// # Ok::<(), layout::RelayoutError>(())
/// ```
/// A part of an image, to a bitmap whose first pixel is the high bit of a byte:
/// ```
/// use layout::{PackedViewMut, Padding, View, layout};
///
/// type Image = layout!(PRED[4,16]);
/// type Bitmap = layout!(PRED[2,8]{1,0:E(1)});
/// let mut pixels = [false; 64];
/// pixels[16 + 4] = true;                              // row 1, column 4
/// let mut bytes = [0; Bitmap::BYTES];
/// let mut bitmap = PackedViewMut::<Bitmap>::new(&mut bytes)?.high_first();
/// View::<Image, bool>::new(&pixels)?.slice((1..3, 4..12))?.relayout_to(&mut bitmap, Padding::Leave);
/// assert_eq!(bytes, [0b1000_0000, 0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn pack<A, B, T>(src: &[T], dst: &mut [u8], padding: Padding<T>) -> Result<(), RelayoutError>
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout<Width: PackedWidth>,
    T: StoredIn<A> + OneByte,
{
    let () = T::HAS_SIZE;
    let () = const { packed_bits::<B>() };
    let slots = RelayoutError::source(src, A::SLOTS)?;
    let out = RelayoutError::destination(dst, packed_bytes::<B>())?;
    <Copied<A, B, u8>>::run(packed_value::<B, T>(padding), bytes(slots), out);
    Ok(())
}

/// Copies an array from packed elements to one element a byte: the reverse of [`pack`]. The bits of
/// signed integers are extended with their sign, those of others with zeros.
///
/// The first element of a byte is its low bits. [`PackedView::slice`](crate::PackedView::slice) and its `relayout_to` do
/// the same with a part, such as some rows, and with the other order of bits ([`high_first`](crate::PackedView::high_first)).
///
/// # Errors
/// If a slice is too short; the source's numbers are bytes.
///
/// # Examples
/// ```
/// use layout::{Padding, layout, unpack};
///
/// type Bytes = layout!(S4[3]);
/// type Packed = layout!(S4[3]{0:E(4)});
/// let mut bytes = [0; 3];
/// unpack::<Packed, Bytes, i8>(&[0xf1, 0x02], &mut bytes, Padding::Zero)?;
/// assert_eq!(bytes, [1, -1, 2]);
/// # Ok::<(), layout::RelayoutError>(())
/// ```
/// Row 1 alone:
/// ```
/// use layout::{PackedView, Padding, ViewMut, layout};
///
/// type Packed = layout!(S4[3,2]{1,0:E(4)});
/// let mut row = [0; 2];
/// let part = PackedView::<Packed>::new(&[0x21, 0xf3, 0x65])?.slice((1..2, ..))?;
/// part.relayout_to(&mut ViewMut::<layout!(S4[1,2]), i8>::new(&mut row)?, Padding::Leave);
/// assert_eq!(row, [3, -1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn unpack<A, B, T>(src: &[u8], dst: &mut [T], padding: Padding<T>) -> Result<(), RelayoutError>
where
    A: SameArray<B> + StaticLayout<Width: PackedWidth>,
    B: StaticLayout,
    T: StoredIn<B> + OneByte,
{
    let () = T::HAS_SIZE;
    let () = const { packed_bits::<A>() };
    let bytes = RelayoutError::source(src, packed_bytes::<A>())?;
    let slots = RelayoutError::destination(dst, B::SLOTS)?;
    if let Some(value) = padding.value::<B>(declared::<B>) {
        fill(B::PADDING, slots.len(), slots, value);
    }
    <Copied<A, B, T>>::run(None, bytes, bytes_mut(slots));
    Ok(())
}

/// Copies an array from one packed layout to another; both have elements of as many bits. The padding's
/// value is the low bits of a byte.
///
/// The first element of a byte is its low bits, on both sides. [`PackedView::relayout_to`](crate::PackedView::relayout_to) takes either
/// order of bits on either side ([`high_first`](crate::PackedView::high_first)), parts of arrays, and sizes that are known at run time.
///
/// # Errors
/// If a slice is too short; the numbers are bytes.
///
/// # Examples
/// ```
/// use layout::{Padding, layout, repack};
///
/// type Rows = layout!(U4[2,2]{1,0:E(4)});
/// type Columns = layout!(U4[2,2]{0,1:E(4)});
/// let mut columns = [0; 2];
/// repack::<Rows, Columns>(&[0x21, 0x43], &mut columns, Padding::Leave)?;
/// assert_eq!(columns, [0x31, 0x42]);
/// # Ok::<(), layout::RelayoutError>(())
/// ```
/// A part of an array, into a part of another one:
/// ```
/// use layout::{PackedView, PackedViewMut, Padding, layout};
///
/// type Rows = layout!(U4[2,4]{1,0:E(4)});
/// type Columns = layout!(U4[2,4]{0,1:E(4)});
/// let mut columns = [0; 4];
/// let mut to = PackedViewMut::<Columns>::new(&mut columns)?;
/// let from = PackedView::<Rows>::new(&[0x21, 0x43, 0x65, 0x87])?;
/// from.slice((.., 1..3))?.relayout_to(&mut to.slice_mut((.., 2..4))?, Padding::Leave);
/// assert_eq!(columns, [0, 0, 0x62, 0x73]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn repack<A, B>(src: &[u8], dst: &mut [u8], padding: Padding<u8>) -> Result<(), RelayoutError>
where
    A: SameArray<B> + StaticLayout<Width = B::Width>,
    B: StaticLayout<Width: PackedWidth>,
{
    let () = A::VALID;
    let () = const { packed_bits::<B>() };
    let src = RelayoutError::source(src, packed_bytes::<A>())?;
    let bytes = RelayoutError::destination(dst, packed_bytes::<B>())?;
    let padding = packed_value::<B, u8>(padding);
    <Copied<A, B, u8>>::run(padding, src, bytes);
    Ok(())
}
