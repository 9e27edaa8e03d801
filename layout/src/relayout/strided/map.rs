//! Copies from strides that make something of each element.

use layout_copy::__private::InlineMemory;

use crate::compiled::AnyLayout;
use crate::memory::stored::StoredIn;
use crate::memory::strided::{Strided, StridedMut};
use crate::memory::view_mut::ViewMut;
use crate::relayout::boxes::TOO_SHORT;
use crate::relayout::choice::ByLoops;
use crate::relayout::padding::{Padding, fill_before, padding_value};
use crate::relayout::strided::loops::{Between, OfRank};
use crate::relayout::strided::same_sizes;
use crate::walk::odometer::Counted;

impl<T: Copy + 'static, const R: usize> Strided<'_, T, R> {
    /// Copies the array to a view as [`relayout_to`](Self::relayout_to) does, and writes what a function makes of the index and the
    /// value of each element: see [`Copier::map`](crate::Copier::map). The elements may be of any type.
    ///
    /// # Panics
    /// If the view has other sizes. If the function does; elements that it was not called for keep what they hold, or have become padding. If `U` is a
    /// type of your own without [`of_bits`](crate::StoredAs::of_bits), and the padding is asked to be `Zero` or `Declared` with a
    /// `FILL`.
    ///
    /// # Examples
    /// Blocks of a scale and four codes become numbers. The scale is read once for a block:
    /// ```
    /// use layout::{Padding, Strided, layout};
    ///
    /// type Numbers = layout!(F32[?,4]);
    /// let blocks = [[10_i8, 1, 2, 3, 4], [2, -1, 0, 1, 2]];
    /// let codes = Strided::new(&blocks.as_flattened()[1..], [2, 4], [5, 1])?;
    /// let numbers = Numbers::with_dims([2, 4])?;
    /// let mut memory = [0.0; 8];
    /// let to = &mut numbers.view_mut(&mut memory)?;
    /// codes.map_to(to, Padding::Leave, |[block, _], code| f32::from(blocks[block][0]) * f32::from(code));
    /// assert_eq!(memory, [10.0, 20.0, 30.0, 40.0, -2.0, 0.0, 2.0, 4.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    /// A source without memory, one `()` that strides of 0 repeat, leaves all to the function. Here it gathers planes that lie in memory of
    /// their own, and converts them:
    /// ```
    /// use layout::{Padding, Strided, layout};
    ///
    /// type Frames = layout!(F32[2,?]{0,1});
    /// let planes = [&[1_i16, 2, 3][..], &[-1, -2, -3]];
    /// let frames = Frames::with_dims([2, 3])?;
    /// let mut memory = [0.0; 6];
    /// let to = &mut frames.view_mut(&mut memory)?;
    /// Strided::new(&[()], [2, 3], [0, 0])?.map_to(to, Padding::Leave, |[plane, at], ()| {
    ///     f32::from(planes[plane][at])
    /// });
    /// assert_eq!(memory, [1.0, -1.0, 2.0, -2.0, 3.0, -3.0]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn map_to<B, U>(
        &self,
        to: &mut ViewMut<'_, B, U>,
        padding: Padding<U>,
        mut function: impl FnMut([usize; R], T) -> U,
    ) where
        B: AnyLayout<Index = [usize; R]>,
        U: StoredIn<B>,
    {
        let dims = self.dims();
        same_sizes(dims, to.dims());
        let (layout, dst) = (to.layout(), to.as_mut_slice());
        let elements = layout.elements();
        if let Some(value) = padding_value::<B, U>(padding, dst.len() > elements) {
            fill_before(&layout, dst, value);
        }
        if elements == 0 {
            return;
        }
        let sides = Between::<B, false>::of(&self.place, layout);
        if const { !<Between<B, false> as ByLoops<T>>::HAS_NEST } {
            for index in Counted::<B>::new(dims, B::VALUE.minor_to_major()) {
                dst[layout.offset_unchecked(index)] = function(index, self[index]);
            }
            return;
        }
        let (sizes, strides) = ByLoops::<T>::sized(&sides);
        let function = |index: &[usize; _], element| {
            let mut at = [0; R];
            at.copy_from_slice(&index[..R]);
            function(at, element)
        };
        let memory = InlineMemory::of(self.data, dst).beginning_at(ByLoops::<T>::first(&sides));
        let is_done = memory.map::<Between<B, false>>(&sizes, &strides, function);
        assert!(is_done, "{TOO_SHORT}");
    }

    /// Copies the array to other strides, and writes what a function makes of the index and the value of each element, of any type: as
    /// [`map_to`](Self::map_to) does. What lies between the elements there stays as it is. The function is called in the order of the
    /// destination's memory.
    ///
    /// # Panics
    /// If the destination has other sizes. If the function does; elements that it was not called for keep what they hold.
    ///
    /// # Examples
    /// ```
    /// use layout::{Strided, StridedMut};
    ///
    /// // Samples of 8 bits become 16 bits, in a plane with rows of 4.
    /// let samples = Strided::new(&[1_u8, 2, 3, 4, 5, 6], [2, 3], [3, 1])?;
    /// let mut plane = [0_u16; 8];
    /// samples.map_to_strided(&mut StridedMut::new(&mut plane, [2, 3], [4, 1])?, |_, sample| u16::from(sample) << 8);
    /// assert_eq!(plane, [0x100, 0x200, 0x300, 0, 0x400, 0x500, 0x600, 0]);
    /// # Ok::<(), layout::StridesError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn map_to_strided<U: Copy>(
        &self,
        to: &mut StridedMut<'_, U, R>,
        mut function: impl FnMut([usize; R], T) -> U,
    ) {
        let dims = self.dims();
        same_sizes(dims, to.dims());
        let elements: usize = dims.iter().product();
        let sides = OfRank([self.place, to.place]);
        let order = sides.levels().map(|level| level.dim);
        if const { !<OfRank<R> as ByLoops<T>>::HAS_NEST } {
            for number in 0..elements {
                let (mut rest, mut index) = (number, [0; R]);
                for dim in order.into_iter().rev() {
                    (index[dim], rest) = (rest % dims[dim], rest / dims[dim]);
                }
                to[index] = function(index, self[index]);
            }
            return;
        }
        if elements == 0 {
            return;
        }
        let (sizes, strides) = ByLoops::<T>::sized(&sides);
        let function = |of_levels: &[usize; _], element| {
            let mut index = [0; R];
            for (dim, at) in order.into_iter().zip(of_levels) {
                index[dim] = *at;
            }
            function(index, element)
        };
        let memory = InlineMemory::of(self.data, to.data).beginning_at(ByLoops::<T>::first(&sides));
        let is_done = memory.map::<OfRank<R>>(&sizes, &strides, function);
        assert!(is_done, "{TOO_SHORT}");
    }
}
