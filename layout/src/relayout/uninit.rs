//! Copies of views to memory that may hold nothing yet, all of which they write.

use core::mem::MaybeUninit;

use crate::array::same_array::SameArray;
use crate::compiled::AnyLayout;
use crate::memory::stored::StoredIn;
use crate::memory::view::{Needs, TooShort, View};
use crate::memory::view_mut::ViewMut;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::layouts::copy_sized;
use crate::relayout::copy::counterpart;

impl<L: AnyLayout, T> View<'_, L, T> {
    /// Copies the array to memory that may hold nothing yet: a view of it with the layout `B`, whose padding becomes `padding`. Its
    /// [`as_slice`](ViewMut::as_slice) is the memory that was written. More memory than the layout takes is left as it is.
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
        let to = counterpart::<L, B>(&self.layout());
        let memory = TooShort::first_mut(memory, to.padded_elements(), Needs::elements::<B>())?;
        let slots = CopiedSlots::of_uninit(T::PLAIN_HERE, self.as_slice(), memory, padding);
        Ok(ViewMut::of_slots(to, copy_sized::<L, B, T>(self.layout(), to, slots)))
    }
}
