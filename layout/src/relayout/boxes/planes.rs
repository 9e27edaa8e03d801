//! Copies between one array and planes that lie in memory of their own.

use core::marker::PhantomData;

use layout_copy::__private::{self as copying, Dependencies};
use layout_core::__private::native;
use layout_core::Size;
use layout_core::analysis::DigitSource;
use layout_core::limits::MAX_DIMS;

use crate::array::same_array::{SameArray, SameDims};
use crate::array::with_dims::WithDims;
use crate::compiled::{self, AnyLayout, stop};
use crate::memory::stored::StoredIn;
use crate::relayout::boxes::{Boxes, copy_box};
use crate::relayout::copier::{Copier, CopyError};
use crate::relayout::error::RelayoutError;
use crate::relayout::padding::{Padding, fill_before, padding_value};

/// A layout whose memory is one plane after the other.
trait OfPlanes: AnyLayout {
    /// The dimension that counts planes, and the number of its term; a stand-in where planes are not contiguous.
    const PLANES: (usize, Option<usize>) = match planes::<Self>() {
        Some(planes) => planes,
        None => (0, None),
    };

    /// Stops the build where planes are not contiguous.
    const HAS_PLANES: () = {
        let () = Self::VALID;
        if planes::<Self>().is_none() {
            stop(
                "the layout's most major dimension is tiled or swizzled, or there is none: planes in memory of their own are the coordinates along a most major dimension that no tile splits",
            )
        }
    };

    /// Slots of a plane.
    #[inline(always)]
    fn plane_slots(layout: &WithDims<Self>) -> usize
    where
        Self: Sized,
    {
        let sizes = layout.sizes();
        match const {
            match Self::PLANES.1 {
                Some(term) => Some(Self::DIGITS.terms()[term].stride),
                None => None,
            }
        } {
            Some(stride) => native(stride.value(&Self::counts(&sizes))),
            None => compiled::tiled_slots::<Self>(&sizes),
        }
    }
}

impl<L: AnyLayout> OfPlanes for L {}

/// The dimension that counts planes, and the number of its term, if planes are contiguous.
const fn planes<L: AnyLayout + ?Sized>() -> Option<(usize, Option<usize>)> {
    let [.., dim] = L::VALUE.minor_to_major() else { return None };
    if !L::DIGITS.swizzle().is_none() {
        return None;
    }
    let dependencies = Dependencies::new(L::DIGITS.sums());
    let mut term = None;
    each!(for i in 0..L::DIGITS.terms().len() {
        let digit = &L::DIGITS.terms()[i].digit;
        if dependencies.of(digit) >> *dim & 1 != 0 {
            // One of a sum is not that of its dimension.
            if !digit.is_whole() || !matches!(digit.source(), DigitSource::Dim(_)) {
                return None;
            }
            term = Some(i);
        }
    });
    Some((*dim, term))
}

/// Whether, if neither layout has padding, the elements of `A`'s planes lie in turns in `B`, and in the same order.
const fn are_woven<A: AnyLayout, B: AnyLayout>() -> bool {
    let ([planar @ .., plane], [turn, woven @ ..]) =
        (A::VALUE.minor_to_major(), B::VALUE.minor_to_major())
    else {
        return false;
    };
    let mut are = *turn == *plane && A::DIGITS.strides().is_some() && B::DIGITS.strides().is_some();
    each!(for at in 0..planar.len() {
        are &= woven[at] == planar[at];
    });
    are
}

/// The elements of each of `A`'s planes, if there are so many, they lie in turns in `B`, and neither layout has padding.
#[inline(always)]
fn woven<A: AnyLayout, B: AnyLayout>(
    planar: &WithDims<A>,
    woven: &WithDims<B>,
    planes: usize,
) -> Option<usize> {
    let (dim, slots) = (const { A::PLANES.0 }, A::plane_slots(planar));
    let are = const { are_woven::<A, B>() }
        && planes == planar.dims().as_ref()[dim]
        && woven.padded_elements() == planar.elements()
        && slots * planes == planar.elements();
    are.then_some(slots)
}

/// The planes of one of the layouts.
struct Planes<L>(PhantomData<L>);

impl<A: AnyLayout, B: AnyLayout, L: AnyLayout> Boxes<A, B> for Planes<L> {
    const SIZE: [Size; MAX_DIMS] = {
        let mut size = [0; MAX_DIMS];
        size[L::PLANES.0] = 1;
        size
    };
}

impl<A: SameDims<B>, B: AnyLayout> Copier<A, B> {
    /// Copies an array whose planes lie in memory of their own, as channels of audio and images do: the layout `A` says how the
    /// array would lie if one plane followed the other. A plane is what has one coordinate along `A`'s most major dimension; there is
    /// a slice for each, of which the slots of a plane are read.
    ///
    /// Two to eight planes whose elements the destination has in turns, as the pixels of an image have channels, are put together at
    /// once. Otherwise each plane is copied by itself, as one stretch where it lies alike in both layouts.
    ///
    /// It does not compile if a tile splits that dimension. Planes with a pitch, or of other elements than the destination's, are gathered
    /// by [`Strided::map_to`](crate::Strided::map_to), as its second example does.
    ///
    /// # Errors
    /// Under the conditions of [`run`](Self::run), and if there are more or fewer slices than planes. Nothing is written then.
    ///
    /// # Panics
    /// Under the conditions of [`run`](Self::run).
    ///
    /// # Examples
    /// Interleaves the channels of audio:
    /// ```
    /// use layout::{Copier, Padding, layout};
    ///
    /// type Channels = layout!(S16[?,?]);
    /// type Interleaved = layout!(S16[?,?]{0,1});
    /// const INTERLEAVE: Copier<Channels, Interleaved> = Copier::new();
    /// const SPLIT: Copier<Interleaved, Channels> = Copier::new();
    ///
    /// let (left, right) = ([1, 2, 3], [-1, -2, -3]);
    /// let mut frames = [0; 6];
    /// INTERLEAVE.gather([2, 3], &[&left, &right], &mut frames, Padding::Leave)?;
    /// assert_eq!(frames, [1, -1, 2, -2, 3, -3]);
    ///
    /// let (mut to_left, mut to_right) = ([0; 3], [0; 3]);
    /// SPLIT.scatter([2, 3], &frames, &mut [&mut to_left, &mut to_right], Padding::Leave)?;
    /// assert_eq!((to_left, to_right), (left, right));
    /// # Ok::<(), layout::copies::CopyError>(())
    /// ```
    #[inline]
    #[track_caller]
    pub fn gather<T>(
        &self,
        dims: A::Index,
        planes: &[&[T]],
        dst: &mut [T],
        padding: Padding<T>,
    ) -> Result<(), CopyError>
    where
        A: SameArray<B>,
        T: StoredIn<A> + StoredIn<B>,
    {
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        let () = A::HAS_PLANES;
        let (of_a, of_b) = Self::layouts(&dims)?;
        if let Some(elements) = woven::<A, B>(&of_a, &of_b, planes.len())
            && copying::weave(planes, elements, dst)
        {
            return Ok(());
        }
        Self::gather_each(of_a, of_b, planes, dst, padding)
    }

    /// Copies plane by plane.
    #[track_caller]
    #[inline(never)]
    fn gather_each<T>(
        of_a: WithDims<A>,
        of_b: WithDims<B>,
        planes: &[&[T]],
        dst: &mut [T],
        padding: Padding<T>,
    ) -> Result<(), CopyError>
    where
        A: SameArray<B>,
        T: StoredIn<A> + StoredIn<B>,
    {
        let (dim, slots) = (const { A::PLANES.0 }, slots_of_each(&of_a, planes.len())?);
        for plane in planes {
            RelayoutError::source(plane, slots)?;
        }
        let dst = RelayoutError::destination(dst, of_b.padded_elements())?;
        if let Some(value) = padding_value::<B, T>(padding, dst.len() > of_a.elements()) {
            fill_before(&of_b, dst, value);
        }
        let (mut origin, mut extent) = (A::ORIGIN, of_a.dims());
        extent.as_mut()[dim] = 1;
        for (number, plane) in planes.iter().enumerate() {
            origin.as_mut()[dim] = number;
            let (at, first) = ([&origin, &extent], [number * slots, 0]);
            copy_box::<A, B, Planes<A>, T>((&of_a, &of_b), at, first, plane, dst, None);
        }
        Ok(())
    }

    /// Copies an array to planes that lie in memory of their own: the layout `B` says how the array would lie if one plane
    /// followed the other. It is the way back of [`gather`](Self::gather), whose words hold for `B` here. `padding` says what is
    /// written to the padding of each plane.
    ///
    /// # Errors
    /// Under the conditions of [`gather`](Self::gather). Nothing is written then.
    ///
    /// # Panics
    /// Under the conditions of [`run`](Self::run).
    #[inline]
    #[track_caller]
    pub fn scatter<T>(
        &self,
        dims: A::Index,
        src: &[T],
        planes: &mut [&mut [T]],
        padding: Padding<T>,
    ) -> Result<(), CopyError>
    where
        A: SameArray<B>,
        T: StoredIn<A> + StoredIn<B>,
    {
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        let () = B::HAS_PLANES;
        let (of_a, of_b) = Self::layouts(&dims)?;
        if let Some(elements) = woven::<B, A>(&of_b, &of_a, planes.len())
            && copying::unweave(src, elements, planes)
        {
            return Ok(());
        }
        Self::scatter_each(of_a, of_b, src, planes, padding)
    }

    /// Copies plane by plane.
    #[track_caller]
    #[inline(never)]
    fn scatter_each<T>(
        of_a: WithDims<A>,
        of_b: WithDims<B>,
        src: &[T],
        planes: &mut [&mut [T]],
        padding: Padding<T>,
    ) -> Result<(), CopyError>
    where
        A: SameArray<B>,
        T: StoredIn<A> + StoredIn<B>,
    {
        let (dim, slots) = (const { B::PLANES.0 }, slots_of_each(&of_b, planes.len())?);
        let src = RelayoutError::source(src, of_a.padded_elements())?;
        for plane in planes.iter_mut() {
            RelayoutError::destination(plane, slots)?;
        }
        let padding = padding_value::<B, T>(padding, slots * planes.len() > of_a.elements());
        let (mut origin, mut extent) = (A::ORIGIN, of_a.dims());
        extent.as_mut()[dim] = 1;
        for (number, plane) in planes.iter_mut().enumerate() {
            origin.as_mut()[dim] = number;
            let (at, first) = ([&origin, &extent], [0, number * slots]);
            let plane = &mut plane[..slots];
            copy_box::<A, B, Planes<B>, T>((&of_a, &of_b), at, first, src, plane, padding);
        }
        Ok(())
    }
}

/// The slots of each plane, if so many are as many as the layout has.
fn slots_of_each<L: AnyLayout>(layout: &WithDims<L>, given: usize) -> Result<usize, CopyError> {
    let needed = layout.dims().as_ref()[const { L::PLANES.0 }];
    if given == needed {
        Ok(L::plane_slots(layout))
    } else {
        Err(CopyError::Planes { needed, given })
    }
}
