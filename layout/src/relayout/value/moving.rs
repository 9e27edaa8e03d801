//! What a planned copy, or a part of one, reads and writes, and what moves its elements.

use core::ops::Range;

use layout_copy::__private::packed::{self, Extend, Widths};
use layout_copy::__private::{Kernels, Memory, PaddingPlan, Plan, PreparedPlan, STREAMED};
use layout_copy::Settings;
use layout_core::__private::{DigitsView, Tiling, native};
use layout_core::{Digits, Size};

#[cfg(feature = "alloc")]
use crate::memory::stored::DynStored;
use crate::relayout::error::RelayoutError;
use crate::relayout::padding::{Padding, pad};
#[cfg(feature = "alloc")]
use crate::relayout::value::parts::KeptPlans;
use crate::relayout::value::{NO_STRIDES, Relayout, SidesStrides};

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
    pub(super) strides: &'a SidesStrides,
    /// The plans of the part, if they are kept.
    #[cfg(feature = "alloc")]
    pub(super) kept: Option<KeptPlans<'a>>,
}

impl Relayout {
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
    pub(in crate::relayout) fn move_elements(
        &self,
        strides: &SidesStrides,
        memory: Memory<'_>,
        size: usize,
    ) {
        self.with_digits(strides, |digits| {
            let views = digits.map(|digits| digits.map(Digits::view));
            self.prepared.run(&self.kernels, views.as_ref(), memory, size, &self.settings);
        });
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
            prepared.run(kernels, digits, memory, size, settings);
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
