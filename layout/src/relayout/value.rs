//! Copies between layouts that are known at run time.

use core::fmt;
use core::ops::Range;

use layout_core::__private::{Loop, PaddingPlan, Plan, StoredDigits, native};
use layout_core::bitcast::OtherArray;
use layout_core::{ArrayShape, Digits, Size, UnknownSize, xla};

use crate::relayout::error::RelayoutError;
use crate::relayout::kernel::copying::{Copying, Kernels, fill};
use crate::relayout::kernel::raw::Unit;
use crate::relayout::kernel::settings::Settings;
use crate::relayout::packed::{self, Extend, Widths};
use crate::relayout::padding::Padding;
use crate::relayout::policy::STREAMED;

/// A copy between two layouts of one array that are known at run time: planned once, run as often as
/// wanted, from any thread.
///
/// It takes memory as bytes, and copies as fast as [`relayout`](crate::relayout()) if both slices are aligned to the
/// element's size; otherwise slower, safe code runs. Elements of 1, 2, 4, 8 and 16 bytes are copied, and
/// packed ones of 1, 2 and 4 bits, the first element of a byte in its low bits, also to and from bytes. For a byte,
/// packed ones take about twice as long, and transposes of them four times. Making a plan takes a few microseconds and some kilobytes.
///
/// # Examples
/// ```
/// use layout::{ArrayShape, Padding, Relayout};
///
/// let host: ArrayShape = "s8[3,5]".parse()?;
/// let device: ArrayShape = "s8[3,5]{1,0:T(2,2)}".parse()?;
/// let relayout = Relayout::new(&host, &device)?;
///
/// let bytes: Vec<u8> = (0..15).collect();
/// let mut tiles = [9; 24];
/// relayout.run(&bytes, &mut tiles, Padding::Zero)?;
/// assert_eq!(tiles[..10], [0, 1, 5, 6, 2, 3, 7, 8, 4, 0]);
///
/// // Part by part, as for progress or threads: each writes its own bytes.
/// let mut again = [9; 24];
/// for part in relayout.parts(8) {
///     relayout.run_part(part.clone(), &bytes, &mut again[part], Padding::Zero)?;
/// }
/// assert_eq!(again, tiles);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Relayout {
    shapes: [ArrayShape; 2],
    digits: [Digits; 2],
    plan: Plan,
    padding: Option<PaddingPlan>,
    width: CopyWidth,
    /// Slots in memory.
    slots: [usize; 2],
    part: Part,
    settings: Settings,
    kernels: Kernels,
    copy: Copy,
}

/// Writes the padding and moves the elements that a plan says, with these settings.
type Copy = fn(&Relayout, &Plan, Memory<'_>, &Settings);

/// What a copy reads and writes.
struct Memory<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    /// How many of the destination's slots padding is written to, and what.
    slots: usize,
    value: Option<u128>,
    padding: Option<&'a PaddingPlan>,
}

/// Bits of an element on the two sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CopyWidth {
    /// So many bytes on both.
    Bytes(usize),
    /// So many bits on both.
    Packed(u32),
    /// So many bits of the source become a byte.
    Unpack(u32),
    /// A byte becomes so many bits of the destination.
    Pack(u32),
}

/// The stretches of the destination that are written apart.
#[derive(Clone, Copy, Debug)]
struct Part {
    /// The loop that counts them, if there is one.
    number: Option<usize>,
    /// Values of the loop that a part has at least.
    multiple: usize,
    /// Bytes of such a part.
    bytes: usize,
}

/// Why there is no copy between two layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RelayoutPlanError {
    /// A size is known at run time only (`?`): [`ArrayShape::with_dims`] gives it.
    UnknownSize(UnknownSize),
    /// The layouts are of arrays with other dimensions or another element type.
    OtherArray(OtherArray),
    /// The layouts have elements of sizes that are not copied.
    ElementBits {
        /// Bits of an element in the source.
        source: usize,
        /// Bits of an element in the destination.
        destination: usize,
    },
    /// A layout has more bytes than this machine addresses.
    TooLarge {
        /// Bytes of the larger one.
        bytes: Size,
    },
}

impl fmt::Display for RelayoutPlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RelayoutPlanError::UnknownSize(error) => error.fmt(f),
            RelayoutPlanError::OtherArray(error) => error.fmt(f),
            RelayoutPlanError::ElementBits { source, destination } => write!(
                f,
                "elements of {source} bits are not copied to elements of {destination} bits: both take as many, 1, 2, 4, 8, 16, 32, 64 or 128, or one side takes 8"
            ),
            RelayoutPlanError::TooLarge { bytes } => {
                write!(f, "a layout of {bytes} bytes is larger than this machine's memory")
            }
        }
    }
}

impl core::error::Error for RelayoutPlanError {}

impl Relayout {
    /// Plans the copy of an array from one layout to another. Of a bounded dimension (`<=N`) all `N` elements
    /// are copied.
    ///
    /// # Errors
    /// If the layouts have other dimensions or element types, a size that is not known, elements of sizes that
    /// are not copied, or more bytes than this machine addresses.
    // Inlined, since the kernels for all plans are named here: a program without such copies has none of them.
    #[inline]
    pub fn new(from: &ArrayShape, to: &ArrayShape) -> Result<Relayout, RelayoutPlanError> {
        Relayout::planned(from, to, Kernels::of, CopyWidth::copy)
    }

    fn planned(
        from: &ArrayShape,
        to: &ArrayShape,
        kernels: fn(&Plan, usize) -> Kernels,
        copy: fn(CopyWidth) -> Copy,
    ) -> Result<Relayout, RelayoutPlanError> {
        for shape in [from, to] {
            if let Some(error) = shape.unknown_size() {
                return Err(RelayoutPlanError::UnknownSize(error));
            }
        }
        if from.element_type() != to.element_type() || !xla::same_dimensions(from, to) {
            return Err(RelayoutPlanError::OtherArray(OtherArray::new(from, to)));
        }
        let bits = [from, to].map(ArrayShape::element_bits);
        let width = match bits {
            [a, b] if a == b && matches!(a, 8 | 16 | 32 | 64 | 128) => {
                CopyWidth::Bytes(native(a) / 8)
            }
            [a, b] if a == b && matches!(a, 1 | 2 | 4) => CopyWidth::Packed(a as u32),
            [a @ (1 | 2 | 4), 8] => CopyWidth::Unpack(a as u32),
            [8, b @ (1 | 2 | 4)] => CopyWidth::Pack(b as u32),
            [source, destination] => {
                let [source, destination] = [source, destination].map(native);
                return Err(RelayoutPlanError::ElementBits { source, destination });
            }
        };
        // Sizes are known, so that there are digits and numbers of slots and bytes.
        let digits = [from, to].map(|shape| known(shape.digits().ok()));
        let counts = [from, to].map(|shape| known(shape.padded_elements()));
        for (shape, slots) in [from, to].into_iter().zip(counts) {
            let bytes = known(shape.bytes());
            // Of packed elements there can be more than this machine counts.
            if bytes.max(slots) > isize::MAX as Size {
                return Err(RelayoutPlanError::TooLarge { bytes });
            }
        }
        let element = match width {
            CopyWidth::Bytes(bytes) => bytes as Size,
            _ => 0,
        };
        let plan = Plan::new(&digits[0], &digits[1], element);
        let padding = PaddingPlan::new(&digits[1], counts[1]);
        let slots = counts.map(native);
        let part = Part::new(&plan, slots[1], width);
        Ok(Relayout {
            shapes: [*from, *to],
            digits,
            plan,
            padding,
            width,
            slots,
            part,
            settings: Settings::default(),
            kernels: kernels(&plan, element as usize),
            copy: copy(width),
        })
    }

    /// The same copy, done as the settings say. Whether stores go around the caches is decided by the size of the whole
    /// destination, for its parts too: where parts are written to one buffer again and again, as for a file,
    /// `streams: Some(false)` is faster.
    #[must_use]
    pub const fn with_settings(mut self, settings: Settings) -> Relayout {
        self.settings = settings;
        self
    }

    /// The layout that is read.
    pub const fn source(&self) -> &ArrayShape {
        &self.shapes[0]
    }

    /// The layout that is written.
    pub const fn destination(&self) -> &ArrayShape {
        &self.shapes[1]
    }

    /// Bytes of the source, padding counted.
    pub fn source_bytes(&self) -> usize {
        self.width.bytes(self.slots[0], 0)
    }

    /// Bytes of the destination, padding counted.
    pub fn destination_bytes(&self) -> usize {
        self.width.bytes(self.slots[1], 1)
    }

    /// Copies the array. Bytes past those of the layouts are left as they are; the padding of the destination
    /// becomes what `padding` says, a value given by its bits, which are stored in this machine's order of bytes.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    pub fn run(
        &self,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        self.run_part(0..self.destination_bytes(), src, dst, padding)
    }

    /// Stretches of the destination's bytes that [`run_part`](Self::run_part) writes on their own, one after
    /// another: each has at most `bytes`, or is as short as stretches can be. There is one part only
    /// where no dimension counts the destination's largest blocks of memory, as with some `*`.
    pub fn parts(
        &self,
        bytes: usize,
    ) -> impl ExactSizeIterator<Item = Range<usize>> + Clone + use<> {
        let end = self.destination_bytes();
        let part = (bytes / self.part.bytes.max(1)).max(1).saturating_mul(self.part.bytes.max(1));
        let count = match self.part.number {
            Some(number) => {
                let values = native(self.plan.loops[number].extent);
                values.div_ceil(self.part.multiple).div_ceil(part / self.part.bytes.max(1)).max(1)
            }
            None => 1,
        };
        (0..count).map(move |at| at * part..if at + 1 == count { end } else { (at + 1) * part })
    }

    /// Copies what lies in a stretch of the destination's bytes; `dst` is that stretch, `src` the whole source.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    ///
    /// # Panics
    /// If the stretch is not one of [`parts`](Self::parts), or some of them that follow one another.
    #[track_caller]
    pub fn run_part(
        &self,
        part: Range<usize>,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        let src = RelayoutError::source(src, self.source_bytes())?;
        let dst = RelayoutError::destination(dst, part.len())?;
        let is_all = part == (0..self.destination_bytes());
        let step = self.part.bytes.max(1);
        assert!(
            is_all
                || self.part.number.is_some()
                    && part.start.is_multiple_of(step)
                    && (part.end.is_multiple_of(step) || part.end == self.destination_bytes())
                    && part.end <= self.destination_bytes(),
            "{part:?} is not a part of this copy: pass ranges that `parts` returns"
        );
        let value = match padding {
            Padding::Leave => None,
            Padding::Zero => Some(0),
            Padding::Fill(bits) => Some(bits),
            Padding::Declared => self
                .destination()
                .fill()
                .and_then(|fill| fill.bits(self.destination().element_type())),
        };
        let value = value.filter(|_| self.slots[1] as Size > self.digits[1].elements());
        let slots = self.slots[1] - self.width.slots(part.start).min(self.slots[1]);
        let slots = self.width.slots(dst.len()).min(slots);
        let settings = &Settings {
            streams: Some(self.settings.streams.unwrap_or(self.destination_bytes() >= STREAMED)),
            ..self.settings
        };
        match self.part.number {
            _ if is_all => {
                let padding = self.padding.as_ref();
                let memory = Memory { src, dst, slots, value, padding };
                (self.copy)(self, &self.plan, memory, settings);
            }
            Some(number) => {
                let Loop { src: src_stride, extent, .. } = self.plan.loops[number];
                let [src_stride, extent] = [src_stride, extent].map(native);
                let first = part.start / step * self.part.multiple;
                let last = match part.end == self.destination_bytes() {
                    true => extent,
                    false => part.end / step * self.part.multiple,
                };
                if first >= last {
                    assert!(
                        part.is_empty(),
                        "{part:?} is not a part of this copy: pass ranges that `parts` returns"
                    );
                    return Ok(());
                }
                let plan = self.plan.share(number, first as Size, (last - first) as Size);
                let src = self.width.skip(src, first * src_stride);
                // Elements are written over it.
                let memory = Memory { src, dst, slots, value, padding: None };
                (self.copy)(self, &plan, memory, settings);
            }
            None => unreachable!("the part is the whole"),
        }
        Ok(())
    }

    fn digits(&self) -> [&Digits; 2] {
        [&self.digits[0], &self.digits[1]]
    }
}

impl fmt::Debug for Relayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Relayout({} -> {})", self.shapes[0], self.shapes[1])
    }
}

/// What an array has whose sizes are all known.
fn known<T>(of_sizes: Option<T>) -> T {
    match of_sizes {
        Some(known) => known,
        None => unreachable!("every size is known"),
    }
}

impl CopyWidth {
    /// What copies elements of this size.
    #[inline]
    fn copy(self) -> Copy {
        match self {
            CopyWidth::Bytes(1) => copy_bytes::<u8, 1>,
            CopyWidth::Bytes(2) => copy_bytes::<u16, 2>,
            CopyWidth::Bytes(4) => copy_bytes::<u32, 4>,
            CopyWidth::Bytes(8) => copy_bytes::<[u32; 2], 8>,
            CopyWidth::Bytes(_) => copy_bytes::<[u64; 2], 16>,
            _ => copy_packed,
        }
    }

    /// Bits of an element on a side.
    fn bits(self, side: usize) -> usize {
        match (self, side) {
            (CopyWidth::Bytes(bytes), _) => 8 * bytes,
            (CopyWidth::Packed(bits), _)
            | (CopyWidth::Unpack(bits), 0)
            | (CopyWidth::Pack(bits), 1) => bits as usize,
            _ => 8,
        }
    }

    fn bytes(self, slots: usize, side: usize) -> usize {
        match self.bits(side) {
            bits if bits >= 8 => slots * (bits / 8),
            bits => slots.div_ceil(8 / bits),
        }
    }

    /// Slots in bytes of the destination.
    fn slots(self, bytes: usize) -> usize {
        match self.bits(1) {
            bits if bits >= 8 => bytes / (bits / 8),
            bits => bytes.saturating_mul(8 / bits),
        }
    }

    /// The source from a slot on. A slot of a part begins a byte.
    fn skip(self, src: &[u8], slot: usize) -> &[u8] {
        &src[self.bytes(slot, 0)..]
    }
}

impl Part {
    fn new(plan: &Plan, slots: usize, width: CopyWidth) -> Part {
        let whole = Part { number: None, multiple: 1, bytes: width.bytes(slots, 1) };
        let Some(number) = plan.shared().filter(|_| !plan.is_empty()) else { return whole };
        let Loop { src, dst, .. } = plan.loops[number];
        let [src, dst] = [src, dst].map(native);
        // Blocks of the kernel are left whole, and so are bytes on both sides.
        let mut multiple = if number < usize::from(plan.inner) { 1 } else { 64 };
        let is_whole = |multiple: usize| {
            let of = |stride: usize, side| {
                stride.checked_mul(multiple * width.bits(side)).is_some_and(|bits| bits % 8 == 0)
            };
            of(src, 0) && of(dst, 1)
        };
        while !is_whole(multiple) && multiple <= 512 {
            multiple *= 2;
        }
        if !is_whole(multiple) {
            return whole;
        }
        Part { number: Some(number), multiple, bytes: width.bytes(dst * multiple, 1) }
    }
}

/// Copies elements of `N` bytes, as many as a `U` has.
fn copy_bytes<U: Unit, const N: usize>(
    relayout: &Relayout,
    plan: &Plan,
    memory: Memory<'_>,
    settings: &Settings,
) {
    let (src, _) = memory.src.as_chunks::<N>();
    let (dst, _) = memory.dst.as_chunks_mut::<N>();
    if let Some(value) = memory.value
        && let Some(value) = value.to_le_bytes().first_chunk::<N>()
    {
        let mut value = *value;
        if cfg!(target_endian = "big") {
            value.reverse();
        }
        fill(memory.padding, dst.len(), dst, value);
    }
    let digits = plan.is_general().then(|| relayout.digits().map(StoredDigits::Whole));
    Copying::of(*plan, &relayout.kernels, digits).run_bytes::<U, N>(src, dst, settings);
}

/// Copies elements of less than a byte.
#[inline]
fn copy_packed(relayout: &Relayout, plan: &Plan, memory: Memory<'_>, settings: &Settings) {
    let Memory { src, dst, slots, value, padding } = memory;
    let extend = match relayout.destination().element_type().is_signed_integer() {
        true => Extend::Sign,
        false => Extend::Zeros,
    };
    let [src_bits, dst_bits] = [0, 1].map(|side| relayout.width.bits(side) as u32);
    let widths = Widths { src: src_bits, dst: dst_bits, fixed: 0, extend };
    packed::pad(dst, dst_bits, value.map(|value| value as u8), padding, slots);
    packed::run(plan, relayout.digits(), widths, src, dst, settings);
}
