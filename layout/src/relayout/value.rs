//! Copies between layouts that are known at run time.

pub(crate) mod element_bits;
pub(crate) mod error;
#[cfg(feature = "alloc")]
pub(crate) mod parts;

use core::fmt;
use core::ops::Range;

use layout_copy::__private::{PaddingPlan, Plan};
use layout_copy::bitcast::OtherArray;
use layout_core::__private::{DigitsView, Tiling, native};
use layout_core::limits::{MAX_BOUNDS, MAX_TILE_DIMS, SHORT_BOUNDS, SHORT_TILE_DIMS};
use layout_core::{ArrayShape, Digits, Size, same_dimensions};

#[cfg(feature = "alloc")]
use crate::memory::stored::DynStored;
use crate::relayout::error::RelayoutError;
use crate::relayout::padding::{Padding, pad};
use crate::relayout::strided::value::SideStrides;
use crate::relayout::value::element_bits::ElementBits;
use crate::relayout::value::error::RelayoutPlanError;
#[cfg(feature = "alloc")]
use crate::relayout::value::parts::KeptPlans;
use layout_copy::__private::packed::{self, Extend, Widths};
use layout_copy::__private::{Copying, Kernels, Memory, PreparedPlan};
use layout_copy::__private::{LARGER_BLOCKS, STREAMED};
use layout_copy::Settings;

/// A planned copy of an array between two layouts that are known at run time.
///
/// [`new`](Self::new) plans the copy, which takes a quarter to half of a microsecond and 4 kilobytes of memory; [`run`](Self::run)
/// makes it. A plan takes as long as a copy of some ten kilobytes: make it where the layouts become known, and keep it, in a field or
/// in a `OnceLock`. Any number of threads can run it, any number of times. Where the layouts are types and only sizes are known
/// late, a [`Copier`](crate::Copier) needs no plan at run time.
///
/// It takes memory as bytes, aligned or not, and copies as fast as [`relayout`](crate::relayout()). It copies elements of
/// 1, 2, 4, 8 and 16 bytes, and packed elements of 1, 2 and 4 bits (the first element of a byte in its low bits), also to
/// and from bytes. Per byte, copies of packed elements take about twice as long, and transposes of them four times.
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
/// // Parts of the destination, for instance to show progress or to save memory: any ranges of bytes.
/// let mut again = [9; 24];
/// for part in [0..7, 7..24] {
///     relayout.run_part(part.clone(), &bytes, &mut again[part], Padding::Zero)?;
/// }
/// assert_eq!(again, tiles);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Relayout {
    source: ArrayShape,
    destination: ArrayShape,
    pub(super) prepared: PreparedPlan,
    kernels: Kernels,
    /// Where the destination has padding, if that can be planned.
    pub(super) padding: Option<PaddingPlan>,
    pub(super) has_padding: bool,
    bits: ElementBits,
    /// Slots in memory.
    pub(super) slots: [usize; 2],
    settings: Settings,
}

/// The strides of sides that are not as their layouts say. They are not in the plan, which has them only if its layouts share no split.
pub(super) type SidesStrides = [Option<SideStrides>; 2];

pub(super) const NO_STRIDES: SidesStrides = [None; 2];

/// What a part of a copy reads and writes.
pub(super) struct CopyPart<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    /// What padding is written.
    value: Option<u128>,
    padding: Option<&'a PaddingPlan>,
    pub(super) of: PartOf<'a>,
}

/// Which part of a copy that is.
pub(super) struct PartOf<'a> {
    /// The destination's slots that are written.
    pub(super) slots: Range<usize>,
    strides: &'a SidesStrides,
    /// The plans of the part, if they are kept.
    #[cfg(feature = "alloc")]
    pub(super) kept: Option<KeptPlans<'a>>,
}

impl Relayout {
    /// Plans the copy of an array from one layout to another. Of a bounded dimension (`<=N`) all `N` elements
    /// are copied.
    ///
    /// # Errors
    /// If the layouts have other dimensions or element types, a size that is not known, elements of sizes that
    /// are not copied, or more bytes than this machine addresses.
    pub fn new(from: &ArrayShape, to: &ArrayShape) -> Result<Relayout, RelayoutPlanError> {
        let bits = ElementBits::of([from, to])?;
        Relayout::between([from, to], &NO_STRIDES, bits)
    }

    /// Plans the copy of elements of so many bits.
    pub(super) fn between(
        [from, to]: [&ArrayShape; 2],
        strides: &SidesStrides,
        bits: ElementBits,
    ) -> Result<Relayout, RelayoutPlanError> {
        for shape in [from, to] {
            if let Some(error) = shape.unknown_size() {
                return Err(RelayoutPlanError::UnknownSize(error));
            }
        }
        if from.element_type() != to.element_type() || !same_dimensions(from, to) {
            return Err(RelayoutPlanError::OtherArray(OtherArray::new(from, to)));
        }
        let are_short = from.fields().is_short() && to.fields().is_short();
        if are_short {
            Relayout::tiled::<SHORT_BOUNDS, SHORT_TILE_DIMS>([from, to], strides, bits)
        } else {
            Relayout::tiled::<MAX_BOUNDS, MAX_TILE_DIMS>([from, to], strides, bits)
        }
    }

    /// Of shapes for whose tilings there is so much room. Sizes are known.
    #[inline(never)]
    fn tiled<const TERMS: usize, const PARTS: usize>(
        [from, to]: [&ArrayShape; 2],
        strides: &SidesStrides,
        bits: ElementBits,
    ) -> Result<Relayout, RelayoutPlanError> {
        // Digits are large: they are made in place.
        let (mut src, mut dst) = (Tiling::<TERMS, PARTS>::NONE, Tiling::<TERMS, PARTS>::NONE);
        let (src, dst) = (src.digits(from), dst.digits(to));
        let slots = [from.padded_elements_by(src), to.padded_elements_by(dst)];
        let digits = [&src.view(), &dst.view()];
        if strides.iter().all(Option::is_none) {
            Relayout::sized([from, to], digits, bits, slots)
        } else {
            Relayout::with_strides([from, to], digits, bits, slots, strides)
        }
    }

    /// Out of line, since digits are large.
    #[inline(never)]
    fn with_strides(
        shapes: [&ArrayShape; 2],
        digits: [&DigitsView<'_>; 2],
        bits: ElementBits,
        slots: [Size; 2],
        strides: &SidesStrides,
    ) -> Result<Relayout, RelayoutPlanError> {
        let strided = strides.map(|side| side.map(|side| side.digits(digits[0].dims)));
        let strided = strided.each_ref().map(|digits| digits.as_ref().map(Digits::view));
        let digits = [0, 1].map(|side| strided[side].as_ref().unwrap_or(digits[side]));
        let slots = [0, 1].map(|side| strides[side].map_or(slots[side], |of| of.slots as Size));
        let mut planned = Relayout::sized(shapes, digits, bits, slots)?;
        planned.set_strides(strides);
        Ok(planned)
    }

    fn sized(
        shapes: [&ArrayShape; 2],
        digits: [&DigitsView<'_>; 2],
        bits: ElementBits,
        slots: [Size; 2],
    ) -> Result<Relayout, RelayoutPlanError> {
        for (slots, bits) in slots.into_iter().zip(bits.0) {
            let bytes = (slots as u128 * bits as u128).div_ceil(8).min(Size::MAX as u128) as Size;
            // Of packed elements there can be more than this machine counts.
            if bytes.max(slots) > isize::MAX as Size {
                return Err(RelayoutPlanError::TooLarge { bytes });
            }
        }
        Ok(Relayout::planned(shapes, digits, bits, slots))
    }

    /// Large, so that it is made where the caller wants it.
    #[inline(never)]
    fn planned(
        [from, to]: [&ArrayShape; 2],
        digits: [&DigitsView<'_>; 2],
        bits: ElementBits,
        slots: [Size; 2],
    ) -> Relayout {
        let element = bits.element();
        let prepared = PreparedPlan::of(Plan::of(digits, element));
        let dst = digits[1];
        let has_padding = slots[1] > dst.elements();
        // What is copied stands last: then it is copied to its place at once.
        Relayout {
            kernels: Kernels::of(&prepared.plan, native(element)),
            padding: if has_padding { PaddingPlan::of(dst, slots[1]) } else { None },
            has_padding,
            bits,
            slots: slots.map(native),
            settings: Settings::default(),
            prepared,
            source: *from,
            destination: *to,
        }
    }

    fn set_strides(&mut self, strides: &SidesStrides) {
        let first = strides.map(|side| side.map_or(0, |side| side.first as Size));
        let plan = self.prepared.plan.beginning_at(first);
        self.prepared = PreparedPlan::of(plan);
        self.kernels = Kernels::of(&plan, native(self.bits.element()));
        if strides[1].is_some() {
            // What lies between elements is no padding.
            (self.has_padding, self.padding) = (false, None);
        }
    }

    /// This copy with other settings. The size of the whole destination decides whether stores bypass the caches, also in
    /// copies of parts: if you write all parts to one buffer, one after another, as for a file, `streams: Some(false)`
    /// is faster.
    #[must_use]
    pub const fn with_settings(mut self, settings: Settings) -> Relayout {
        self.settings = settings;
        self
    }

    /// The layout that is read.
    pub const fn source(&self) -> &ArrayShape {
        &self.source
    }

    /// The layout that is written.
    pub const fn destination(&self) -> &ArrayShape {
        &self.destination
    }

    /// Bytes of the source, padding counted.
    pub fn source_bytes(&self) -> usize {
        self.bits.bytes(self.slots[0], 0)
    }

    /// Bytes of the destination, padding counted.
    pub fn destination_bytes(&self) -> usize {
        self.bits.bytes(self.slots[1], 1)
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

    /// Ranges of the destination's bytes for [`run_part`](Self::run_part), one after another. Each has at most `bytes` bytes, or
    /// the fewest that a part can have. If parts of this size would read some memory several times, each has at most 16
    /// times `bytes`.
    pub fn parts(
        &self,
        bytes: usize,
    ) -> impl ExactSizeIterator<Item = Range<usize>> + Clone + use<> {
        let end = self.destination_bytes();
        let most = self.bits.slots(bytes) as Size;
        let block = self.prepared.plan.largest_block(self.bits.per_byte(), most, LARGER_BLOCKS);
        let block = block.map_or(0, |block| self.bits.bytes(native(block), 1));
        // Whole elements, and whole bytes.
        let block = block.max(self.bits.bytes(1, 1));
        let part = (bytes / block).max(1).saturating_mul(block);
        let count = end.div_ceil(part).max(1);
        (0..count).map(move |at| at * part..end.min((at + 1).saturating_mul(part)))
    }

    /// Copies what lies in a range of the destination's bytes, padding too: the bytes that [`run`](Self::run) writes there. `dst`
    /// is that range, `src` the whole source.
    ///
    /// The range begins and ends where elements do; where elements take less than a byte, at any byte. Each call plans the range,
    /// which takes 0.3 to some microseconds: for ranges that are copied again and again, keep the plans
    #[cfg_attr(feature = "alloc", doc = "([`plan_parts`](Self::plan_parts)).")]
    #[cfg_attr(not(feature = "alloc"), doc = "(`plan_parts`, with the feature `alloc`).")]
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    ///
    /// # Panics
    /// If the range is reversed, exceeds [`destination_bytes`](Self::destination_bytes), or cuts an element.
    #[track_caller]
    pub fn run_part(
        &self,
        part: Range<usize>,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        self.run_strided(&NO_STRIDES, part, src, dst, padding)
    }

    /// [`run_part`](Self::run_part) of sides that have these strides.
    #[track_caller]
    pub(super) fn run_strided(
        &self,
        strides: &SidesStrides,
        part: Range<usize>,
        src: &[u8],
        dst: &mut [u8],
        padding: Padding<u128>,
    ) -> Result<(), RelayoutError> {
        self.check_range(&part);
        let mut part = self.checked(&part, src, dst, padding)?;
        part.of.strides = strides;
        self.copy_part(part);
        Ok(())
    }

    /// # Panics
    /// If this is not a range of the destination's bytes for [`run_part`](Self::run_part).
    #[track_caller]
    pub(super) fn check_range(&self, part: &Range<usize>) {
        let (bytes, element) = (self.destination_bytes(), self.bits.bytes(1, 1));
        assert!(
            part.start <= part.end && part.end <= bytes,
            "{part:?} is not a range of the destination's {bytes} bytes"
        );
        assert!(
            part.start.is_multiple_of(element) && part.end.is_multiple_of(element),
            "{part:?} cuts an element: elements take {element} bytes"
        );
    }

    /// A part's copy, if the slices are long enough.
    pub(super) fn checked<'a>(
        &'a self,
        part: &Range<usize>,
        src: &'a [u8],
        dst: &'a mut [u8],
        padding: Padding<u128>,
    ) -> Result<CopyPart<'a>, RelayoutError> {
        let src = RelayoutError::source(src, self.source_bytes())?;
        let dst = RelayoutError::destination(dst, part.len())?;
        let value = match padding {
            Padding::Leave => None,
            Padding::Zero => Some(0),
            Padding::Fill(bits) => Some(bits),
            Padding::Declared => self.declared(),
        };
        let value = value.filter(|_| self.has_padding);
        // Elements of a part are written over its padding.
        let is_whole = part.len() == self.destination_bytes();
        let padding = self.padding.as_ref().filter(|_| is_whole);
        Ok(CopyPart { src, dst, value, padding, of: self.part_of(part) })
    }

    /// What lies in a range of the destination's bytes.
    pub(super) fn part_of(&self, bytes: &Range<usize>) -> PartOf<'_> {
        PartOf {
            slots: self.bits.slots(bytes.start)..self.bits.slots(bytes.end).min(self.slots[1]),
            strides: &NO_STRIDES,
            #[cfg(feature = "alloc")]
            kept: None,
        }
    }

    /// Makes the copy.
    pub(super) fn copy_part(&self, part: CopyPart<'_>) {
        let streams = self.settings.streams.unwrap_or(self.destination_bytes() >= STREAMED);
        let settings = &Settings { streams: Some(streams), ..self.settings };
        match self.bits.element() {
            0 => self.copy_packed(part, settings),
            element => self.copy_bytes(part, native(element), settings),
        }
    }

    /// Copies the array between memory whose elements are stored as `T`, as the layouts say; the slices are as long as they
    /// ask. Padding becomes the value.
    #[cfg(feature = "alloc")]
    pub(crate) fn run_elements<T: DynStored>(&self, src: &[T], dst: &mut [T], value: Option<T>) {
        if let Some(value) = value.filter(|_| self.has_padding) {
            layout_copy::__private::fill(self.padding.as_ref(), dst.len(), dst, value);
        }
        self.move_elements(&NO_STRIDES, Memory::of(T::PLAIN, src, dst), size_of::<T>());
    }

    /// Moves the elements of the whole array, of `size` bytes.
    pub(super) fn move_elements(&self, strides: &SidesStrides, memory: Memory<'_>, size: usize) {
        self.with_digits(strides, |digits| {
            let views = digits.map(|digits| digits.map(Digits::view));
            let copying = Copying::of(&self.prepared, &self.kernels, views.as_ref());
            copying.run(memory, size, &self.settings);
        });
    }

    /// Bytes of an element, 0 of a narrower one.
    pub(super) const fn element_bytes(&self) -> usize {
        let [from, to] = self.bits.0;
        if from < to { from / 8 } else { to / 8 }
    }

    /// Calls `then` with the digits of both layouts if the plan is a general one, else with `None`. Digits are made at each
    /// call, which takes a fifth of a microsecond: keeping them would take 16 kilobytes.
    fn with_digits<R>(
        &self,
        strides: &SidesStrides,
        then: impl FnOnce(Option<[&Digits; 2]>) -> R,
    ) -> R {
        if self.prepared.plan.is_general() {
            self.with_general_digits(strides, then)
        } else {
            then(None)
        }
    }

    /// Out of line, since digits are large.
    #[cold]
    #[inline(never)]
    fn with_general_digits<R>(
        &self,
        strides: &SidesStrides,
        then: impl FnOnce(Option<[&Digits; 2]>) -> R,
    ) -> R {
        let (mut src, mut dst) = (Tiling::NONE, Tiling::NONE);
        let digits = [src.digits(self.source()), dst.digits(self.destination())];
        if strides.iter().all(Option::is_none) {
            return then(Some(digits));
        }
        let dims = digits[0].dims();
        let strided = strides.map(|strides| strides.map(|strides| strides.digits(dims)));
        then(Some([0, 1].map(|side| strided[side].as_ref().unwrap_or(digits[side]))))
    }

    /// Writes the padding and moves the elements, of `size` bytes.
    fn copy_bytes(&self, part: CopyPart<'_>, size: usize, settings: &Settings) {
        let CopyPart { src, dst, value, padding, of } = part;
        if let Some(value) = value {
            pad(padding, size, dst, value, |byte| byte);
        }
        self.plans(&of, |prepared, kernels, digits, at| {
            let [from, to] = at.map(|slot| slot * size);
            let memory = Memory::of_bytes(&src[from..], &mut dst[to..]);
            Copying::of(prepared, kernels, digits).run(memory, size, settings);
        });
    }

    /// Copies elements narrower than a byte.
    fn copy_packed(&self, part: CopyPart<'_>, settings: &Settings) {
        let CopyPart { src, dst, value, padding, of } = part;
        let extend = match self.destination().element_type().is_signed_integer() {
            true => Extend::Sign,
            false => Extend::Zeros,
        };
        let [src_bits, dst_bits] = self.bits.0.map(|bits| bits as u32);
        let widths = Widths { src: src_bits, dst: dst_bits, fixed: 0, extend, mirrors: [false; 2] };
        packed::pad(dst, widths, value.map(|value| value as u8), padding, of.slots.len());
        self.plans(&of, |prepared, _, digits, at| {
            packed::run_at(&prepared.plan, digits, widths, (src, &mut *dst), at, settings);
        });
    }

    /// The bits that the destination declares for its padding.
    pub(crate) fn declared(&self) -> Option<u128> {
        let to = self.destination();
        to.fill().and_then(|fill| fill.bits(to.element_type()))
    }

    /// Calls `then` with each plan that is needed to copy a part. With it come its kernels, the digits of both layouts if it is a
    /// general plan, and where its memory begins: a slot of the source, and one of the part's.
    pub(super) fn plans(
        &self,
        of: &PartOf<'_>,
        mut then: impl FnMut(&PreparedPlan, &Kernels, Option<&[DigitsView<'_>; 2]>, [usize; 2]),
    ) {
        let PartOf { slots, strides, .. } = of;
        self.with_digits(strides, |digits| {
            let views = digits.map(|digits| digits.map(Digits::view));
            let views = views.as_ref();
            #[cfg(feature = "alloc")]
            if let Some(kept) = &of.kept {
                return kept.each(|prepared, kernels, at| then(prepared, kernels, views, at));
            }
            if *slots == (0..self.slots[1]) {
                return then(&self.prepared, &self.kernels, views, [0; 2]);
            }
            let element = self.bits.element();
            let window = slots.start as Size..slots.end as Size;
            let mut of_box = |plan: &Plan, at: [Size; 2]| {
                let [from, to] = at.map(native);
                let kernels = Kernels::of(plan, native(element));
                then(&PreparedPlan::of(*plan), &kernels, views, [from, to - slots.start]);
            };
            let per = self.bits.per_byte();
            match digits {
                Some(digits) => Plan::index_boxes(digits, per, window, &mut of_box),
                None => self.prepared.plan.boxes(element, per, window, &mut of_box),
            }
        });
    }
}

impl fmt::Debug for Relayout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Relayout({} -> {})", self.source, self.destination)
    }
}
