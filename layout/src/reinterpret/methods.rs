//! The methods that make a view or a buffer one of another layout.

use crate::array::permute::Permute;
use crate::array::same_array::SameArray;
use crate::array::with_dims::WithDims;
use crate::compiled::AnyLayout;
#[cfg(feature = "alloc")]
use crate::memory::buffer::Buffer;
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::reinterpret::{reshape, same, transpose};
use crate::types::list::NumberList;

macro_rules! reinterpreted {
    ($($of:ident $([$lifetime:lifetime])?;)*) => {$(
        /// The same memory with another layout.
        impl<$($lifetime,)? L: AnyLayout, T> $of<$($lifetime,)? L, T> {
        /// The same memory as an array of other dimensions, its elements numbered in row-major order as
        /// before. No element is moved: it compiles only if in both layouts each has the same offset, and `B`
        /// takes no more memory.
        ///
        /// The error of the compiler names the first element that would move, both offsets, and the copies
        /// that [`relayout`](crate::relayout()) would make. What is padding may differ. XLA's `Reshape`, where
        /// it is a bitcast.
        ///
        /// Nor does it compile where only comparing the elements one by one can tell, and there are too many of
        /// them for the compiler.
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
        /// # Ok::<(), layout::TooShort>(())
        /// ```
            #[must_use]
            pub fn reshape<B>(self) -> $of<$($lifetime,)? B, T>
            where
                B: AnyLayout<Element = L::Element>,
            {
                const { reshape::check::<L, B>() };
                self.with_layout(WithDims::known())
            }

        /// The same memory with another layout that puts every element in the same place, and that takes
        /// no more of it.
        ///
        /// It does not compile where an element would move: the error names the first one in row-major
        /// order and both offsets. What is padding may differ.
        ///
        /// Nor does it compile where only comparing the elements one by one can tell, and there are too many of
        /// them for the compiler.
        ///
        /// # Examples
        /// ```
        /// use layout::{View, layout};
        ///
        /// type A = layout!(F32[16,128]);
        /// let data = [1.0; A::PADDED_ELEMENTS];
        /// let view = View::<A>::new(&data)?.bitcast::<layout!(F32[16,128]{1,0:T(8,128)})>();
        /// assert_eq!(view.tiles().count(), 2);
        /// # Ok::<(), layout::TooShort>(())
        /// ```
            #[must_use]
            pub fn bitcast<B>(self) -> $of<$($lifetime,)? B, T>
            where
                L: SameArray<B>,
                B: AnyLayout,
            {
                const { same::check::<L, B>() };
                let sizes = L::same_sizes(self.layout().sizes());
                self.with_layout(WithDims::of(sizes))
            }

        /// The same memory as the transposed array: dimension `i` of the result is dimension `P[i]` of this one,
        /// [`permutation!`](crate::permutation!) writes `P`. No element is moved: it compiles only if in both
        /// layouts each has the same offset, and `B` takes no more memory.
        ///
        /// The error of the compiler names the first element that would move, both offsets, and the layout to
        /// which [`relayout`](crate::relayout()) would have to copy. What is padding may differ. XLA's
        /// `Transpose`, where it is a bitcast.
        ///
        /// Nor does it compile where only comparing the elements one by one can tell, and there are too many of
        /// them for the compiler.
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
        /// # Ok::<(), layout::TooShort>(())
        /// ```
            #[must_use]
            pub fn transpose<B, P>(self) -> $of<$($lifetime,)? B, T>
            where
                B: AnyLayout<Element = L::Element>,
                P: NumberList,
            {
                const { transpose::check::<L, B>(P::NUMBERS) };
                let sizes = transpose::sizes::<L, B, P>(&self.layout().sizes());
                self.with_layout(WithDims::of(sizes))
            }

        /// The same memory as the transposed array: dimension `i` of the result is dimension `P[i]` of this one,
        /// [`permutation!`](crate::permutation!) writes `P`. The layout of the result is [`Permuted`](crate::types::Permuted).
        ///
        /// Does not compile for dimensions that are known at run time only.
        ///
        /// # Examples
        /// ```
        /// use layout::{View, layout, permutation};
        ///
        /// type A = layout!(F32[3,5]{1,0:T(2,2)});
        /// let data: Vec<f32> = (0..24).map(|slot| slot as f32).collect();
        /// let turned = View::<A>::new(&data)?.permute::<permutation!(1, 0)>();
        /// assert_eq!((turned.dims(), turned[[3, 2]]), ([5, 3], 17.0));
        /// # Ok::<(), layout::TooShort>(())
        /// ```
            #[must_use]
            pub fn permute<P>(self) -> $of<$($lifetime,)? L::Permuted, T>
            where
                P: NumberList,
                L: Permute<P>,
            {
                self.transpose::<L::Permuted, P>()
            }
        }
    )*};
}

reinterpreted! {
    View['a];
    ViewMut['a];
}

#[cfg(feature = "alloc")]
reinterpreted! { Buffer; }
