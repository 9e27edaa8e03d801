//! Copies between one array and planes that lie in memory of their own.
#![allow(unsafe_code, reason = "memory that was written is initialised")]

use layout_copy::__private::{self as copying, Dependencies};
use layout_core::__private::native;
use layout_core::analysis::{Amount, DigitSource};

use crate::array::{same_array::SameArray, same_array::SameDims, with_dims::WithDims};
use crate::compiled::{self, AnyLayout, stop};
use crate::copies::{
    choose, door::copier::Copier, door::dest::Dest, door::dest::DestSlots, error::CopyError,
    padding::Padding, padding::fill_padding, pair::Pair, slots::CopiedSlots,
};
use crate::memory::{Part, Place as _, place::mapping::Mapping as _, stored::StoredIn};

/// A layout whose memory is one plane after the other.
trait OfPlanes: AnyLayout {
    /// The dimension that counts planes, and the number of its term; a stand-in where planes are not contiguous.
    const PLANES: (usize, Option<Amount>) = match planes::<Self>() {
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
        let sizes = layout.sizes;
        match const { Self::PLANES.1 } {
            Some(stride) => native(stride.value(&Self::counts(&sizes))),
            None => compiled::tiled_slots::<Self>(&sizes),
        }
    }
}

impl<L: AnyLayout> OfPlanes for L {}

/// The dimension that counts planes, with its stride if there can be several. `None` if planes are not contiguous.
const fn planes<L: AnyLayout + ?Sized>() -> Option<(usize, Option<Amount>)> {
    let [.., dim] = L::VALUE.minor_to_major() else { return None };
    if !L::DIGITS.swizzle().is_none() {
        return None;
    }
    let dependencies = Dependencies::new(L::DIGITS.sums());
    let mut stride = None;
    each!(for term in L::DIGITS.terms() {
        let digit = &term.digit;
        if dependencies.of(digit) >> *dim & 1 != 0 {
            // One of a sum is not that of its dimension.
            if !digit.is_whole() || !matches!(digit.source(), DigitSource::Dim(_)) {
                return None;
            }
            stride = Some(term.stride);
        }
    });
    Some((*dim, stride))
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

/// The elements of each of `A`'s planes, if it has `planes` of them, they lie in turns in `B`, and neither layout has padding.
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

/// A plane of an array of these sizes.
#[inline(always)]
fn plane<L: AnyLayout>(layout: &WithDims<L>, dim: usize, number: usize) -> Part<L> {
    let (mut start, mut limit) = (L::ORIGIN, layout.dims());
    (start.as_mut()[dim], limit.as_mut()[dim]) = (number, number + 1);
    layout.part(&start, &limit)
}

impl<A: SameDims<B>, B: AnyLayout> Copier<A, B> {
    /// Copies an array whose planes lie in memory of their own, as channels of audio and images do: the layout `A` says how the
    /// array would lie if one plane followed the other. A plane is what has one coordinate along `A`'s most major dimension; there is
    /// a slice for each, of which the slots of a plane are read.
    ///
    /// Two to eight planes whose elements the destination has in turns, as the pixels of an image have channels, are put together at
    /// once. Otherwise each plane is copied by itself, as one stretch where it lies alike in both layouts.
    ///
    /// It does not compile if a tile splits that dimension. Planes with a pitch in one memory are a [`Strided`](crate::Strided), with the
    /// pitch as the first stride, and [`copy_to`](crate::Memory::copy_to) copies them.
    ///
    /// # Errors
    /// Those of [`run`](Self::run), and if there are more or fewer slices than planes. Nothing is written then.
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
    /// # Ok::<(), layout::CopyError>(())
    /// ```
    #[inline]
    pub fn gather<'d, T: StoredIn<A> + StoredIn<B>, D: Dest<T> + ?Sized>(
        &self,
        dims: A::Index,
        planes: &[impl AsRef<[T]>],
        dst: &'d mut D,
        padding: impl Into<Padding<T>>,
    ) -> Result<D::Out<'d>, CopyError>
    where
        A: SameArray<B>,
    {
        let () = A::HAS_PLANES;
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        sources(&of_a, planes)?;
        dst.write(DestSlots::of(&[], &of_b, padding)?, |mut slots| {
            slots.pad(of_b.elements(), |dst, value| fill_padding(&of_b, dst, value));
            let first = planes.first().and_then(|plane| plane.as_ref().first());
            let dst = slots.initialised(first.copied());
            if let Some(elements) = woven::<A, B>(&of_a, &of_b, planes.len())
                && copying::weave(planes, elements, dst)
            {
                return dst;
            }
            // In memory of its own, a plane lies as the first one does.
            let dim = const { A::PLANES.0 };
            let from = plane(&of_a, dim, 0);
            for (number, src) in planes.iter().enumerate() {
                let slots = CopiedSlots::of(src.as_ref(), &mut *dst, None);
                copy_plane(&from, &plane(&of_b, dim, number), slots);
            }
            dst
        })
    }

    /// Copies as [`gather`](Self::gather) does, and writes what a function makes of the index and the value of each element: see
    /// [`map`](Self::map).
    ///
    /// # Errors
    /// Those of [`gather`](Self::gather). Nothing is written then.
    ///
    /// # Panics
    /// If the function does; elements that it was not called for keep what they hold, or have become padding.
    ///
    /// # Examples
    /// ```
    /// use layout::{Copier, Padding, layout};
    ///
    /// type Channels = layout!(S16[?,?]);
    /// type Frames = layout!(F32[?,?]{0,1});
    /// const TO_FRAMES: Copier<Channels, Frames> = Copier::new();
    /// const TO_CHANNELS: Copier<Frames, Channels> = Copier::new();
    ///
    /// let channels = [vec![1_i16, 2, 3], vec![-1, -2, -3]];
    /// let mut frames = [0.0; 6];
    /// TO_FRAMES.gather_map([2, 3], &channels, &mut frames, Padding::Leave, |_, sample| f32::from(sample))?;
    /// assert_eq!(frames, [1.0, -1.0, 2.0, -2.0, 3.0, -3.0]);
    ///
    /// let mut back = [vec![0_i16; 3], vec![0; 3]];
    /// TO_CHANNELS.scatter_map([2, 3], &frames, &mut back, Padding::Leave, |_, sample: f32| sample as i16)?;
    /// assert_eq!(back, channels);
    /// # Ok::<(), layout::CopyError>(())
    /// ```
    #[inline]
    pub fn gather_map<'d, T: StoredIn<A>, U: StoredIn<B>, D: Dest<U> + ?Sized>(
        &self,
        dims: A::Index,
        planes: &[impl AsRef<[T]>],
        dst: &'d mut D,
        padding: impl Into<Padding<U>>,
        mut function: impl FnMut(A::Index, T) -> U,
    ) -> Result<D::Out<'d>, CopyError> {
        let () = A::HAS_PLANES;
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <U as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        sources(&of_a, planes)?;
        dst.write(DestSlots::of(&[], &of_b, padding)?, |mut slots| {
            slots.pad(of_a.elements(), |dst, value| fill_padding(&of_b, dst, value));
            let dim = const { A::PLANES.0 };
            let from = plane(&of_a, dim, 0);
            for (number, src) in planes.iter().enumerate() {
                let to = plane(&of_b, dim, number);
                choose::map_elements(&from, &to, src.as_ref(), &mut slots, |mut index, element| {
                    index.as_mut()[dim] = number;
                    function(index, element)
                });
            }
            // SAFETY: each element of each plane was written; the slots that hold none were before.
            unsafe { slots.copied() }
        })
    }

    /// Copies an array to planes that lie in memory of their own: the layout `B` says how the array would lie if one plane
    /// followed the other. It is the way back of [`gather`](Self::gather), whose words hold for `B` here. `padding` says what is
    /// written to the padding of each plane.
    ///
    /// # Errors
    /// Those of [`gather`](Self::gather). Nothing is written then.
    #[inline]
    pub fn scatter<T: StoredIn<A> + StoredIn<B>>(
        &self,
        dims: A::Index,
        src: &[T],
        planes: &mut [impl AsMut<[T]>],
        padding: impl Into<Padding<T>>,
    ) -> Result<(), CopyError>
    where
        A: SameArray<B>,
    {
        let () = B::HAS_PLANES;
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <T as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        if let Some(elements) = woven::<B, A>(&of_b, &of_a, planes.len())
            && copying::unweave(src, elements, planes)
        {
            return Ok(());
        }
        let src = CopyError::source(src, of_a.padded_elements())?;
        each_destination((&of_a, &of_b), planes, padding.into(), |_, from, to, dst| {
            copy_plane(from, to, CopiedSlots::of(src, dst, None));
        })
    }

    /// Copies as [`scatter`](Self::scatter) does, and writes what a function makes of the index and the value of each element: see
    /// [`gather_map`](Self::gather_map).
    ///
    /// # Errors
    /// Those of [`gather`](Self::gather). Nothing is written then.
    ///
    /// # Panics
    /// If the function does; elements that it was not called for keep what they hold, or have become padding.
    #[inline]
    pub fn scatter_map<T: StoredIn<A>, U: StoredIn<B>>(
        &self,
        dims: A::Index,
        src: &[T],
        planes: &mut [impl AsMut<[U]>],
        padding: impl Into<Padding<U>>,
        mut function: impl FnMut(A::Index, T) -> U,
    ) -> Result<(), CopyError> {
        let () = B::HAS_PLANES;
        let ((), ()) = (<T as StoredIn<A>>::HAS_SIZE, <U as StoredIn<B>>::HAS_SIZE);
        let (of_a, of_b) = Self::layouts(&dims)?;
        let src = CopyError::source(src, of_a.padded_elements())?;
        each_destination((&of_a, &of_b), planes, padding.into(), |number, from, to, dst| {
            let mut slots = CopiedSlots::of(&[], dst, None);
            choose::map_elements(from, to, src, &mut slots, |mut index, element| {
                index.as_mut()[const { B::PLANES.0 }] = number;
                function(index, element)
            });
        })
    }
}

/// Copies a plane: by loops of both types, where it is an array of its own on both sides.
#[inline(always)]
fn copy_plane<A: AnyLayout, B: AnyLayout, T: Copy + 'static>(
    from: &Part<A>,
    to: &Part<B>,
    slots: CopiedSlots<'_, '_, T>,
) {
    match (from.own(), to.own()) {
        (Some(from), Some(to)) => choose::between(Pair::of(from, to), slots),
        _ => choose::copy(from, to, slots),
    };
}

/// Whether there are as many planes as the layout has.
#[inline(always)]
fn are_all<L: AnyLayout>(layout: &WithDims<L>, given: usize) -> Result<(), CopyError> {
    let needed = layout.dims().as_ref()[const { L::PLANES.0 }];
    if given == needed { Ok(()) } else { Err(CopyError::Planes { needed, given }) }
}

/// Whether all planes are there, each with its slots.
#[inline(always)]
fn sources<L: AnyLayout, T>(
    layout: &WithDims<L>,
    planes: &[impl AsRef<[T]>],
) -> Result<(), CopyError> {
    are_all(layout, planes.len())?;
    let slots = L::plane_slots(layout);
    planes.iter().try_for_each(|plane| CopyError::source(plane.as_ref(), slots).map(drop))
}

/// Calls with each plane that is written: its number, its elements in the array, where they lie in a plane, and the plane's
/// memory, in which all slots hold the padding, if it has one.
#[inline(always)]
fn each_destination<A: AnyLayout, B: AnyLayout, T: StoredIn<B>>(
    (of_a, of_b): (&WithDims<A>, &WithDims<B>),
    planes: &mut [impl AsMut<[T]>],
    padding: Padding<T>,
    mut copy: impl FnMut(usize, &Part<A>, &Part<B>, &mut [T]),
) -> Result<(), CopyError> {
    are_all(of_b, planes.len())?;
    let slots = B::plane_slots(of_b);
    for plane in planes.iter_mut() {
        CopyError::destination(plane.as_mut(), slots)?;
    }
    let has_padding = slots * planes.len() > of_b.elements();
    let padding = padding.value(has_padding, || of_b.declared())?;
    let dim = const { B::PLANES.0 };
    let to = plane(of_b, dim, 0);
    for (number, dst) in planes.iter_mut().enumerate() {
        let dst = &mut dst.as_mut()[..slots];
        if let Some(value) = padding {
            dst.fill(value);
        }
        copy(number, &plane(of_a, dim, number), &to, dst);
    }
    Ok(())
}
