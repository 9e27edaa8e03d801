//! What a planned copy, or a part of one, reads and writes, and what moves its elements.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::mem::MaybeUninit;
use core::ops::Range;

use layout_copy::__private::packed;
use layout_copy::__private::{self as copying, Memory, Plain, PreparedPlan};
use layout_core::__private::{DigitsView, Tiling, native};
use layout_core::{Digits, Size};

use crate::copies::door::dest::{Dest, DestSlots};
use crate::copies::error::CopyError;
use crate::copies::padding::{Padding, pad};
use crate::copies::plan::Plan;
use crate::copies::plan::placed::{SideStrides, strided_digits};
use crate::copies::run::copy_by_kernels;
use crate::copies::slots::CopiedSlots;

/// A plan of a box, and the slots at which its memory begins: in the source, and in the part.
pub(super) type KeptPlan = (PreparedPlan, [usize; 2]);

/// Which part of a copy that is.
#[derive(Clone)]
pub(super) struct PlannedPart<'a> {
    /// The destination's slots that are written.
    pub(super) slots: Range<usize>,
    /// The plans of the part, if they are kept.
    pub(super) kept: Option<&'a [KeptPlan]>,
}

/// Copies.
impl Plan {
    /// Copies the array. Bytes past those of the layouts are left as they are; the padding of the destination
    /// becomes what `padding` says, a value given by its bits, which are stored in this machine's order of bytes. Memory that may hold
    /// nothing yet is written whole: what holds no element becomes 0 where `padding` leaves it.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use layout::Plan;
    ///
    /// let plan = Plan::new(&"s8[3,5]".parse()?, &"s8[3,5]{1,0:T(2,2)}".parse()?)?;
    /// let bytes: Vec<u8> = (0..15).collect();
    /// let mut tiles = Vec::new();
    /// plan.run_bytes(&bytes, &mut tiles, 9)?;
    /// assert_eq!((tiles.len(), &tiles[..10]), (24, &[0, 1, 5, 6, 2, 3, 7, 8, 4, 9][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_bytes<'d, D: Dest<u8> + ?Sized>(
        &self,
        src: &[u8],
        dst: &'d mut D,
        padding: impl Into<Padding<u128>>,
    ) -> Result<D::Out<'d>, CopyError> {
        let bytes = 0..self.destination_bytes();
        self.run_part(self.part_of(&bytes), &bytes, src, dst, padding.into())
    }

    /// Copies a range of the destination's bytes.
    pub(super) fn run_part<'d, D: Dest<u8> + ?Sized>(
        &self,
        of: PlannedPart<'_>,
        bytes: &Range<usize>,
        src: &[u8],
        dst: &'d mut D,
        padding: Padding<u128>,
    ) -> Result<D::Out<'d>, CopyError> {
        let src = &CopyError::source(src, self.source_bytes())?[self.before(0)..];
        let value = padding.value(true, || self.declared())?;
        let is_whole = bytes.len() == self.destination_bytes();
        let slots = DestSlots {
            src,
            needed: bytes.len(),
            has_padding: true,
            padding: value.map(|_| 0),
            unused: Some(0),
        };
        dst.write(slots, |slots| {
            if is_whole && self.element_bytes() > 0 && self.strides[1].is_none() {
                return self.copy_whole(slots, value.unwrap_or(0));
            }
            let all = slots.initialised(None);
            let value = value.filter(|_| self.has_padding);
            self.copy_part(&of, src, &mut all[self.before(1)..], value);
            all
        })
    }

    /// Copies an array of values, each an element, of any type of the planned size. Numbers of Rust, and arrays of few of them, are
    /// copied as fast as bytes. Elements of other types are moved whole, one after another: their bytes may be uninitialised.
    ///
    /// # Errors
    /// If `T` has another size than the plan's elements. If a slice is too short, in elements. If there is padding, `T` is
    /// neither a number nor an array of them, and `padding` is `Zero`, `Declared` with a `FILL`, or `Leave` for memory that holds nothing
    /// yet: write the value. Of a part of blocks, if it is not at whole elements.
    /// Nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use layout::Plan;
    ///
    /// let plan = Plan::new(&"s32[2,2]".parse()?, &"s32[2,2]{0,1}".parse()?)?;
    /// let mut turned = [0; 4];
    /// plan.run(&[1, 2, 3, 4], &mut turned, 0)?;
    /// assert_eq!(turned, [1, 3, 2, 4]);
    /// assert!(plan.run(&[1_u8; 4], &mut [0; 4], 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run<'d, T, D>(
        &self,
        src: &[T],
        dst: &'d mut D,
        padding: impl Into<Padding<T>>,
    ) -> Result<D::Out<'d>, CopyError>
    where
        T: Copy + 'static,
        D: Dest<T> + ?Sized,
    {
        let (planned, given) = (self.element_bytes(), size_of::<T>());
        if given != planned || given == 0 {
            return Err(CopyError::ElementBytes { planned, given });
        }
        let before = [self.before(0), self.before(1)];
        if before.iter().any(|bytes| !bytes.is_multiple_of(given)) {
            return Err(CopyError::Blocks);
        }
        let [from, to] = before.map(|bytes| bytes / given);
        let src = &CopyError::source(src, from + self.slots[0])?[from..];
        let is_laid = self.strides[1].is_none();
        // Between elements at strides there may be others, which get the value where memory held nothing.
        let value = match padding.into().value(true, || self.declared()) {
            Err(error) if self.has_padding => return Err(error),
            value => value.unwrap_or_default(),
        };
        let slots = DestSlots {
            src,
            needed: to + self.slots[1],
            has_padding: self.has_padding || !is_laid,
            padding: value.filter(|_| self.has_padding),
            unused: value.or(Plain::of_bits(0)),
        };
        dst.write(slots, |slots| {
            if is_laid {
                let padding = self.padding.as_ref();
                let fill = |dst: &mut [_], value| copying::fill(padding, dst.len(), dst, value);
                return copy_by_kernels(slots, self.elements(), fill, |memory| {
                    self.move_elements(memory, given);
                });
            }
            let all = slots.initialised(None);
            let memory = Memory::of(Plain::of_type(), src, &mut all[to..]);
            self.move_elements(memory, given);
            all
        })
    }

    /// What lies in a range of the destination's bytes.
    pub(super) fn part_of(&self, bytes: &Range<usize>) -> PlannedPart<'_> {
        let slots = if bytes.end == self.destination_bytes() {
            self.bits.slots(bytes.start)..self.slots[1]
        } else {
            self.bits.slots(bytes.start)..self.bits.slots(bytes.end)
        };
        PlannedPart { slots, kept: None }
    }

    /// Copies bytes to a destination of which all is written, with the bits of a value for padding.
    #[inline(never)]
    fn copy_whole<'d>(&self, slots: CopiedSlots<'_, 'd, u8>, value: u128) -> &'d mut [u8] {
        let (padding, size) = (self.padding.as_ref(), self.element_bytes());
        let fill = |dst: &mut [_], _| pad(padding, size, dst, value, MaybeUninit::new);
        copy_by_kernels(slots, self.elements() * size, fill, |memory| {
            self.move_elements(memory, size);
        })
    }

    /// A number for the elements, less than that of the slots if there is padding.
    fn elements(&self) -> usize {
        self.slots[1] - usize::from(self.has_padding)
    }

    /// Moves the elements of the whole array, of `size` bytes.
    fn move_elements(&self, memory: Memory<'_>, size: usize) {
        self.with_digits(|digits| {
            let views = digits.map(|digits| digits.map(Digits::view));
            let mut copying = self.prepared.copying();
            (copying.blocks, copying.digits) = (self.blocks(), views.as_ref());
            copying.run(memory, size, &self.settings);
        });
    }

    /// Calls `then` with the digits of both layouts if the plan is a general one, else with `None`. Digits are made at each
    /// call, which takes a fifth of a microsecond: keeping them would take 16 kilobytes.
    fn with_digits<R>(&self, then: impl FnOnce(Option<[&Digits; 2]>) -> R) -> R {
        if self.prepared.plan.is_general() { self.with_general_digits(then) } else { then(None) }
    }

    /// Out of line, since digits are large.
    #[cold]
    #[inline(never)]
    fn with_general_digits<R>(&self, then: impl FnOnce(Option<[&Digits; 2]>) -> R) -> R {
        let (mut src, mut dst) = (Tiling::NONE, Tiling::NONE);
        let digits = [src.digits(self.source()), dst.digits(self.destination())];
        if self.strides.iter().all(Option::is_none) {
            return then(Some(digits));
        }
        // A part of blocks has a layout of one block.
        let whole = usize::from(self.strides[0].as_ref().is_some_and(SideStrides::is_part));
        let layouts = [self.source(), self.destination()];
        let strided = strided_digits(&self.strides, layouts, digits[whole].dims());
        then(Some([0, 1].map(|side| strided[side].as_ref().unwrap_or(digits[side]))))
    }

    /// Writes padding, of the bits of a value, and moves the elements of a part over it.
    fn copy_part(&self, of: &PlannedPart<'_>, src: &[u8], dst: &mut [u8], value: Option<u128>) {
        let is_whole = of.slots == (0..self.slots[1]);
        // Of a part all is written.
        let padding = self.padding.as_ref().filter(|_| is_whole);
        let (size, widths) = (native(self.bits.element()), self.bits.widths(self.destination()));
        match value {
            Some(value) if size > 0 => pad(padding, size, dst, value, |byte| byte),
            Some(value) => packed::pad(dst, widths, Some(value as u8), padding, of.slots.len()),
            None => {}
        }
        self.plans(of, |prepared, digits, at| {
            if size == 0 {
                let (plan, blocks) = (&prepared.plan, self.blocks().filter(|_| is_whole));
                let memory = (src, &mut *dst);
                return packed::run_at(plan, blocks, digits, widths, memory, at, &self.settings);
            }
            let [from, to] = at.map(|slot| slot * size);
            let mut copying = prepared.copying();
            copying.digits = digits;
            copying.run(Memory::of_bytes(&src[from..], &mut dst[to..]), size, &self.settings);
        });
    }

    /// The plans of a part.
    #[cfg(feature = "alloc")]
    pub(super) fn kept_plans(&self, part: &PlannedPart<'_>) -> Vec<KeptPlan> {
        let mut kept = Vec::new();
        self.plans(part, |prepared, _, at| kept.push((*prepared, at)));
        kept
    }

    /// Calls `then` with each plan that is needed to copy a part. With it come the digits of both layouts if it is a
    /// general plan, and where its memory begins: a slot of the source, and one of the part's.
    pub(super) fn plans(
        &self,
        of: &PlannedPart<'_>,
        mut then: impl FnMut(&PreparedPlan, Option<&[DigitsView<'_>; 2]>, [usize; 2]),
    ) {
        let PlannedPart { slots, .. } = of;
        self.with_digits(|digits| {
            let views = digits.map(|digits| digits.map(Digits::view));
            let views = views.as_ref();
            if let Some(kept) = of.kept {
                return kept.iter().for_each(|(prepared, at)| then(prepared, views, *at));
            }
            if *slots == (0..self.slots[1]) {
                return then(&self.prepared, views, [0; 2]);
            }
            let element = self.bits.element();
            let window = slots.start as Size..slots.end as Size;
            let mut of_box = |plan: &copying::Plan, at: [Size; 2]| {
                let [from, to] = at.map(native);
                let prepared = PreparedPlan::of(*plan, native(element));
                then(&prepared, views, [from, to - slots.start]);
            };
            let per = self.bits.per_byte();
            match digits {
                Some(digits) => copying::Plan::index_boxes(digits, window, &mut of_box),
                None => self.prepared.plan.boxes(element, per, window, &mut of_box),
            }
        });
    }
}
