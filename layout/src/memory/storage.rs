//! What holds the slots of an array: borrowed slices, owned memory, memory shared with other parts, packed bits.
#![allow(unsafe_code, reason = "parts of an array interleave in memory, which slices cannot say")]

use core::borrow::Borrow;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use core::ptr::NonNull;

#[cfg(feature = "alloc")]
use crate::memory::aligned::Aligned;
use crate::spec::sealed::Sealed;

/// Slots of which a walk takes one element or stretch after the other.
///
/// # Safety
/// What `item` and `stretch` return is memory of the slots that were asked for, and of no others.
pub unsafe trait Slots: Sized {
    /// An element: a reference, or the value of a packed one.
    type Item;
    /// Consecutive slots.
    type Stretch;

    /// The element in a slot.
    ///
    /// # Safety
    /// It is a slot of an element, and nobody else uses it in a way that conflicts with `Item`.
    unsafe fn item(&mut self, at: usize) -> Self::Item;

    /// Consecutive slots.
    ///
    /// # Safety
    /// As for `item`, for each of them.
    unsafe fn stretch(&mut self, slots: Range<usize>) -> Self::Stretch;

    /// A second reference to these slots, for other elements.
    ///
    /// # Safety
    /// The two are used for different elements, if elements can be written.
    unsafe fn alias(&self) -> Self;

    /// A second reference, for a part that alone uses the slots `own`.
    ///
    /// # Safety
    /// As for `alias`, and nobody else uses any of these slots.
    #[inline(always)]
    unsafe fn alias_owning(&self, _: Range<usize>) -> Self {
        // SAFETY: the caller's promise.
        unsafe { self.alias() }
    }
}

/// Slots that are only read.
pub trait SharedSlots: Slots<Item: Borrow<<Self as Storage>::Elem>> + Storage + Copy {
    /// What holds the slots of a part.
    type Part: SharedSlots<Elem = Self::Elem>;

    /// These slots, of which a part is used.
    fn part(self) -> Self::Part;

    /// All slots, if nobody writes any and they are elements of whole bytes.
    fn whole_slice(&self) -> Option<&[Self::Elem]> {
        None
    }

    /// All of the memory, if nobody writes any of it.
    fn units(&self) -> Option<&[<Self::Format as Format>::Unit]>;

    /// The elements in row-major order, if they are packed.
    #[cfg(all(feature = "alloc", feature = "relayout"))]
    fn unpacked(
        &self,
        _: &impl crate::memory::place::Place,
    ) -> Option<alloc::vec::Vec<Self::Elem>> {
        None
    }
}

/// How elements lie in memory: [`Values`], [`Narrow`](super::Narrow), [`AnyWidth`](crate::dynamic::AnyWidth).
pub trait Format {
    /// The type of elements.
    type Value;
    /// What memory is made of: elements, or bytes.
    type Unit;
}

/// Elements of whole bytes, as values of `T`.
#[derive(Debug)]
#[allow(missing_copy_implementations, reason = "it only names a format")]
pub struct Values<T>(PhantomData<T>);

impl<T> Format for Values<T> {
    type Value = T;
    type Unit = T;
}

/// What holds the slots of an array, to read: `&[T]`, `&mut [T]`, [`Aligned`](super::Aligned), [`Spread`], [`Packed`](super::Packed).
pub trait Storage: Sealed {
    /// The type of elements.
    type Elem;
    /// How they lie.
    #[doc(hidden)]
    type Format: Format<Value = Self::Elem>;
    /// The slots borrowed to read: for as long as a borrowed slice is, else as long as the storage.
    type Shared<'s>: SharedSlots<Elem = Self::Elem, Format = Self::Format>
    where
        Self: 's;

    /// The slots, to read.
    fn shared(&self) -> Self::Shared<'_>;
}

/// Storage in which an element has an address, so that `array[index]` is one.
pub trait Addressed: Storage {
    /// The element in a slot.
    ///
    /// # Safety
    /// It is a slot of an element.
    unsafe fn at(&self, slot: usize) -> &Self::Elem;
}

/// Storage whose elements can be written: of a `ViewMut`, `Buffer`, `SliceMut`, `StridedMut` or `PackedViewMut`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is memory that is read only",
    label = "only read",
    note = "a `ViewMut`, `Buffer`, `SliceMut`, `StridedMut` or `PackedViewMut` is written"
)]
pub trait StorageMut: Storage {
    /// The slots borrowed to write.
    type Unique<'s>: StorageMut<Elem = Self::Elem>
    where
        Self: 's;

    /// The slots, to write.
    fn unique(&mut self) -> Self::Unique<'_>;

    /// The memory of which nobody else uses any, and its first slot, if the elements are there: all of it, or a stretch of parts of an
    /// array.
    #[doc(hidden)]
    fn units_mut(&mut self) -> Option<(&mut [<Self::Format as Format>::Unit], usize)>;

    /// Writes the element of a slot.
    ///
    /// # Safety
    /// It is a slot of an element.
    unsafe fn put(&mut self, slot: usize, value: Self::Elem);

    /// Writes a value to consecutive slots.
    ///
    /// # Safety
    /// They are slots of elements.
    unsafe fn fill(&mut self, slots: Range<usize>, value: Self::Elem)
    where
        Self::Elem: Copy;
}

/// Storage that gives references to write: `&mut [T]`, [`Aligned`](super::Aligned), [`SpreadMut`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` gives no references to write",
    label = "only read, or packed",
    note = "a `ViewMut`, `Buffer`, `SliceMut` or `StridedMut` is written; of a `PackedViewMut` elements are `set`"
)]
pub trait AddressedMut: Addressed + Storage<Format = Values<<Self as Storage>::Elem>> {
    /// The slots, to write.
    fn spread(&mut self) -> SpreadMut<'_, Self::Elem>;

    /// The element in a slot, to write.
    ///
    /// # Safety
    /// It is a slot of an element.
    #[inline(always)]
    unsafe fn at_mut(&mut self, slot: usize) -> &mut Self::Elem {
        let slots = self.spread().slots;
        debug_assert!(slot < slots.len(), "a view has a slot for each element");
        // SAFETY: a view has a slot for each element of its place, and the caller names one, which is borrowed for as long as this.
        unsafe { slots.cast().add(slot).as_mut() }
    }
}

impl<S: AddressedMut> StorageMut for S {
    type Unique<'s>
        = SpreadMut<'s, S::Elem>
    where
        S: 's;

    #[inline(always)]
    fn unique(&mut self) -> SpreadMut<'_, S::Elem> {
        self.spread()
    }

    #[inline(always)]
    fn units_mut(&mut self) -> Option<(&mut [S::Elem], usize)> {
        self.spread().own()
    }

    #[inline(always)]
    unsafe fn put(&mut self, slot: usize, value: S::Elem) {
        // SAFETY: the caller's promise.
        *unsafe { self.at_mut(slot) } = value;
    }

    #[inline(always)]
    unsafe fn fill(&mut self, slots: Range<usize>, value: S::Elem)
    where
        S::Elem: Copy,
    {
        // SAFETY: the caller's promise.
        unsafe { self.spread().stretch(slots) }.fill(value);
    }
}

/// Slots of which the elements of a part are borrowed, and others may be written by others.
pub struct Spread<'a, T> {
    slots: NonNull<[T]>,
    /// Whether nobody writes any of the slots.
    is_whole: bool,
    memory: PhantomData<&'a [T]>,
}

/// Slots of which the elements of a part are borrowed to write, and others may be used by others.
pub struct SpreadMut<'a, T> {
    slots: NonNull<[T]>,
    /// The first and the end of consecutive slots of which nobody else uses any.
    own: [usize; 2],
    memory: PhantomData<&'a mut [T]>,
}

copy! { Spread<'a, T> }

/// How many slots there are.
/// What memory that other parts share is, read or written.
macro_rules! spread {
    ($($name:ident)*) => {$(
        impl<T> fmt::Debug for $name<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).field("slots", &self.slots.len()).finish_non_exhaustive()
            }
        }

        impl<T> Sealed for $name<'_, T> {}

        impl<T> Addressed for $name<'_, T> {
            #[inline(always)]
            unsafe fn at(&self, at: usize) -> &T {
                // SAFETY: the caller names an element, which is borrowed.
                unsafe { slot(self.slots, at).as_ref() }
            }
        }
    )*};
}

spread! { Spread SpreadMut }

impl<T> Sealed for &mut [T] {}
#[cfg(feature = "alloc")]
impl<T> Sealed for Aligned<T> {}

// SAFETY: they are references to elements.
unsafe impl<T: Sync> Send for Spread<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Spread<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Send> Send for SpreadMut<'_, T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for SpreadMut<'_, T> {}

/// A slot of some memory.
#[inline(always)]
fn slot<T>(slots: NonNull<[T]>, at: usize) -> NonNull<T> {
    assert!(at < slots.len(), "a view has a slot for each element");
    // SAFETY: within the memory.
    unsafe { slots.cast::<T>().add(at) }
}

/// Consecutive slots of some memory.
#[inline(always)]
fn stretch<T>(slots: NonNull<[T]>, Range { start, end }: Range<usize>) -> NonNull<[T]> {
    assert!(start <= end && end <= slots.len(), "a view has a slot for each element");
    // SAFETY: within the memory.
    NonNull::slice_from_raw_parts(unsafe { slots.cast::<T>().add(start) }, end - start)
}

impl<'a, T> SpreadMut<'a, T> {
    /// The slots of which nobody else uses any, if there are some, and the number of the first.
    #[inline(always)]
    fn own(self) -> Option<(&'a mut [T], usize)> {
        let [start, end] = self.own;
        // SAFETY: nobody else has any of them, and this is given away.
        let own = || unsafe { stretch(self.slots, start..end).as_mut() };
        (start < end || self.slots.is_empty()).then(|| (own(), start))
    }
}

impl<'a, T> From<&'a mut [T]> for SpreadMut<'a, T> {
    #[inline(always)]
    fn from(slots: &'a mut [T]) -> Self {
        SpreadMut { own: [0, slots.len()], slots: NonNull::from(slots), memory: PhantomData }
    }
}

// SAFETY: they index the slice.
unsafe impl<'a, T> Slots for &'a [T] {
    type Item = &'a T;
    type Stretch = &'a [T];

    #[inline(always)]
    unsafe fn item(&mut self, at: usize) -> &'a T {
        &self[at]
    }

    #[inline(always)]
    unsafe fn stretch(&mut self, slots: Range<usize>) -> &'a [T] {
        &self[slots]
    }

    #[inline(always)]
    unsafe fn alias(&self) -> Self {
        self
    }
}

impl<'a, T> SharedSlots for &'a [T] {
    type Part = Spread<'a, T>;

    #[inline(always)]
    fn part(self) -> Spread<'a, T> {
        Spread { slots: NonNull::from(self), is_whole: true, memory: PhantomData }
    }

    #[inline(always)]
    fn whole_slice(&self) -> Option<&[T]> {
        Some(self)
    }

    #[inline(always)]
    fn units(&self) -> Option<&[T]> {
        Some(self)
    }
}

impl<'a, T> Storage for &'a [T] {
    type Elem = T;
    type Format = Values<T>;
    type Shared<'s>
        = &'a [T]
    where
        Self: 's;

    #[inline(always)]
    fn shared(&self) -> &'a [T] {
        self
    }
}

impl<T> Addressed for &[T] {
    #[inline(always)]
    unsafe fn at(&self, slot: usize) -> &T {
        debug_assert!(slot < self.len(), "a view has a slot for each element");
        // SAFETY: a view has a slot for each element of its place, and the caller names one.
        unsafe { self.get_unchecked(slot) }
    }
}

/// Storage that is a slice when it is borrowed.
macro_rules! sliced {
    ($($of:ty),*) => {$(
        impl<T> Storage for $of {
            type Elem = T;
    type Format = Values<T>;
            type Shared<'s> = &'s [T] where Self: 's;

            #[inline(always)]
            fn shared(&self) -> &[T] {
                self
            }
        }

        impl<T> Addressed for $of {
            #[inline(always)]
            unsafe fn at(&self, slot: usize) -> &T {
                debug_assert!(slot < self.len(), "a view has a slot for each element");
                // SAFETY: as for `&[T]`.
                unsafe { self.get_unchecked(slot) }
            }
        }

        impl<T> AddressedMut for $of {
            #[inline(always)]
            fn spread(&mut self) -> SpreadMut<'_, T> {
                SpreadMut::from(&mut **self)
            }
        }
    )*};
}

sliced! { &mut [T] }

#[cfg(feature = "alloc")]
sliced! { Aligned<T> }

// SAFETY: each is memory of those slots.
unsafe impl<'a, T> Slots for Spread<'a, T> {
    type Item = &'a T;
    type Stretch = &'a [T];

    #[inline(always)]
    unsafe fn item(&mut self, at: usize) -> &'a T {
        // SAFETY: the caller vouches that nobody writes it.
        unsafe { slot(self.slots, at).as_ref() }
    }

    #[inline(always)]
    unsafe fn stretch(&mut self, slots: Range<usize>) -> &'a [T] {
        // SAFETY: the caller vouches that nobody writes them.
        unsafe { stretch(self.slots, slots).as_ref() }
    }

    #[inline(always)]
    unsafe fn alias(&self) -> Self {
        *self
    }
}

impl<T> SharedSlots for Spread<'_, T> {
    type Part = Self;

    #[inline(always)]
    fn part(self) -> Self {
        self
    }

    #[inline(always)]
    fn whole_slice(&self) -> Option<&[T]> {
        // SAFETY: they are borrowed for as long.
        if self.is_whole { Some(unsafe { self.slots.as_ref() }) } else { None }
    }

    #[inline(always)]
    fn units(&self) -> Option<&[T]> {
        self.whole_slice()
    }
}

impl<'a, T> Storage for Spread<'a, T> {
    type Elem = T;
    type Format = Values<T>;
    type Shared<'s>
        = Spread<'a, T>
    where
        Self: 's;

    #[inline(always)]
    fn shared(&self) -> Self {
        *self
    }
}

// SAFETY: each is memory of those slots.
unsafe impl<'a, T> Slots for SpreadMut<'a, T> {
    type Item = &'a mut T;
    type Stretch = &'a mut [T];

    #[inline(always)]
    unsafe fn item(&mut self, at: usize) -> &'a mut T {
        // SAFETY: the caller vouches that nobody else uses it.
        unsafe { slot(self.slots, at).as_mut() }
    }

    #[inline(always)]
    unsafe fn stretch(&mut self, slots: Range<usize>) -> &'a mut [T] {
        // SAFETY: the caller vouches that nobody else uses them.
        unsafe { stretch(self.slots, slots).as_mut() }
    }

    #[inline(always)]
    unsafe fn alias(&self) -> Self {
        SpreadMut { own: [0; 2], ..*self }
    }

    #[inline(always)]
    unsafe fn alias_owning(&self, own: Range<usize>) -> Self {
        let is_own = self.own[0] <= own.start && own.end <= self.own[1];
        SpreadMut { own: if is_own { [own.start, own.end] } else { [0; 2] }, ..*self }
    }
}

impl<T> Storage for SpreadMut<'_, T> {
    type Elem = T;
    type Format = Values<T>;
    type Shared<'s>
        = Spread<'s, T>
    where
        Self: 's;

    #[inline(always)]
    fn shared(&self) -> Spread<'_, T> {
        Spread {
            slots: self.slots,
            is_whole: self.own == [0, self.slots.len()],
            memory: PhantomData,
        }
    }
}

impl<T> AddressedMut for SpreadMut<'_, T> {
    #[inline(always)]
    fn spread(&mut self) -> SpreadMut<'_, T> {
        SpreadMut { memory: PhantomData, ..*self }
    }
}

/// Memory of which the first slots can be had: `&[T]`, `&mut [T]` and [`Aligned`](crate::memory::Aligned).
pub trait FirstSlots {
    /// The memory without the slots after these.
    fn first_slots(self, slots: usize) -> Self;
}

impl<T> FirstSlots for &[T] {
    fn first_slots(self, slots: usize) -> Self {
        &self[..slots]
    }
}

impl<T> FirstSlots for &mut [T] {
    fn first_slots(self, slots: usize) -> Self {
        &mut self[..slots]
    }
}

#[cfg(feature = "alloc")]
impl<T> FirstSlots for Aligned<T> {
    fn first_slots(mut self, slots: usize) -> Self {
        self.truncate(slots);
        self
    }
}
