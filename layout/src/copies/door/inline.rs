//! Copies that are loops in the caller's code for arrays of every size.

use layout_copy::__private::InlineMemory;
use layout_core::__private::native;
use layout_core::Size;

use crate::array::{same_array::SameArray, with_dims::WithDims};
use crate::compiled::{StaticLayout, both_known};
use crate::copies::{
    choose::by_loops, padding::Padding, padding::padding_at, pair::Pair, slots::CopiedSlots,
};
use crate::memory::{Memory, Place, stored::StoredIn};

/// Copies an array from the layout `A` to the layout `B`, also in a `const`: by loops that the compiler sees through, without a
/// call.
///
/// It is as fast as a nest of loops by hand. For arrays of more than some kilobytes, [`copy`](crate::copy()) has kernels
/// that are faster, and for smaller ones it does as this function does, where code is optimised. Slots of the destination that
/// hold no element, and what lies past them, stay as they are.
///
/// # Panics
/// If a slice is shorter than [`A::PADDED_ELEMENTS`](crate::Array::PADDED_ELEMENTS), or `B`'s; in a `const`, that stops the build.
///
/// # Examples
/// ```
/// use layout::{layout, copies::copy_const};
///
/// type Rows = layout!(U8[4,6]);
/// type Tiles = layout!(U8[4,6]{1,0:T(2,2)});
/// const TABLE: [u8; 24] = {
///     let (mut rows, mut tiles) = ([0; 24], [0; Tiles::PADDED_ELEMENTS]);
///     let mut at = 0;
///     while at < rows.len() {
///         rows[at] = at as u8;
///         at += 1;
///     }
///     copy_const::<Rows, Tiles, u8>(&rows, &mut tiles);
///     tiles
/// };
/// assert_eq!(TABLE[..8], [0, 1, 6, 7, 2, 3, 8, 9]);
/// ```
#[track_caller]
#[inline]
pub const fn copy_const<A, B, T>(src: &[T], dst: &mut [T])
where
    A: SameArray<B> + StaticLayout,
    B: StaticLayout,
    T: StoredIn<A> + StoredIn<B>,
{
    let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
    const { both_known::<A, B>() }
    assert!(src.len() >= A::SLOTS, "the source is shorter than its layout");
    assert!(dst.len() >= B::SLOTS, "the destination is shorter than its layout");
    let (src, dst) = (src.split_at(A::SLOTS).0, dst.split_at_mut(B::SLOTS).0);
    if const { Pair::<WithDims<A>, WithDims<B>>::HAS_NEST } {
        let (sizes, strides) = Pair::<WithDims<A>, WithDims<B>>::SIZED;
        let memory = InlineMemory::of(src, dst);
        assert!(memory.copy::<Pair<WithDims<A>, WithDims<B>>>(sizes, strides));
    } else {
        each!(for number in 0..native(A::DIGITS.elements()) {
            let index = A::DIGITS.numbered(number as Size);
            let [from, to] =
                [A::DIGITS.offset_unchecked(&index), B::DIGITS.offset_unchecked(&index)];
            dst[native(to)] = src[native(from)];
        });
    }
}

/// For tests: copies in the caller's code, also where a program would call a kernel.
///
/// False if there is no nest of loops, or the array has no elements.
#[allow(private_bounds, reason = "tests alone call it")]
pub fn copied_inline<P: Place, Q: Place, T: Copy + 'static>(
    from: &Memory<P, &[T]>,
    to: &mut Memory<Q, &mut [T]>,
    padding: Padding<T>,
) -> bool {
    let padding = padding_at(&to.place, padding).unwrap_or(None);
    let sides = Pair::of(from.place.side(), to.place.side());
    by_loops(sides, &mut CopiedSlots::of(from.slots, to.slots, padding))
}
