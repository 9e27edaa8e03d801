//! Copies to memory that may hold nothing yet, all of which they write.
#![allow(unsafe_code, reason = "memory that was written is initialised")]

use core::mem::MaybeUninit;
use core::slice::from_raw_parts_mut;

use layout_copy::__private::{
    self as copying, Copying, InlineMemory, Kernels, Memory, PaddingPlan, Plain, Plan, PreparedPlan,
};
use layout_copy::Settings;
use layout_core::{Digits, Index, Size};

use crate::array::same_array::{SameArray, known_digits};
use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, StaticLayout};
use crate::memory::stored::StoredIn;
use crate::memory::strided::{self, Place};
use crate::memory::view::{Needs, TooShort, View};
use crate::memory::view_mut::ViewMut;
use crate::relayout::copy::{Planned, counterpart};
use crate::relayout::error::RelayoutError;
use crate::relayout::inline::{Templated, copy_small};
use crate::relayout::padding::Padded;
use crate::relayout::stride_loops::{copy_inline as copy_strided_inline, plan_from};
use crate::relayout::value::{NO_STRIDES, Relayout, pad};

/// A copy between two layouts of one array, of elements of the type's size, whatever those of the layouts take.
trait PlannedOf<B: AnyLayout, T>: SameArray<B> {
    const PREPARED: &'static PreparedPlan = {
        let element = size_of::<T>() as Size;
        &PreparedPlan::of(Plan::new(known_digits::<Self>(), known_digits::<B>(), element))
    };
    const KERNELS: &'static Kernels = &Kernels::of(&Self::PREPARED.plan, size_of::<T>());
}

impl<A: SameArray<B>, B: AnyLayout, T> PlannedOf<B, T> for A {}

/// Moves the elements by a plan that is a constant.
pub(super) fn move_elements<A: SameArray<B>, B: AnyLayout, T>(memory: Memory<'_>) {
    let (prepared, kernels) = (<A as PlannedOf<B, T>>::PREPARED, <A as PlannedOf<B, T>>::KERNELS);
    let copying = Copying::of(prepared, kernels, <A as Planned<B>>::SHORT_DIGITS.as_ref());
    if const { <A as PlannedOf<B, T>>::PREPARED.plan.is_general() } {
        copying.run_general(memory, size_of::<T>(), &Settings::default());
    } else {
        copying.run_loops(memory, size_of::<T>(), &Settings::default());
    }
}

/// What is known of a destination before its elements are written.
struct Unwritten<'a> {
    has_padding: bool,
    /// Where the padding is, if that can be planned; else it is everywhere.
    padding: Option<&'a PaddingPlan>,
}

impl Unwritten<'_> {
    /// Writes all of it: the value to the padding, and the elements by `copy`, which writes them all.
    fn write<'a, T: Copy + 'static>(
        self,
        plain: Plain<T>,
        src: &[T],
        dst: &'a mut [MaybeUninit<T>],
        value: T,
        copy: impl FnOnce(Memory<'_>),
    ) -> &'a mut [T] {
        let value = MaybeUninit::new(value);
        if self.has_padding {
            copying::fill(self.padding, dst.len(), dst, value);
        }
        copy(Memory::of_uninit(plain, src, dst));
        // SAFETY: a slot is that of an element, or padding. `copy` is one of this file's: all of them move every element of an array between
        // the layouts of which the destination's length is, and `fill` wrote the others. Elements are initialised in the source.
        unsafe { written(dst) }
    }
}

/// # Safety
/// All of it is initialised.
unsafe fn written<T>(memory: &mut [MaybeUninit<T>]) -> &mut [T] {
    // SAFETY: the same memory, of which the caller says that it holds values of `T`.
    unsafe { from_raw_parts_mut(memory.as_mut_ptr().cast(), memory.len()) }
}

/// Copies by a plan that is made now. The memory is as long as the layouts ask; the first elements lie at `first`.
pub(super) fn copy<'a, T: Copy + 'static>(
    [src, dst]: [&Digits; 2],
    first: [Size; 2],
    plain: Plain<T>,
    from: &[T],
    to: &'a mut [MaybeUninit<T>],
    value: T,
) -> &'a mut [T] {
    let slots = to.len() as Size;
    let plan = Plan::new(src, dst, size_of::<T>() as Size).beginning_at(first);
    let has_padding = slots > dst.elements();
    let padding = if has_padding { PaddingPlan::new(dst, slots) } else { None };
    let padding = padding.as_ref();
    Unwritten { has_padding, padding }.write(plain, from, to, value, |memory| {
        copying::copy_by(plan, [src, dst], memory, size_of::<T>(), &Settings::default());
    })
}

/// Copies by a plan that is a constant. The memory is as long as the layouts ask.
fn copy_planned<'a, A, B, T>(
    plain: Plain<T>,
    src: &[T],
    dst: &'a mut [MaybeUninit<T>],
    value: T,
) -> &'a mut [T]
where
    A: SameArray<B>,
    B: AnyLayout,
    T: Copy + 'static,
{
    let has_padding = const { B::SLOTS as Size > B::DIGITS.elements() };
    let destination = Unwritten { has_padding, padding: B::PADDING };
    destination.write(plain, src, dst, value, |memory| {
        move_elements::<A, B, T>(memory);
    })
}

/// Copies a view to memory that is as long as its layout asks.
pub(super) fn copy_view<'a, A, B, T>(
    from: &View<'_, A, T>,
    to: &WithDims<B>,
    memory: &'a mut [MaybeUninit<T>],
    value: T,
) -> &'a mut [T]
where
    A: SameArray<B>,
    B: AnyLayout,
    T: StoredIn<B>,
{
    copy_sized::<A, B, T>(&from.sizes(), to, T::PLAIN_HERE, from.as_slice(), memory, value)
}

/// Copies an array of some sizes.
#[inline]
pub(super) fn copy_sized<'a, A, B, T>(
    from: &A::Sizes,
    to: &WithDims<B>,
    plain: Plain<T>,
    src: &[T],
    dst: &'a mut [MaybeUninit<T>],
    value: T,
) -> &'a mut [T]
where
    A: SameArray<B>,
    B: AnyLayout,
    T: Copy + 'static,
{
    if const { size_of::<A::Sizes>() == 0 } {
        return copy_planned::<A, B, T>(plain, src, dst, value);
    }
    let from = &WithDims::<A>::of(*from);
    let padding = Some(value).filter(|_| from.elements() < dst.len());
    if copy_small::<A, B, T>(from, to, &plain, InlineMemory::of_uninit(src, dst), padding) {
        // SAFETY: loops by templates write every element, and the value to every slot that holds none.
        unsafe { written(dst) }
    } else {
        copy_by_kernels::<A, B, T>(&from.sizes(), &to.sizes(), plain, src, dst, value)
    }
}

/// Copies by the kernels, by the plan that the template gives for the sizes.
#[cold]
#[inline(never)]
fn copy_by_kernels<'a, A, B, T>(
    from: &A::Sizes,
    to: &B::Sizes,
    plain: Plain<T>,
    src: &[T],
    dst: &'a mut [MaybeUninit<T>],
    value: T,
) -> &'a mut [T]
where
    A: SameArray<B>,
    B: AnyLayout,
    T: Copy + 'static,
{
    let dims = Index::of_native(A::dims(from).as_ref());
    let template = <A as Templated<B>>::TEMPLATE.as_ref();
    let Some(template) = template.filter(|_| !dims.as_slice().contains(&0)) else {
        let digits = [compiled::digits::<A>(from), compiled::digits::<B>(to)];
        return copy(digits.each_ref(), [0; 2], plain, src, dst, value);
    };
    let counts = [&A::counts(from), &B::counts(to)];
    let plan = template.plan(dims.as_slice(), counts, size_of::<T>() as Size);
    copy_loops(plan, &WithDims::<B>::of(*to), plain, src, dst, value)
}

/// Copies an array of some elements by a plan with loops.
fn copy_loops<'a, B, T>(
    plan: Plan,
    to: &WithDims<B>,
    plain: Plain<T>,
    src: &[T],
    dst: &'a mut [MaybeUninit<T>],
    value: T,
) -> &'a mut [T]
where
    B: AnyLayout,
    T: Copy + 'static,
{
    let slots = dst.len() as Size;
    let has_padding = dst.len() > to.elements();
    let padding = if has_padding {
        PaddingPlan::new(&compiled::digits::<B>(&to.sizes()), slots)
    } else {
        None
    };
    let padding = padding.as_ref();
    Unwritten { has_padding, padding }.write(plain, src, dst, value, |memory| {
        copying::copy_loops(plan, memory, size_of::<T>(), &Settings::default());
    })
}

/// Copies from strides to memory of a layout with the sizes of the array, which is as long as the layout asks.
#[inline]
pub(super) fn copy_from_strides<'a, B, T>(
    place: Place<'_>,
    to: &WithDims<B>,
    src: &[T],
    dst: &'a mut [MaybeUninit<T>],
    value: T,
) -> &'a mut [T]
where
    B: AnyLayout,
    T: StoredIn<B>,
{
    assert!(place.dims == to.dims().as_ref(), "the layout has the sizes of the array");
    let padding = (dst.len() > to.elements()).then_some(value);
    let memory = InlineMemory::of_uninit(src, &mut *dst);
    if copy_strided_inline::<B, T, false>(place, &to.sizes(), memory, padding, false) {
        // SAFETY: loops by templates write every element, and the value to every slot that holds none, if there are any.
        return unsafe { written(dst) };
    }
    copy_strided_by_kernels::<B, T>(place, to, src, dst, value)
}

#[cold]
#[inline(never)]
fn copy_strided_by_kernels<'a, B, T>(
    place: Place<'_>,
    to: &WithDims<B>,
    src: &[T],
    dst: &'a mut [MaybeUninit<T>],
    value: T,
) -> &'a mut [T]
where
    B: AnyLayout,
    T: StoredIn<B>,
{
    let plain = <T as StoredIn<B>>::PLAIN_HERE;
    match plan_from::<B, T>(place, &to.sizes()) {
        Some(plan) => copy_loops(plan, to, plain, src, dst, value),
        None => {
            let digits =
                [strided::digits(place.dims, place.strides), compiled::digits::<B>(&to.sizes())];
            copy(digits.each_ref(), [place.first as Size, 0], plain, src, dst, value)
        }
    }
}

/// Copies an array as [`relayout`](crate::relayout()) does, to memory that may hold nothing yet. All of `B`'s slots are written: the padding becomes
/// `padding`. They are returned.
///
/// # Errors
/// If a slice is too short; nothing is written then.
///
/// # Examples
/// ```
/// use core::mem::MaybeUninit;
/// use layout::{layout, relayout_uninit};
///
/// type Host = layout!(F32[3,5]);
/// type Device = layout!(F32[3,5]{1,0:T(2,2)});
/// let host: Vec<f32> = (0..15).map(|number| number as f32).collect();
/// let mut memory = [MaybeUninit::uninit(); Device::PADDED_ELEMENTS];
/// let device: &mut [f32] = relayout_uninit::<Host, Device, f32>(&host, &mut memory, 0.0)?;
/// assert_eq!(device[..10], [0.0, 1.0, 5.0, 6.0, 2.0, 3.0, 7.0, 8.0, 4.0, 0.0]);
/// # Ok::<(), layout::RelayoutError>(())
/// ```
pub fn relayout_uninit<'a, A, B, T>(
    src: &[T],
    dst: &'a mut [MaybeUninit<T>],
    padding: T,
) -> Result<&'a mut [T], RelayoutError>
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B>,
{
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    let src = RelayoutError::source(src, A::SLOTS)?;
    let dst = RelayoutError::destination(dst, B::SLOTS)?;
    Ok(copy_planned::<A, B, T>(<T as StoredIn<B>>::PLAIN_HERE, src, dst, padding))
}

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the array to memory that may hold nothing yet: a view of it with the layout `B`, whose padding becomes `padding`. More
    /// memory than the layout takes is left as it is.
    ///
    /// # Errors
    /// If the memory is too short; nothing is written then.
    ///
    /// # Panics
    /// If the array does not fit in 2⁶³−1 bytes with the padding of `B`, where sizes are known at run time only.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use layout::{View, layout};
    ///
    /// type Rows = layout!(S32[?,?]);
    /// type Panels = layout!(S32[?,?]{1,0:T(2,1)});
    /// let rows = Rows::with_dims([3, 2])?;
    /// let mut memory = [MaybeUninit::uninit(); 8];
    /// let view = rows.view(&[0, 1, 2, 3, 4, 5])?;
    /// let panels = view.relayout_uninit::<Panels>(&mut memory, 9)?;
    /// assert_eq!(panels.as_slice(), [0, 2, 1, 3, 4, 9, 5, 9]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[track_caller]
    pub fn relayout_uninit<'a, B>(
        &self,
        memory: &'a mut [MaybeUninit<T>],
        padding: T,
    ) -> Result<ViewMut<'a, B, T>, TooShort>
    where
        L: SameArray<B>,
        B: AnyLayout,
        T: StoredIn<B>,
    {
        let () = T::HAS_SIZE;
        let layout = counterpart::<L, B>(&WithDims::of(self.sizes()));
        let memory = TooShort::first_mut(memory, layout.padded_elements(), Needs::elements::<B>())?;
        Ok(ViewMut::of_slots(layout, copy_view(self, &layout, memory, padding)))
    }
}

impl Relayout {
    /// Copies the array as [`run`](Self::run) does, to memory that may hold nothing yet. All bytes of the destination's layout are written, and are
    /// returned: the padding becomes the value with these bits. Of packed elements, bits after the last one are 0.
    ///
    /// # Errors
    /// If a slice is too short; nothing is written then.
    ///
    /// # Examples
    /// ```
    /// use core::mem::MaybeUninit;
    /// use layout::Relayout;
    ///
    /// let relayout = Relayout::new(&"s8[3,5]".parse()?, &"s8[3,5]{1,0:T(2,2)}".parse()?)?;
    /// let bytes: Vec<u8> = (0..15).collect();
    /// let mut memory = vec![MaybeUninit::uninit(); relayout.destination_bytes()];
    /// let tiles: &mut [u8] = relayout.run_uninit(&bytes, &mut memory, 0)?;
    /// assert_eq!(tiles[..10], [0, 1, 5, 6, 2, 3, 7, 8, 4, 0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn run_uninit<'a>(
        &self,
        src: &[u8],
        dst: &'a mut [MaybeUninit<u8>],
        padding: u128,
    ) -> Result<&'a mut [u8], RelayoutError> {
        let src = RelayoutError::source(src, self.source_bytes())?;
        let dst = RelayoutError::destination(dst, self.destination_bytes())?;
        let size = self.element_bytes();
        if size == 0 {
            // Elements are put into bytes that are there.
            dst.fill(MaybeUninit::new(0));
            // SAFETY: all of it has just been written.
            let dst = unsafe { written(dst) };
            self.run(src, dst, crate::Padding::Fill(padding))?;
            return Ok(dst);
        }
        if self.has_padding {
            pad(self.padding.as_ref(), size, dst, padding, MaybeUninit::new);
        }
        self.move_elements(&NO_STRIDES, Memory::of_uninit(Plain::<u8>::YES, src, dst), size);
        // SAFETY: a slot is that of an element, or padding, and all of them have been written.
        Ok(unsafe { written(dst) })
    }
}
