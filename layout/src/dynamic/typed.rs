//! From and to arrays whose layout is a type.

use alloc::vec::Vec;
use core::ops::{Deref, DerefMut};

use layout_copy::bitcast::{NotBitcast, OtherArray, same_bytes};
use layout_core::Size;

use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
use crate::dynamic::array::{DynArray, DynView, DynViewMut};
use crate::dynamic::error::DynError;
use crate::dynamic::layout::DynLayout;
use crate::memory::stored::StoredIn;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;

impl<S> DynArray<S> {
    /// The layout `L`, if it puts every element where this one does, in as much memory.
    fn layout_of<L: AnyLayout>(&self) -> Result<WithDims<L>, DynError> {
        let shape = self.layout.shape();
        let Ok(layout) = WithDims::<L>::checked_list(self.layout.dims()) else {
            // A `?` takes any size: the first difference is at another dimension.
            let dims = L::VALUE.dims().iter().zip(shape.dims());
            let dims = dims.map(|(dim, of)| dim.size().or(of.size()).unwrap_or(0));
            let to = L::VALUE.with_dims(&dims.collect::<Vec<_>>()).unwrap_or(*L::VALUE);
            return Err(DynError::moved(shape, &to, NotBitcast::Dims(OtherArray::new(shape, &to))));
        };
        let (to, slots) =
            (layout.shape(), [self.layout.padded_elements(), layout.padded_elements()]);
        match same_bytes(shape, &to) {
            Ok(()) if slots[1] <= slots[0] => Ok(layout),
            Ok(()) => {
                let padded_elements = slots.map(|slots| slots as Size);
                Err(DynError::moved(shape, &to, NotBitcast::Size { padded_elements }))
            }
            Err(why) => Err(DynError::moved(shape, &to, why)),
        }
    }
}

impl<T: 'static, S: Deref<Target = [T]>> DynArray<S> {
    /// The array as a view of a layout that is a type, if that puts every element where this one does.
    ///
    /// # Errors
    /// If it does not: the text names both layouts and the first difference.
    ///
    /// # Examples
    /// ```
    /// use layout::dynamic::DynLayout;
    /// use layout::{View, layout};
    ///
    /// let buffer = DynLayout::new(&"f32[16,128]{1,0:T(8,128)}".parse()?)?.filled(1.0_f32)?;
    /// // Tiles that are as wide as the array lie as rows do.
    /// let view: View<'_, layout!(F32[?,128]), f32> = buffer.as_typed()?;
    /// assert_eq!(view[[15, 3]], 1.0);
    ///
    /// let error = buffer.as_typed::<layout!(F32[16,128]{0,1})>().unwrap_err();
    /// assert_eq!(
    ///     error.to_string(),
    ///     "memory of `f32[16,128]{1,0:T(8,128)}` is not memory of `f32[16,128]{0,1}`: \
    ///      [0,1] is at offset 1 in one layout and at 16 in the other"
    /// );
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn as_typed<L: AnyLayout>(&self) -> Result<View<'_, L, T>, DynError>
    where
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        self.as_view().into_typed()
    }
}

impl<T: 'static, S: DerefMut<Target = [T]>> DynArray<S> {
    /// The array as a view of a layout that is a type, to write: see [`as_typed`](Self::as_typed).
    ///
    /// # Errors
    /// If the layout puts an element elsewhere.
    pub fn as_typed_mut<L: AnyLayout>(&mut self) -> Result<ViewMut<'_, L, T>, DynError>
    where
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        self.as_view_mut().into_typed_mut()
    }
}

impl<'a, T: 'static> DynView<'a, T> {
    /// Like [`as_typed`](Self::as_typed), for as long as the memory is borrowed.
    ///
    /// # Errors
    /// If the layout puts an element elsewhere.
    pub fn into_typed<L: AnyLayout>(self) -> Result<View<'a, L, T>, DynError>
    where
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        let layout = self.layout_of()?;
        View::of(layout, self.slots).map_err(|error| self.layout.wrong_slots(error.given))
    }
}

impl<'a, T: 'static> DynViewMut<'a, T> {
    /// Like [`as_typed_mut`](Self::as_typed_mut), for as long as the memory is borrowed.
    ///
    /// # Errors
    /// If the layout puts an element elsewhere.
    pub fn into_typed_mut<L: AnyLayout>(self) -> Result<ViewMut<'a, L, T>, DynError>
    where
        T: StoredIn<L>,
    {
        let () = T::HAS_SIZE;
        let layout = self.layout_of()?;
        ViewMut::of(layout, self.slots).map_err(|error| self.layout.wrong_slots(error.given))
    }
}

impl<'a, L: AnyLayout, T> View<'a, L, T> {
    /// This view with its layout as a value, for code that knows layouts only at run time. A bounded dimension then has the
    /// size of its bound.
    ///
    /// # Examples
    /// ```
    /// use layout::{Buffer, layout};
    ///
    /// let buffer = Buffer::<layout!(S32[3,5]{1,0:T(2,2)})>::from_fn(|[i, j]| (5 * i + j) as i32);
    /// let view = buffer.as_view().to_dyn();
    /// assert_eq!((view.layout().to_string(), view[[2, 3]]), ("s32[3,5]{1,0:T(2,2)}".to_owned(), 13));
    /// ```
    #[must_use]
    pub fn to_dyn(&self) -> DynView<'a, T> {
        DynArray { layout: as_value(&self.layout()), slots: self.as_slice() }
    }
}

impl<'a, L: AnyLayout, T> ViewMut<'a, L, T> {
    /// This view with its layout as a value: see [`View::to_dyn`].
    #[must_use]
    pub fn into_dyn(self) -> DynViewMut<'a, T> {
        DynArray { layout: as_value(&self.layout()), slots: self.into_mut_slice() }
    }
}

fn as_value<L: AnyLayout>(layout: &WithDims<L>) -> DynLayout {
    match DynLayout::new(&layout.shape()) {
        Ok(layout) => layout,
        Err(error) => unreachable!("{error}"),
    }
}
