//! Elements narrower than a byte: packing, unpacking, and from one packed layout to another.

pub(super) mod one_byte;

use layout_core::__private::{DigitsView, Kernel, Loop, PaddingPlan, Plan, native};
use layout_core::Size;
use layout_core::limits::MAX_DIMS;

use crate::array::same_array::SameArray;
use crate::compiled::{self, AnyLayout, StaticLayout};
use crate::memory::stored::StoredIn;
use crate::relayout::copy::general_digits;
use crate::relayout::error::RelayoutError;
use crate::relayout::kernel::copying::{Copying, Kernels, Memory, PreparedPlan};
use crate::relayout::kernel::exchange::narrow::Narrow;
pub(super) use crate::relayout::kernel::exchange::widths::{Extend, Widths};
use crate::relayout::kernel::exchange::{bits, blocks};
use crate::relayout::kernel::nest::Nest;
use crate::relayout::kernel::raw;
use crate::relayout::kernel::settings::{InstructionSet, Settings};
#[cfg(feature = "rayon")]
use crate::relayout::kernel::threads;
use crate::relayout::kernel::{fill, general};
pub use crate::relayout::packed::one_byte::OneByte;
use crate::relayout::padding::{Padded, Padding, declared};
use crate::relayout::policy::{self, LONG};
use crate::types::element::PackedWidth;

/// The copy between narrow elements: not of the elements' size, so that it has a plan of its own.
trait Narrowed<B: AnyLayout>: SameArray<B> {
    const PLAN: &'static Plan = &Plan::new(Self::DIGITS, B::DIGITS, 0);
}

impl<A: SameArray<B>, B: AnyLayout> Narrowed<B> for A {}

/// Copies between slices that are as long as the layouts ask.
fn copy<A, B>(padding: Option<u8>, widths: Widths, src: &[u8], dst: &mut [u8])
where
    A: SameArray<B>,
    B: AnyLayout,
{
    pad(dst, widths.dst, padding, B::PADDING, B::SLOTS);
    let plan = <A as Narrowed<B>>::PLAN;
    let digits = const { &general_digits::<A, B>(<A as Narrowed<B>>::PLAN) }.as_ref();
    run(plan, digits, widths, src, dst, &Settings::default());
}

/// Writes a value to the padding, or to all slots where no plan says where it is.
pub(super) fn pad(
    dst: &mut [u8],
    bits: u32,
    value: Option<u8>,
    plan: Option<&PaddingPlan>,
    slots: usize,
) {
    let Some(value) = value else { return };
    match plan {
        Some(plan) => fill::paddings(plan, |gaps| {
            gaps.ranges().for_each(|slots| bits::fill(dst, slots, bits, value));
        }),
        None => bits::fill(dst, 0..slots, bits, value),
    }
}

/// Moves the elements by a plan whose memory begins at some slots, within bytes too: then one by one. A plan of no loops begins
/// with a byte.
pub(super) fn run_at(
    plan: &Plan,
    digits: Option<&[DigitsView<'_>; 2]>,
    widths: Widths,
    (src, dst): (&[u8], &mut [u8]),
    at: [usize; 2],
    settings: &Settings,
) {
    let per_byte = [widths.src, widths.dst].map(|bits| (8 / bits) as usize);
    let bytes = [0, 1].map(|side| at[side] / per_byte[side]);
    let within = [0, 1].map(|side| at[side] % per_byte[side]);
    let (src, dst) = (&src[bytes[0]..], &mut dst[bytes[1]..]);
    if within == [0; 2] {
        return run(plan, digits, widths, src, dst, settings);
    }
    let mover = &mut Narrow { widths, src, dst, at: within };
    Nest::new(plan).walk(plan, plan.is_source_tiled, mover);
}

/// Moves the elements by a plan, with both layouts where it is a general one. The slices are as long as the layouts ask.
pub(super) fn run(
    plan: &Plan,
    digits: Option<&[DigitsView<'_>; 2]>,
    widths: Widths,
    src: &[u8],
    dst: &mut [u8],
    settings: &Settings,
) {
    if plan.is_empty() {
        return;
    }
    if let Some(digits) = digits {
        return general::copy(
            plan,
            *digits,
            &[0; MAX_DIMS],
            &mut Narrow { widths, src, dst, at: [0; 2] },
        );
    }
    let is_repacked = widths.src == widths.dst && widths.fixed == 0;
    let run = native(plan.wide).saturating_mul(native(plan.loops[usize::from(plan.p)].extent));
    if is_repacked && plan.kernel == Kernel::Run && run >= LONG * 8 / widths.dst as usize {
        if let Some(plan) = in_bytes(plan, widths.dst) {
            let (prepared, kernels) = (PreparedPlan::of(plan), Kernels::of_runs(&plan, 1));
            let memory = Memory::of_bytes(src, dst);
            return Copying::of(&prepared, &kernels, None).run_loops(memory, 1, settings);
        }
        let mover = &mut Narrow { widths, src, dst, at: [0; 2] };
        return Nest::new(plan).walk(plan, plan.is_source_tiled, mover);
    }
    let set = settings.set.unwrap_or_else(InstructionSet::best);
    let streams = settings.streams.unwrap_or(dst.len() >= policy::STREAMED);
    #[cfg(feature = "rayon")]
    if settings.threads.unwrap_or(dst.len() >= policy::SHARED) {
        let per_byte = [widths.src, widths.dst].map(|bits| (8 / bits) as Size);
        let copy = |plan: &Plan, mut memory: Memory<'_>| {
            if let Some((src, dst)) = memory.initialised() {
                blocks::copy(plan, widths, src, dst, set, streams);
            }
        };
        let memory = Memory::of_bytes(src, dst);
        if threads::copy(plan, memory, per_byte, 1 << widths.fixed, &copy) {
            return;
        }
    }
    blocks::copy(plan, widths, src, dst, set, streams);
}

/// Changes a plan for elements of `bits` bits to one for bytes, if each byte has the same elements in both layouts.
/// The plan's kernel is for runs.
fn in_bytes(plan: &Plan, bits: u32) -> Option<Plan> {
    let per_byte = (8 / bits) as Size;
    let mut plan = *plan;
    let (last, others) = plan.loops[..plan.len.into()].split_last_mut()?;
    let dim = usize::from(plan.dims[others.len()]);
    let is_whole = |number: Size| number.is_multiple_of(per_byte);
    // Where the dimension ends within a byte, the rest of that byte is padding.
    let ends_with_byte = plan.sizes[dim].is_multiple_of(last.unit * per_byte);
    if [last.src, last.dst] != [1, 1] || !is_whole(last.extent) || !ends_with_byte {
        return None;
    }
    last.unit *= per_byte;
    last.extent /= per_byte;
    for Loop { src, dst, .. } in others {
        if !is_whole(*src) || !is_whole(*dst) {
            return None;
        }
        *src /= per_byte;
        *dst /= per_byte;
    }
    if plan.fine < plan.len {
        plan.wide /= per_byte;
    }
    Some(plan)
}

/// Bits of a packed layout's elements.
const fn packed_bits<L: AnyLayout>() -> u32 {
    compiled::known::<L>();
    L::BITS as u32
}

const fn packed_bytes<L: AnyLayout>() -> usize {
    compiled::bytes::<L>(L::SLOTS)
}

/// Copies an array from one element a byte to packed elements: `B` has `E(1)`, `E(2)` or `E(4)`, the
/// first element of a byte its low bits. Of each value the low bits are taken.
///
/// It treats padding like [`relayout`](super::relayout). Bits after the last element in the last byte keep their value.
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
    A: SameArray<B> + StaticLayout,
    B: StaticLayout<Width: PackedWidth>,
    T: StoredIn<A> + OneByte,
{
    let () = T::HAS_SIZE;
    let bits = const { packed_bits::<B>() };
    let slots = RelayoutError::source(src, A::SLOTS)?;
    let bytes = RelayoutError::destination(dst, packed_bytes::<B>())?;
    let padding = padding.value::<A>(declared::<B>).map(T::byte);
    let widths = Widths { src: 8, dst: bits, fixed: 0, extend: Extend::Zeros };
    copy::<A, B>(padding, widths, raw::bytes(slots), bytes);
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
    A: SameArray<B> + StaticLayout<Width: PackedWidth>,
    B: StaticLayout,
    T: StoredIn<B> + OneByte,
{
    let () = T::HAS_SIZE;
    let bits = const { packed_bits::<A>() };
    let bytes = RelayoutError::source(src, packed_bytes::<A>())?;
    let slots = RelayoutError::destination(dst, B::SLOTS)?;
    if let Some(value) = padding.value::<B>(declared::<B>) {
        match B::PADDING {
            Some(plan) => fill::paddings(plan, |gaps| {
                gaps.ranges().for_each(|range| slots[range].fill(value));
            }),
            None => slots.fill(value),
        }
    }
    let widths = Widths { src: bits, dst: 8, fixed: 0, extend: T::EXTEND.0 };
    copy::<A, B>(None, widths, bytes, raw::bytes_mut(slots));
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
    A: SameArray<B> + StaticLayout<Width = B::Width>,
    B: StaticLayout<Width: PackedWidth>,
{
    let () = A::VALID;
    let bits = const { packed_bits::<B>() };
    let src = RelayoutError::source(src, packed_bytes::<A>())?;
    let bytes = RelayoutError::destination(dst, packed_bytes::<B>())?;
    let padding = match padding {
        Padding::Leave => None,
        Padding::Zero => Some(0),
        Padding::Fill(value) => Some(value),
        Padding::Declared => declared::<B>().map(|bits| bits as u8),
    };
    copy::<A, B>(
        padding,
        Widths { src: bits, dst: bits, fixed: 0, extend: Extend::Zeros },
        src,
        bytes,
    );
    Ok(())
}
