//! Reshapes that move no element.

use crate::compiled::{self, AnyLayout, stop};
use crate::memory::stored::StoredAs;
use crate::memory::view::{View, ViewMut};
use crate::reinterpret::stays;

/// Whether a reshape of `A` to `B` is a bitcast: whether elements have the same type and size, there are
/// as many, and each has the same offset as the one with its row-major number in the other layout. How
/// much padding there is is not looked at, tiles are.
///
/// `ReshapeIsBitcast` of XLA's `ShapeUtil`, for tiled layouts too. Sizes have to be part of the types:
/// with a dimension `?` or `<=N` it does not compile.
///
/// Where the layouts share no split it takes time in proportion to the array, in a `const` up to the
/// first element that differs.
///
/// # Examples
/// ```
/// use layout::{layout, reshape_is_bitcast};
///
/// type A = layout!(F32[16,128]{1,0:T(8,128)});
/// const _: () = assert!(reshape_is_bitcast::<A, layout!(F32[2048]{0:T(1024)})>());
/// const _: () = assert!(reshape_is_bitcast::<A, layout!(F32[2,8,128]{2,1,0:T(8,128)})>());
/// assert!(!reshape_is_bitcast::<A, layout!(F32[8,256]{1,0:T(8,128)})>());
/// ```
#[doc(alias = "ReshapeIsBitcast")]
pub const fn reshape_is_bitcast<A: AnyLayout, B: AnyLayout>() -> bool {
    const {
        known::<A, B>();
        A::VALUE.element_type() as usize == B::VALUE.element_type() as usize
            && A::VALUE.element_bits() == B::VALUE.element_bits()
            && A::DIGITS.elements() == B::DIGITS.elements()
            && A::DIGITS.difference_reshaped(B::DIGITS).is_none()
    }
}

/// Stops the build where a size is no part of the types.
#[track_caller]
const fn known<A: AnyLayout, B: AnyLayout>() {
    compiled::both_known::<A, B>();
    if size_of::<A::Sizes>() != 0 || size_of::<B::Sizes>() != 0 {
        stop(
            "a bounded dimension has as many elements as a view says: only arrays whose sizes are all part of the type are reshaped",
        )
    }
}

/// Stops the build with what keeps a view of `A` from being one of its reshape `B`.
#[track_caller]
const fn check<A: AnyLayout, B: AnyLayout>() {
    known::<A, B>();
    stays::same_bits::<A, B>();
    let mut text = stays::Message::new();
    if A::DIGITS.elements() != B::DIGITS.elements() {
        text.str("a reshape keeps the number of elements: ");
        text.number(A::DIGITS.elements());
        text.str(" in the one layout and ");
        text.number(B::DIGITS.elements());
        text.str(" in the other");
        panic!("{}", text.as_str())
    }
    if let Some(moved) = A::DIGITS.difference_reshaped(B::DIGITS) {
        stays::moved(&mut text, "a reshape", [A::DIGITS.rank(), B::DIGITS.rank()], &moved);
        text.str("; to copy, `relayout` to ");
        stays::layout(&mut text, &A::VALUE.row_major());
        text.str(", reshape that to ");
        stays::layout(&mut text, &B::VALUE.row_major());
        text.str(" and `relayout` the result");
        panic!("{}", text.as_str())
    }
    stays::room::<A, B>();
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// The same memory as an array of other dimensions, its elements numbered in row-major order as
    /// before. No element is moved: it compiles only if in both layouts each has the same offset, and `B`
    /// takes no more memory.
    ///
    /// The error of the compiler names the first element that would move, both offsets, and the copies
    /// that [`relayout`](crate::relayout()) would make. What is padding may differ. XLA's `Reshape`, where
    /// it is a bitcast.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[16,128]{1,0:T(8,128)});
    /// let data: Vec<f32> = (0..2048).map(|slot| slot as f32).collect();
    /// let view = View::<A, f32>::new(&data)?;
    /// let flat = view.reshape::<layout!(F32[2048]{0:T(1024)})>();
    /// assert_eq!((view[[9, 5]], flat[[9 * 128 + 5]]), (1157.0, 1157.0));
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    pub fn reshape<B>(self) -> View<'a, B, T>
    where
        B: AnyLayout<Element = L::Element>,
        T: StoredAs<L::Element>,
    {
        const { check::<L, B>() };
        match View::of(const { compiled::known::<B>() }, self.as_slice()) {
            Ok(view) => view,
            Err(_) => unreachable!("the layout takes no more memory"),
        }
    }
}

impl<'a, L: AnyLayout, T> ViewMut<'a, L, T> {
    /// As [`View::reshape`], to write.
    pub fn reshape<B>(self) -> ViewMut<'a, B, T>
    where
        B: AnyLayout<Element = L::Element>,
        T: StoredAs<L::Element>,
    {
        const { check::<L, B>() };
        match ViewMut::of(const { compiled::known::<B>() }, self.into_slots()) {
            Ok(view) => view,
            Err(_) => unreachable!("the layout takes no more memory"),
        }
    }
}
