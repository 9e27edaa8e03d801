//! Memory with a layout: borrowed views to read.

#[cfg(feature = "bytemuck")]
pub(crate) mod bytes;

use core::fmt;

use layout_core::ArrayShape;

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
use crate::memory::stored::{DefaultOf, StoredIn};

/// A slice that is too short for a layout. Its numbers count elements; if elements are packed, or the memory is bytes, they count bytes.
///
/// # Examples
/// ```
/// use layout::{View, layout};
///
/// let error = View::<layout!(F32[3,5]{1,0:T(2,2)})>::new(&[0.0; 15]).unwrap_err();
/// assert_eq!((error.needed, error.given), (24, 15));
/// assert_eq!(
///     error.to_string(),
///     "`f32[3,5]{1,0:T(2,2)}` needs 24 elements in memory, padding counted, and got 15",
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TooShort {
    /// Length that the layout needs, padding included: in elements, or in bytes for views of bytes.
    pub needed: usize,
    /// Length of the slice.
    pub given: usize,
    needs: Needs,
}

/// The layout that needs memory, and the unit in which the error counts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Needs {
    shape: &'static ArrayShape,
    of: &'static str,
}

impl Needs {
    pub(crate) const fn elements<L: AnyLayout>() -> Needs {
        Needs { shape: L::VALUE, of: "elements in memory" }
    }

    pub(crate) const fn bytes<L: AnyLayout>() -> Needs {
        Needs { shape: L::VALUE, of: "bytes" }
    }
}

impl TooShort {
    pub(crate) const fn new(needed: usize, given: usize, needs: Needs) -> TooShort {
        TooShort { needed, given, needs }
    }

    /// The first `needed` of a slice.
    pub(crate) const fn first<T>(
        data: &[T],
        needed: usize,
        needs: Needs,
    ) -> Result<&[T], TooShort> {
        match data.split_at_checked(needed) {
            Some((first, _)) => Ok(first),
            None => Err(TooShort::new(needed, data.len(), needs)),
        }
    }

    /// The first `needed` of a slice, to write.
    pub(crate) const fn first_mut<T>(
        data: &mut [T],
        needed: usize,
        needs: Needs,
    ) -> Result<&mut [T], TooShort> {
        let given = data.len();
        match data.split_at_mut_checked(needed) {
            Some((first, _)) => Ok(first),
            None => Err(TooShort::new(needed, given, needs)),
        }
    }
}

impl fmt::Display for TooShort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TooShort { needed, given, needs: Needs { shape, of } } = self;
        write!(f, "`{shape}` needs {needed} {of}, padding counted, and got {given}")
    }
}

impl core::error::Error for TooShort {}

/// A borrowed slice, read as an array with the layout `L` and elements of type `T`.
///
/// [`View::new`] makes a view of a slice if the layout's type has all sizes; [`WithDims::view`] makes one for any layout.
/// `as_view()` makes one of a [`Buffer`](crate::Buffer) or a [`ViewMut`](crate::ViewMut): call a function that takes a
/// `View` as `f(buffer.as_view())`. To write, as in `view[[i, j]] = x`, use a `ViewMut` or a buffer.
///
/// # Examples
/// ```
/// use layout::{View, layout};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
/// let view = View::<A>::new(&data)?;
/// assert_eq!(view[[2, 3]], 17.0);
/// assert_eq!(view.get([3, 0]), None);
/// let sum: f32 = view.runs().flat_map(|(_, run)| run).sum();
/// assert_eq!(sum, 124.0);
/// # Ok::<(), layout::TooShort>(())
/// ```
///
/// # Which walk?
///
/// | to visit | call | it gives |
/// |---|---|---|
/// | each element with its index, in row-major order | [`iter`](Self::iter) | index and element: the slowest walk |
/// | each element, fast for any layout | [`runs`](Self::runs) | stretches of memory along one dimension, without padding |
/// | rows, where a second tile such as `(2,1)` interleaves them | [`rows`](Self::rows) | evenly spaced elements along the most minor dimension |
/// | each tile | [`tiles`](Self::tiles) | the place of each tile, its memory as a slice or as an array of constant length |
/// | small tiles | [`tile_rows`](Self::tile_rows) | the memory of a row of tiles |
/// | tiles of any level, or that combine dimensions (`*`) | [`blocks`](Self::blocks) | only their memory, of constant length |
/// | a part of the array | [`slice`](Self::slice) | a [`Slice`](crate::Slice), which has `runs`, `rows` and `tiles` too |
pub struct View<'a, L: AnyLayout, T = DefaultOf<L>> {
    pub(super) layout: WithDims<L>,
    /// The slots of `layout`, padding included.
    slots: &'a [T],
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// A view of the first `PADDED_ELEMENTS` elements of the slice. For layouts with sizes that are known only at run
    /// time, use [`WithDims::view`].
    ///
    /// # Errors
    /// If the slice has fewer elements.
    pub const fn new(data: &'a [T]) -> Result<Self, TooShort>
    where
        L: StaticLayout,
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        let layout = const { WithDims::known() };
        match TooShort::first(data, L::SLOTS, Needs::elements::<L>()) {
            Ok(slots) => Ok(View { slots, layout }),
            Err(error) => Err(error),
        }
    }

    /// Like [`WithDims::view`], without the check that `T` can store the elements: the caller's buffer was checked.
    pub(crate) fn of(layout: WithDims<L>, data: &'a [T]) -> Result<Self, TooShort> {
        let slots = TooShort::first(data, layout.padded_elements(), Needs::elements::<L>())?;
        Ok(View { slots, layout })
    }

    /// This memory with another layout, which must not need more slots.
    pub(crate) fn with_layout<B: AnyLayout>(self, layout: WithDims<B>) -> View<'a, B, T> {
        View { slots: &self.slots[..layout.padded_elements()], layout }
    }

    #[inline(always)]
    pub(crate) const fn sizes(&self) -> L::Sizes {
        self.layout.sizes()
    }

    /// A view of exactly the slots that the layout has.
    pub(super) const fn of_slots(layout: WithDims<L>, slots: &'a [T]) -> Self {
        View { slots, layout }
    }

    /// The memory, padding included.
    #[must_use]
    pub const fn as_slice(&self) -> &'a [T] {
        self.slots
    }
}

copy! { View<'a, L: AnyLayout, T> }

impl<L: AnyLayout> WithDims<L> {
    /// A view of the first [`padded_elements`](Self::padded_elements) elements of the slice.
    ///
    /// # Errors
    /// If the slice has fewer elements.
    pub fn view<'a, T>(&self, data: &'a [T]) -> Result<View<'a, L, T>, TooShort>
    where
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        View::of(*self, data)
    }
}
