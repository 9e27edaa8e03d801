//! Memory with a layout: borrowed views to read and write.

use crate::array::with_dims::WithDims;
use crate::compiled::{AnyLayout, StaticLayout};
use crate::memory::stored::{DefaultOf, StoredIn};
use crate::memory::view::{Needs, TooShort, View};

/// A borrowed slice, read and written as an array with the layout `L` and elements of type `T`.
///
/// [`ViewMut::new`] makes a view of a slice if the layout's type has all sizes; [`WithDims::view_mut`] makes one for any
/// layout. It has the methods of a [`View`] too; [`as_view`](Self::as_view) makes one of it.
///
/// # Examples
/// ```
/// use layout::{ViewMut, layout};
///
/// type A = layout!(F32[3,5]{1,0:T(2,2)});
/// let mut data = [0.0; A::PADDED_ELEMENTS];
/// let mut view = ViewMut::<A, f32>::new(&mut data)?;
/// view[[2, 3]] = 1.0;
/// for (_, run) in view.runs_mut() {
///     run.iter_mut().for_each(|x| *x += 1.0);
/// }
/// assert_eq!((data[17], data[9]), (2.0, 0.0));
/// # Ok::<(), layout::TooShort>(())
/// ```
pub struct ViewMut<'a, L: AnyLayout, T = DefaultOf<L>> {
    pub(super) layout: WithDims<L>,
    /// The slots of `layout`, padding included.
    slots: &'a mut [T],
}

impl<'a, L: AnyLayout, T> ViewMut<'a, L, T> {
    /// A view of the first `PADDED_ELEMENTS` elements of the slice. For layouts with sizes that are known only at run
    /// time, use [`WithDims::view_mut`].
    ///
    /// # Errors
    /// If the slice has fewer elements.
    pub const fn new(data: &'a mut [T]) -> Result<Self, TooShort>
    where
        L: StaticLayout,
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        let layout = const { WithDims::known() };
        match TooShort::first_mut(data, L::SLOTS, Needs::elements::<L>()) {
            Ok(slots) => Ok(ViewMut { slots, layout }),
            Err(error) => Err(error),
        }
    }

    /// Like [`WithDims::view_mut`], without the check that `T` can store the elements: the caller's buffer was checked.
    pub(crate) fn of(layout: WithDims<L>, data: &'a mut [T]) -> Result<Self, TooShort> {
        let slots = TooShort::first_mut(data, layout.padded_elements(), Needs::elements::<L>())?;
        Ok(ViewMut { slots, layout })
    }

    #[inline(always)]
    pub(crate) const fn sizes(&self) -> L::Sizes {
        self.layout.sizes()
    }

    /// A view of exactly the slots that the layout has.
    pub(crate) const fn of_slots(layout: WithDims<L>, slots: &'a mut [T]) -> Self {
        ViewMut { slots, layout }
    }

    /// This memory with another layout, which must not need more slots.
    pub(crate) fn with_layout<B: AnyLayout>(self, layout: WithDims<B>) -> ViewMut<'a, B, T> {
        ViewMut { slots: &mut self.slots[..layout.padded_elements()], layout }
    }

    /// The memory, padding included, for as long as it is borrowed. [`as_mut_slice`](Self::as_mut_slice) borrows the view instead.
    ///
    /// # Examples
    /// A function that packs returns the memory that it was given:
    /// ```
    /// use core::mem::MaybeUninit;
    /// use layout::{Strided, layout};
    ///
    /// type Panels = layout!(F32[?,2]{0,1:T(2,1)});
    /// fn pack<'a>(from: &Strided<'_, f32, 2>, memory: &'a mut [MaybeUninit<f32>]) -> &'a mut [f32] {
    ///     from.relayout_uninit::<Panels>(memory, 0.0).expect("a caller gives enough memory").into_mut_slice()
    /// }
    ///
    /// // Two columns of rows of three.
    /// let columns = Strided::new(&[0.0, 1.0, 9.0, 2.0, 3.0], [2, 2], [3, 1])?;
    /// let mut memory = [MaybeUninit::uninit(); 4];
    /// assert_eq!(pack(&columns, &mut memory), [0.0, 1.0, 2.0, 3.0]);
    /// # Ok::<(), layout::StridesError>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn into_mut_slice(self) -> &'a mut [T] {
        self.slots
    }
}

impl<L: AnyLayout, T> ViewMut<'_, L, T> {
    /// A view that only reads, for as long as it borrows this one.
    #[inline(always)]
    #[must_use]
    pub const fn as_view(&self) -> View<'_, L, T> {
        View::of_slots(self.layout, self.slots)
    }

    /// Borrows the view for a shorter time: pass the result by value, and use the view again afterwards.
    ///
    /// # Examples
    /// ```
    /// use layout::{ViewMut, layout};
    ///
    /// type A = layout!(S32[3,5]{1,0:T(2,2)});
    /// fn double(mut view: ViewMut<'_, A, i32>) {
    ///     view.runs_mut().flat_map(|(_, run)| run).for_each(|x| *x *= 2);
    /// }
    ///
    /// let mut data = [1; A::PADDED_ELEMENTS];
    /// let mut view = ViewMut::<A, i32>::new(&mut data)?;
    /// double(view.reborrow());
    /// double(view.reborrow());
    /// assert_eq!(view[[2, 4]], 4);
    /// # Ok::<(), layout::TooShort>(())
    /// ```
    #[inline(always)]
    #[must_use]
    pub const fn reborrow(&mut self) -> ViewMut<'_, L, T> {
        ViewMut { slots: self.slots, layout: self.layout }
    }

    /// The memory, padding included.
    #[must_use]
    pub const fn as_slice(&self) -> &[T] {
        self.slots
    }

    /// The memory, padding included, to write.
    #[must_use]
    pub const fn as_mut_slice(&mut self) -> &mut [T] {
        self.slots
    }
}

impl<L: AnyLayout> WithDims<L> {
    /// A view of the first [`padded_elements`](Self::padded_elements) of the slice, to write.
    ///
    /// # Errors
    /// If the slice has fewer.
    pub fn view_mut<'a, T>(&self, data: &'a mut [T]) -> Result<ViewMut<'a, L, T>, TooShort>
    where
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        ViewMut::of(*self, data)
    }
}
