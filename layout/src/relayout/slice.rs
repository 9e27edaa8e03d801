//! Copying a part of an array.

use layout_core::__private::native;
use layout_core::Index;

use crate::compiled::{self, AnyLayout};
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::slice::{Slice, digits_of};
use crate::memory::stored::StoredIn;
use crate::memory::view_mut::ViewMut;
#[cfg(feature = "alloc")]
use crate::relayout::copy::with_sizes;
use crate::relayout::padding::{Padding, fill_padding};
use crate::walk::base::base;
use layout_copy::__private::{self as copying, Memory};
use layout_copy::Settings;

impl<L: AnyLayout, T> Slice<'_, L, T> {
    /// Copies the slice to a view with the layout `B`, which has as many elements along each dimension.
    ///
    /// A slice whose cuts are on tile borders ([`base_offset`](Self::base_offset) returns a slot) is copied as fast as a
    /// view; any other slice as fast as layouts without a common split. The plan is made at each call.
    ///
    /// # Panics
    /// If the view has other sizes. If `T` is a type of your own without
    /// [`of_bits`](crate::StoredAs::of_bits), and the padding is asked to be `Zero` or `Declared` with a
    /// `FILL`.
    #[track_caller]
    pub fn relayout_to<B>(&self, to: &mut ViewMut<'_, B, T>, padding: Padding<T>)
    where
        B: AnyLayout<Index = L::Index, Element = L::Element>,
        T: StoredIn<B>,
    {
        let dims = self.dims();
        assert_eq!(dims.as_ref(), to.dims().as_ref(), "a slice keeps its sizes when it is copied");
        let region = self.as_region().walked();
        let dst = compiled::digits::<B>(&to.sizes());
        fill_padding(&dst, to, padding);
        let Some(memory) = self.memory() else {
            for (index, element) in self.iter() {
                to[index] = *element;
            }
            return;
        };
        let to = to.as_mut_slice();
        let settings = &Settings::default();
        digits_of::<L, _>(&self.layout(), |digits| match base(digits, &region) {
            Some(base) => {
                let src = digits.with_dims(&Index::of_native(dims.as_ref()));
                let memory = Memory::of(T::PLAIN_HERE, &memory[native(base)..], to);
                copying::copy([&src, &dst], memory, size_of::<T>(), settings);
            }
            None => {
                let memory = Memory::of(T::PLAIN_HERE, memory, to);
                let digits = [digits, &dst];
                copying::copy_part(digits, &region.start, memory, size_of::<T>(), settings);
            }
        });
    }

    /// The slice in a new buffer with the layout `B`, its padding the default value (0 for numbers).
    ///
    /// # Panics
    /// If a size is another than a static dimension's of `B` or above a bound, or if a count does not fit
    /// in `isize::MAX`: [`Array::with_dims`](crate::Array::with_dims) says whether sizes go with a layout.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let slice = View::<A, f32>::new(&data)?.slice((1.., 1..4))?;
    /// let columns = slice.to_layout::<layout!(F32[2,3]{0,1})>();
    /// assert_eq!(columns.as_slice(), [3.0, 13.0, 6.0, 16.0, 7.0, 17.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "alloc")]
    #[track_caller]
    #[must_use]
    pub fn to_layout<B>(&self) -> Buffer<B, T>
    where
        B: AnyLayout<Index = L::Index, Element = L::Element>,
        T: StoredIn<B> + Default,
    {
        let () = T::HAS_SIZE;
        let layout = with_sizes::<B>(self.dims().as_ref());
        let mut buffer = Buffer::of_default(layout);
        self.relayout_to::<B>(&mut buffer.as_view_mut(), Padding::Leave);
        buffer
    }
}
