//! Planes element by element in turns, and the reverse: planes that are slices of their own.

use core::mem::take;

use crate::kernel::raw::{Vectorized, compiled_for};
use crate::kernel::settings::InstructionSet;

/// Bytes from which on code for the processor's best vectors is worth the call.
const FEW_BYTES: usize = 768;
/// Whether more than four planes go by the best vectors: that is 1.1 to 5 times as fast (AMD Zen 5), but for eight planes of `f64` 0.4 times.
const fn are_many<T>(planes: usize, elements: usize) -> bool {
    elements >= 128 && planes * size_of::<T>() <= 56
}

/// A loop over planes: from a source to a destination.
pub(crate) struct Woven<S, D>(pub S, pub D);

impl<T: Copy, const P: usize> Vectorized for Woven<[&[T]; P], &mut [[T; P]]> {
    #[inline(always)]
    fn run(self) {
        let Woven(mut planes, dst) = self;
        for plane in &mut planes {
            *plane = &plane[..dst.len()];
        }
        for (number, to) in dst.iter_mut().enumerate() {
            for (to, plane) in to.iter_mut().zip(&planes) {
                *to = plane[number];
            }
        }
    }
}

impl<T: Copy, const P: usize> Vectorized for Woven<&[[T; P]], [&mut [T]; P]> {
    #[inline(always)]
    fn run(self) {
        let Woven(src, mut planes) = self;
        for plane in &mut planes {
            *plane = &mut take(plane)[..src.len()];
        }
        for (number, from) in src.iter().enumerate() {
            for (plane, element) in planes.iter_mut().zip(from) {
                plane[number] = *element;
            }
        }
    }
}

/// Does it in the caller's code, or for the best vectors.
#[inline(always)]
fn run(bytes: usize, weave: impl Vectorized) {
    if bytes < FEW_BYTES {
        weave.run();
    } else {
        run_large(weave);
    }
}

#[inline(never)]
fn run_large(weave: impl Vectorized) {
    compiled_for(InstructionSet::best(), weave);
}

/// Puts 2 to 8 planes of some elements each together, which then lie in turns in the destination. False, and nothing is done, of more
/// or fewer planes, or if a slice is too short.
#[inline(always)]
pub fn weave<T: Copy>(planes: &[impl AsRef<[T]>], elements: usize, dst: &mut [T]) -> bool {
    match planes.len() {
        ..=4 => weave_few(planes, elements, dst),
        count if are_many::<T>(count, elements) => weave_large(planes, elements, dst),
        _ => weave_many(planes, elements, dst),
    }
}

/// The reverse of [`weave`].
#[inline(always)]
pub fn unweave<T: Copy>(src: &[T], elements: usize, planes: &mut [impl AsMut<[T]>]) -> bool {
    match planes.len() {
        ..=4 => unweave_few(src, elements, planes),
        count if are_many::<T>(count, elements) => unweave_large(src, elements, planes),
        _ => unweave_many(src, elements, planes),
    }
}

macro_rules! woven {
    ($weave:ident $unweave:ident, #[$inline:meta] $run:expr, $($count:literal)*) => {
        #[$inline]
        fn $weave<T: Copy, P: AsRef<[T]>>(planes: &[P], elements: usize, dst: &mut [T]) -> bool {
            match planes.len() {
                $($count => {
                    let Ok(planes) = <&[P; $count]>::try_from(planes) else { return false };
                    let planes = planes.each_ref().map(P::as_ref);
                    let Some(dst) = dst.as_chunks_mut::<$count>().0.get_mut(..elements) else { return false };
                    if planes.iter().any(|plane| plane.len() < elements) {
                        return false;
                    }
                    $run(size_of_val(dst), Woven(planes, dst));
                })*
                _ => return false,
            }
            true
        }

        #[$inline]
        fn $unweave<T: Copy, P: AsMut<[T]>>(src: &[T], elements: usize, planes: &mut [P]) -> bool {
            match planes.len() {
                $($count => {
                    let Ok(planes) = <&mut [P; $count]>::try_from(planes) else { return false };
                    let planes = planes.each_mut().map(P::as_mut);
                    let Some(src) = src.as_chunks::<$count>().0.get(..elements) else { return false };
                    if planes.iter().any(|plane| plane.len() < elements) {
                        return false;
                    }
                    $run(size_of_val(src), Woven(src, planes));
                })*
                _ => return false,
            }
            true
        }
    };
}

woven! { weave_few unweave_few, #[inline(always)] run, 2 3 4 }
woven! { weave_many unweave_many, #[inline(never)] |_, woven: _| Vectorized::run(woven), 5 6 7 8 }
woven! { weave_large unweave_large, #[inline(never)] |_, woven: _| run_large(woven), 5 6 7 8 }
