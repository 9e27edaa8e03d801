//! Reshapes, bitcasts and transposes of memory, which copy nothing.

use crate::array::{same_array::SameArray, with_dims::WithDims};
use crate::compiled::AnyLayout;
use crate::memory::{Memory, storage::FirstSlots};
use crate::reinterpret::{reshape, same, transpose};
use crate::spec::permutation::PermutationSpec;

/// Other layouts for the memory of a view or a buffer, without a copy.
impl<L: AnyLayout, S: FirstSlots> Memory<WithDims<L>, S> {
    fn with_layout<B: AnyLayout>(self, layout: WithDims<B>) -> Memory<WithDims<B>, S> {
        let slots = self.slots;
        Memory::of_parts(layout, slots.first_slots(layout.padded_elements()))
    }

    /// Reshapes the array without a copy: the result is this memory as an array of other dimensions. The
    /// elements keep their numbers in row-major order. It compiles only if each element has the same offset
    /// in both layouts, and `B` takes no more memory.
    ///
    /// The compile error names the first element that would move, both offsets, and the copies that
    /// [`copy`](crate::copy()) would make. Slots may be padding in only one of the layouts. This is
    /// XLA's `Reshape`, where it is a bitcast.
    ///
    /// It does not compile either if the proof needs a comparison of all elements, and the array has too
    /// many for the compiler.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[16,128]{1,0:T(8,128)});
    /// let data: Vec<f32> = (0..2048).map(|slot| slot as f32).collect();
    /// let view = View::<A>::new(&data)?;
    /// let flat = view.reshape::<layout!(F32[2048]{0:T(1024)})>();
    /// assert_eq!((view[[9, 5]], flat[[9 * 128 + 5]]), (1157.0, 1157.0));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[must_use]
    pub fn reshape<B: AnyLayout<Element = L::Element>>(self) -> Memory<WithDims<B>, S> {
        const { reshape::check::<L, B>() };
        self.with_layout(WithDims::known())
    }

    /// Changes the layout without a copy: each element has the same offset in both layouts, and `B` takes
    /// no more memory.
    ///
    /// It does not compile if an element would move: the error names the first one in row-major
    /// order and both offsets. Slots may be padding in only one of the layouts.
    ///
    /// It does not compile either if the proof needs a comparison of all elements, and the array has too
    /// many for the compiler.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout};
    ///
    /// type A = layout!(F32[16,128]);
    /// let data = [1.0; A::PADDED_ELEMENTS];
    /// let view = View::<A>::new(&data)?.bitcast::<layout!(F32[16,128]{1,0:T(8,128)})>();
    /// assert_eq!(view.tiles().count(), 2);
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[must_use]
    pub fn bitcast<B: AnyLayout>(self) -> Memory<WithDims<B>, S>
    where
        L: SameArray<B>,
    {
        const { same::check::<L, B>() };
        let sizes = L::same_sizes(self.layout().sizes);
        self.with_layout(WithDims::of(sizes))
    }

    /// Transposes the array to the layout `B` without a copy: dimension `i` of the result is dimension `P[i]`
    /// of this array; [`permutation!`](crate::permutation!) writes `P`. It compiles only if each element has
    /// the same offset in both layouts, and `B` takes no more memory.
    ///
    /// The compile error names the first element that would move, both offsets, and the layout to which
    /// [`copy`](crate::copy()) would have to copy. Slots may be padding in only one of the layouts.
    /// This is XLA's `Transpose`, where it is a bitcast.
    ///
    /// It does not compile either if the proof needs a comparison of all elements, and the array has too
    /// many for the compiler.
    ///
    /// # Examples
    /// ```
    /// use layout::{View, layout, permutation};
    ///
    /// type A = layout!(F32[3,5]{1,0:T(2,2)});
    /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
    /// let view = View::<A>::new(&data)?;
    /// let turned = view.transpose::<layout!(F32[5,3]{0,1:T(2,2)}), permutation!(1, 0)>();
    /// assert_eq!((view[[2, 3]], turned[[3, 2]]), (17.0, 17.0));
    /// # Ok::<(), layout::MemoryError>(())
    /// ```
    #[must_use]
    pub fn transpose<B: AnyLayout<Element = L::Element>, P: PermutationSpec>(
        self,
    ) -> Memory<WithDims<B>, S> {
        const { transpose::check::<L, B>(P::NUMBERS) };
        let sizes = transpose::sizes::<L, B, P>(&self.layout().sizes);
        self.with_layout(WithDims::of(sizes))
    }
}
