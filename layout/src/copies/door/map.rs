//! Copies that make something of each element.

use crate::array::same_array::SameDims;
use crate::compiled::AnyLayout;
use crate::copies::{
    choose::map, door::copier::Copier, door::dest::Dest, door::dest::DestSlots, error::CopyError,
    padding::Padding,
};
use crate::memory::stored::StoredIn;

impl<A: SameDims<B>, B: AnyLayout> Copier<A, B> {
    /// Copies an array as [`run`](Self::run) does, and writes what a function makes of the index and the value of each element: for
    /// conversions to another type, scales, offsets. The element types of the layouts can differ.
    ///
    /// The function becomes part of loops in the caller's code, whatever the size of the array. They are as fast as by hand, and go in
    /// the order of the destination's memory where the layouts share a split. What the function does alike
    /// for all elements of a row, the compiler does once: an index that is not used costs nothing, and the scale of a block is read once if
    /// a block is a row (`F32[?,32]`). Sizes that are always the same, such as 2 channels, are best constants of the layouts.
    ///
    /// Layouts that share no split are copied element by element, at some nanoseconds each. Padding is not passed to the function.
    ///
    /// # Errors
    /// Under the conditions of [`run`](Self::run). Nothing is written then.
    ///
    /// # Panics
    /// If the function does; elements that it was not called for keep what they hold, or have become padding.
    ///
    /// # Examples
    /// Pixels of bytes become planes of numbers, from each of which the mean of its channel is subtracted:
    /// ```
    /// use layout::{Copier, Padding, layout};
    ///
    /// type Pixels = layout!(U8[?,?,3]);
    /// type Planes = layout!(F32[?,?,3]{1,0,2});
    /// const NORMALIZE: Copier<Pixels, Planes> = Copier::new();
    ///
    /// let mean = [10.0, 20.0, 30.0];
    /// let pixels = [11, 22, 33, 14, 25, 36];
    /// let mut planes = [0.0; 6];
    /// NORMALIZE.map([1, 2, 3], &pixels, &mut planes, Padding::Leave, |[_, _, channel], value| {
    ///     f32::from(value) - mean[channel]
    /// })?;
    /// assert_eq!(planes, [1.0, 4.0, 2.0, 5.0, 3.0, 6.0]);
    /// # Ok::<(), layout::CopyError>(())
    /// ```
    #[inline]
    pub fn map<'d, T: StoredIn<A>, U: StoredIn<B>, D: Dest<U> + ?Sized>(
        &self,
        dims: A::Index,
        src: &[T],
        dst: &'d mut D,
        padding: impl Into<Padding<U>>,
        function: impl FnMut(A::Index, T) -> U,
    ) -> Result<D::Out<'d>, CopyError> {
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <U as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        let src = CopyError::source(src, of_a.padded_elements())?;
        let slots = DestSlots::of(&[], &of_b, padding)?;
        dst.write(slots, |slots| map(&of_a, &of_b, src, slots, function))
    }
}
