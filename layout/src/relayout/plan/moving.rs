//! What a planned copy, or a part of one, reads and writes, and what moves its elements.

use core::mem::MaybeUninit;
use core::ops::Range;

use layout_copy::__private::packed;
use layout_copy::__private::{self as copying, Memory, PaddingPlan, Plain, PreparedPlan};
use layout_copy::Settings;
use layout_core::__private::{DigitsView, Tiling, native};
use layout_core::{Digits, Size};

use crate::relayout::choice::{ByKernels, copy_by_kernels};
use crate::relayout::dest::{Dest, DestSlots};
use crate::relayout::error::CopyError;
use crate::relayout::padding::{Padding, pad};
use crate::relayout::plan::Plan;
#[cfg(feature = "alloc")]
use crate::relayout::plan::parts::KeptPlans;
use crate::relayout::plan::placed::SideStrides;

/// What a part of a copy reads and writes.
struct CopyPart<'a> {
    src: &'a [u8],
    dst: &'a mut [u8],
    /// What padding is written.
    value: Option<u128>,
    padding: Option<&'a PaddingPlan>,
    of: PartOf<'a>,
}

/// Which part of a copy that is.
#[derive(Clone)]
pub(super) struct PartOf<'a> {
    /// The destination's slots that are written.
    pub(super) slots: Range<usize>,
    /// The plans of the part, if they are kept.
    #[cfg(feature = "alloc")]
    pub(super) kept: Option<&'a KeptPlans>,
    #[cfg(not(feature = "alloc"))]
    pub(super) kept: core::marker::PhantomData<&'a ()>,
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
    /// plan.run(&bytes, &mut tiles, 9)?;
    /// assert_eq!((tiles.len(), &tiles[..10]), (24, &[0, 1, 5, 6, 2, 3, 7, 8, 4, 9][..]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run<'d, D: Dest<u8> + ?Sized>(
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
        of: PartOf<'_>,
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
                let padding = value.unwrap_or(0);
                return copy_by_kernels(&OfBytes { plan: self, padding }, slots, &self.settings);
            }
            let all = slots.initialised(None);
            let dst = &mut all[self.before(1)..];
            let value = value.filter(|_| self.has_padding);
            // Elements of a part are written over its padding.
            let padding = self.padding.as_ref().filter(|_| is_whole);
            self.copy_part(CopyPart { src, dst, value, padding, of });
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
    /// plan.run_values(&[1, 2, 3, 4], &mut turned, 0)?;
    /// assert_eq!(turned, [1, 3, 2, 4]);
    /// assert!(plan.run_values(&[1_u8; 4], &mut [0; 4], 0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_values<'d, T, D>(
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
                return copy_by_kernels(self, slots, &self.settings);
            }
            let all = slots.initialised(None);
            let memory = Memory::of(Plain::of_type(), src, &mut all[to..]);
            self.move_elements(memory, given, &self.settings);
            all
        })
    }

    /// What lies in a range of the destination's bytes.
    pub(super) fn part_of(&self, bytes: &Range<usize>) -> PartOf<'_> {
        let slots = if bytes.end == self.destination_bytes() {
            self.bits.slots(bytes.start)..self.slots[1]
        } else {
            self.bits.slots(bytes.start)..self.bits.slots(bytes.end)
        };
        PartOf { slots, kept: Default::default() }
    }

    /// Makes the copy.
    fn copy_part(&self, part: CopyPart<'_>) {
        let settings = &self.settings;
        match self.bits.element() {
            0 => self.copy_packed(part, settings),
            element => self.copy_bytes(part, native(element), settings),
        }
    }

    /// Moves the elements of the whole array, of `size` bytes.
    fn move_elements(&self, memory: Memory<'_>, size: usize, settings: &Settings) {
        self.with_digits(|digits| {
            let views = digits.map(|digits| digits.map(Digits::view));
            let mut copying = self.prepared.copying();
            (copying.blocks, copying.digits) = (self.blocks(), views.as_ref());
            copying.run(memory, size, settings);
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
        let (dims, layouts) = (digits[whole].dims(), [self.source(), self.destination()]);
        let strided = [0, 1].map(|side| {
            self.strides[side].as_ref().map(|strides| strides.digits(layouts[side], dims))
        });
        then(Some([0, 1].map(|side| strided[side].as_ref().unwrap_or(digits[side]))))
    }

    /// Writes the padding and moves the elements, of `size` bytes.
    fn copy_bytes(&self, part: CopyPart<'_>, size: usize, settings: &Settings) {
        let CopyPart { src, dst, value, padding, of } = part;
        if let Some(value) = value {
            pad(padding, size, dst, value, |byte| byte);
        }
        self.plans(&of, |prepared, digits, at| {
            let [from, to] = at.map(|slot| slot * size);
            let memory = Memory::of_bytes(&src[from..], &mut dst[to..]);
            let mut copying = prepared.copying();
            copying.digits = digits;
            copying.run(memory, size, settings);
        });
    }

    /// Copies elements narrower than a byte.
    fn copy_packed(&self, part: CopyPart<'_>, settings: &Settings) {
        let CopyPart { src, dst, value, padding, of } = part;
        let widths = self.bits.widths(self.destination());
        packed::pad(dst, widths, value.map(|value| value as u8), padding, of.slots.len());
        let is_whole = of.slots == (0..self.slots[1]);
        self.plans(&of, |prepared, digits, at| {
            let blocks = self.blocks().filter(|_| is_whole);
            packed::run_at(&prepared.plan, blocks, digits, widths, (src, &mut *dst), at, settings);
        });
    }

    /// Calls `then` with each plan that is needed to copy a part. With it come the digits of both layouts if it is a
    /// general plan, and where its memory begins: a slot of the source, and one of the part's.
    pub(super) fn plans(
        &self,
        of: &PartOf<'_>,
        mut then: impl FnMut(&PreparedPlan, Option<&[DigitsView<'_>; 2]>, [usize; 2]),
    ) {
        let PartOf { slots, .. } = of;
        self.with_digits(|digits| {
            let views = digits.map(|digits| digits.map(Digits::view));
            let views = views.as_ref();
            #[cfg(feature = "alloc")]
            if let Some(kept) = of.kept {
                return kept.each(|prepared, at| then(prepared, views, at));
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

/// Copies of values between layouts.
impl<T: Copy + 'static> ByKernels<T> for Plan {
    fn elements(&self) -> usize {
        // With padding there are fewer than the destination has slots.
        self.slots[1] - usize::from(self.has_padding)
    }

    fn fill(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>) {
        copying::fill(self.padding.as_ref(), dst.len(), dst, value);
    }

    fn move_elements(&self, memory: Memory<'_>, settings: &Settings) {
        self.move_elements(memory, size_of::<T>(), settings);
    }
}

/// A copy of whole bytes, and the bits of a value for padding.
struct OfBytes<'a> {
    plan: &'a Plan,
    padding: u128,
}

impl ByKernels<u8> for OfBytes<'_> {
    fn elements(&self) -> usize {
        self.plan.destination_bytes() - usize::from(self.plan.has_padding)
    }

    fn fill(&self, dst: &mut [MaybeUninit<u8>], _: MaybeUninit<u8>) {
        let size = self.plan.element_bytes();
        pad(self.plan.padding.as_ref(), size, dst, self.padding, MaybeUninit::new);
    }

    fn move_elements(&self, memory: Memory<'_>, settings: &Settings) {
        self.plan.move_elements(memory, self.plan.element_bytes(), settings);
    }
}
