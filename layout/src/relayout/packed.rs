//! Elements narrower than a byte: packing, unpacking, and from one packed layout to another.

use layout_core::__private::{PaddingPlan, Plan};
use layout_core::Digits;

use crate::array::same_array::SameArray;
use crate::compiled::{self, AnyLayout, stop};
use crate::memory::stored::StoredAs;
use crate::relayout::error::RelayoutError;
use crate::relayout::kernel::nest::{Block, Mover, walk};
use crate::relayout::kernel::{fill, general};
use crate::relayout::padding::{Padded, Padding, declared};

/// What stores one element narrower than a byte in a byte: `u8`, `i8` and `bool`. No other type does.
///
/// # Examples
/// ```
/// use layout::{OneByte, StoredAs, element};
///
/// fn stores_s4<T: OneByte + StoredAs<element::S4>>() {}
///
/// stores_s4::<i8>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not hold one packed element",
    label = "expected `u8`, `i8` or `bool`",
    note = "unsigned integers and floats are unpacked to `u8`, signed integers to `i8`, `PRED` to `bool` or `u8`"
)]
pub trait OneByte: sealed::Sealed + Copy + 'static {
    /// The value with these low bits.
    #[doc(hidden)]
    fn of_low_bits(byte: u8, bits: u32) -> Self;

    #[doc(hidden)]
    fn byte(self) -> u8;
}

mod sealed {
    #[allow(unnameable_types, reason = "sealed")]
    pub trait Sealed {}
    impl Sealed for u8 {}
    impl Sealed for i8 {}
    impl Sealed for bool {}
}

impl OneByte for u8 {
    fn of_low_bits(byte: u8, _: u32) -> u8 {
        byte
    }

    fn byte(self) -> u8 {
        self
    }
}

impl OneByte for i8 {
    fn of_low_bits(byte: u8, bits: u32) -> i8 {
        // Only signed integers are stored as `i8`.
        (byte << (8 - bits)) as i8 >> (8 - bits)
    }

    fn byte(self) -> u8 {
        self as u8
    }
}

impl OneByte for bool {
    fn of_low_bits(byte: u8, _: u32) -> bool {
        byte & 1 == 1
    }

    fn byte(self) -> u8 {
        u8::from(self)
    }
}

/// Elements that are read.
pub(super) trait Read {
    fn get(&self, slot: usize) -> u8;
}

/// Elements that are written.
pub(super) trait Write {
    fn set(&mut self, slot: usize, value: u8);
}

/// One in a byte.
pub(super) struct Bytes<S> {
    pub slots: S,
    /// Bits of an element on the other side.
    pub bits: u32,
}

/// One in a byte, whose bits are extended with their sign.
pub(super) struct SignedBytes<'a> {
    pub slots: &'a mut [u8],
    /// Bits of an element on the other side.
    pub bits: u32,
}

/// Several in a byte, the first its low bits.
pub(super) struct Bits<S> {
    pub bytes: S,
    pub bits: u32,
}

impl<S> Bits<S> {
    /// The byte of a slot, and how far its bits are shifted in it.
    #[inline(always)]
    fn locate(&self, slot: usize) -> (usize, u32) {
        let per_byte = 8 / self.bits as usize;
        (slot / per_byte, (slot % per_byte) as u32 * self.bits)
    }

    fn mask(&self) -> u8 {
        (1 << self.bits) - 1
    }
}

impl<T: OneByte> Read for Bytes<&[T]> {
    #[inline(always)]
    fn get(&self, slot: usize) -> u8 {
        self.slots[slot].byte()
    }
}

impl<T: OneByte> Write for Bytes<&mut [T]> {
    #[inline(always)]
    fn set(&mut self, slot: usize, value: u8) {
        self.slots[slot] = T::of_low_bits(value, self.bits);
    }
}

impl Write for SignedBytes<'_> {
    #[inline(always)]
    fn set(&mut self, slot: usize, value: u8) {
        self.slots[slot] = i8::of_low_bits(value, self.bits) as u8;
    }
}

impl Read for Bits<&[u8]> {
    #[inline(always)]
    fn get(&self, slot: usize) -> u8 {
        let (byte, shift) = self.locate(slot);
        self.bytes[byte] >> shift & self.mask()
    }
}

impl Write for Bits<&mut [u8]> {
    #[inline(always)]
    fn set(&mut self, slot: usize, value: u8) {
        let (byte, shift) = self.locate(slot);
        let mask = self.mask();
        let byte = &mut self.bytes[byte];
        *byte = *byte & !(mask << shift) | (value & mask) << shift;
    }
}

struct Narrow<R, W> {
    src: R,
    dst: W,
}

impl<R: Read, W: Write> Mover for Narrow<R, W> {
    #[inline(always)]
    fn elements(&mut self, at: [usize; 2], count: usize, step: [usize; 2]) {
        for i in 0..count {
            self.dst.set(at[1] + i * step[1], self.src.get(at[0] + i * step[0]));
        }
    }
}

/// The copy between narrow elements: not of the elements' size, so that it has a plan of its own.
trait Narrowed<B: AnyLayout>: SameArray<B> {
    const PLAN: &'static Plan = &Plan::new(Self::DIGITS, B::DIGITS, 0);
}

impl<A: SameArray<B>, B: AnyLayout> Narrowed<B> for A {}

fn copy<A, B, R, W>(padding: Option<u8>, src: R, mut dst: W)
where
    A: SameArray<B>,
    B: AnyLayout,
    R: Read,
    W: Write,
{
    pad(&mut dst, padding, B::PADDING, B::SLOTS);
    run(<A as Narrowed<B>>::PLAN, [A::DIGITS, B::DIGITS], src, dst);
}

/// Writes a value to the padding, or to all slots where no plan says where it is.
pub(super) fn pad(
    dst: &mut impl Write,
    value: Option<u8>,
    plan: Option<&PaddingPlan>,
    slots: usize,
) {
    let Some(value) = value else { return };
    let write = |slots| {
        for slot in slots {
            dst.set(slot, value);
        }
    };
    match plan {
        Some(plan) => fill::paddings(plan, write),
        None => core::iter::once(0..slots).for_each(write),
    }
}

/// Moves the elements by a plan.
pub(super) fn run(plan: &Plan, digits: [&Digits; 2], src: impl Read, dst: impl Write) {
    let mover = &mut Narrow { src, dst };
    if plan.is_empty() {
    } else if plan.is_general() {
        general::copy(plan, digits.map(Digits::view), mover);
    } else {
        walk(plan, &Block::new(plan), plan.is_source_tiled, mover);
    }
}

/// Bits of a packed layout's elements; stops the build if they take whole bytes.
#[track_caller]
const fn packed_bits<L: AnyLayout>() -> u32 {
    compiled::known::<L>();
    match L::BITS {
        bits @ (1 | 2 | 4) => bits as u32,
        _ => stop(
            "a layout whose elements take whole bytes is not packed: `E(4)`, `E(2)` or `E(1)` says that it is",
        ),
    }
}

/// Stops the build if a layout's elements do not take a byte each.
#[track_caller]
const fn check_bytes<L: AnyLayout>() {
    compiled::known::<L>();
    if L::BITS != 8 {
        stop("the layout that is not packed has to take a byte for each element");
    }
}

const fn packed_bytes<L: AnyLayout>() -> usize {
    compiled::bytes::<L>(L::SLOTS)
}

/// Copies an array from one element a byte to packed elements: `B` has `E(1)`, `E(2)` or `E(4)`, the
/// first element of a byte its low bits. Of each value the low bits are taken.
///
/// Padding is as in [`relayout`](super::relayout); what is left over of the last byte keeps its value.
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
pub fn pack<A, B, T>(src: &[T], dst: &mut [u8], padding: Padding<T>) -> Result<(), RelayoutError>
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredAs<B::Element> + OneByte,
{
    let bits = const {
        check_bytes::<A>();
        packed_bits::<B>()
    };
    let slots = RelayoutError::source(src, A::SLOTS)?;
    let bytes = RelayoutError::destination(dst, packed_bytes::<B>())?;
    let padding = padding.value::<B>().map(T::byte);
    copy::<A, B, _, _>(padding, Bytes { slots, bits }, Bits { bytes, bits });
    Ok(())
}

/// Copies an array from packed elements to one element a byte: the reverse of [`pack`]. The bits of
/// signed integers are extended with their sign, those of others with zeros.
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
pub fn unpack<A, B, T>(src: &[u8], dst: &mut [T], padding: Padding<T>) -> Result<(), RelayoutError>
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredAs<B::Element> + OneByte,
{
    let bits = const {
        check_bytes::<B>();
        packed_bits::<A>()
    };
    let bytes = RelayoutError::source(src, packed_bytes::<A>())?;
    let slots = RelayoutError::destination(dst, B::SLOTS)?;
    if let Some(value) = padding.value::<B>() {
        match B::PADDING {
            Some(plan) => fill::paddings(plan, |range| slots[range].fill(value)),
            None => slots.fill(value),
        }
    }
    copy::<A, B, _, _>(None, Bits { bytes, bits }, Bytes { slots, bits });
    Ok(())
}

/// Copies an array from one packed layout to another; both have elements of as many bits. The padding's
/// value is the low bits of a byte.
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
pub fn repack<A, B>(src: &[u8], dst: &mut [u8], padding: Padding<u8>) -> Result<(), RelayoutError>
where
    A: SameArray<B>,
    B: AnyLayout,
{
    let bits = const {
        let bits = packed_bits::<B>();
        if packed_bits::<A>() != bits {
            stop("elements of the one layout take more bits than those of the other");
        }
        bits
    };
    let src = RelayoutError::source(src, packed_bytes::<A>())?;
    let bytes = RelayoutError::destination(dst, packed_bytes::<B>())?;
    let padding = match padding {
        Padding::Leave => None,
        Padding::Zero => Some(0),
        Padding::Fill(value) => Some(value),
        Padding::Declared => declared::<B>().map(|bits| bits as u8),
    };
    copy::<A, B, _, _>(padding, Bits { bytes: src, bits }, Bits { bytes, bits });
    Ok(())
}
