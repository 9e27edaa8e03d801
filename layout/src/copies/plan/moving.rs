//! What a planned copy reads and writes, and what moves its elements.

use core::mem::MaybeUninit;

use layout_copy::__private::{self as copying, Memory, Plain};
use layout_core::__private::Tiling;
use layout_core::Digits;

use crate::copies::{
    door::dest::Dest, door::dest::DestSlots, error::CopyError, padding::Padding, padding::pad,
    plan::Plan, plan::placed::SideStrides, plan::placed::strided_digits, run::copy_by_kernels,
    slots::CopiedSlots,
};

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
        self.whole().run_bytes(src, dst, padding)
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
    pub fn run<'d, T: Copy + 'static, D: Dest<T> + ?Sized>(
        &self,
        src: &[T],
        dst: &'d mut D,
        padding: impl Into<Padding<T>>,
    ) -> Result<D::Out<'d>, CopyError> {
        let (planned, given) = (self.bits.element(), size_of::<T>());
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

    /// Copies bytes to a destination of which all is written, with the bits of a value for padding.
    #[inline(never)]
    pub(super) fn copy_whole<'d>(
        &self,
        slots: CopiedSlots<'_, 'd, u8>,
        value: u128,
    ) -> &'d mut [u8] {
        let (padding, size) = (self.padding.as_ref(), self.bits.element());
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
    pub(super) fn with_digits<R>(&self, then: impl FnOnce(Option<[&Digits; 2]>) -> R) -> R {
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
}
