//! Planes element by element in turns, and the reverse: planes that are slices of their own.

use crate::kernel::raw::{Vectorized, compiled_for};
use crate::kernel::settings::InstructionSet;

/// Bytes from which on code for the processor's best vectors is worth the call.
const FEW_BYTES: usize = 768;

/// A loop over planes: from a source to a destination.
struct Woven<S, D>(S, D);

impl<T: Copy, const P: usize> Vectorized for Woven<[&[T]; P], &mut [[T; P]]> {
    #[inline(always)]
    fn run(self) {
        let Woven(planes, dst) = self;
        let planes = planes.map(|plane| &plane[..dst.len()]);
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
        let Woven(src, planes) = self;
        let mut planes = planes.map(|plane| &mut plane[..src.len()]);
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
        compiled_for(InstructionSet::best(), weave);
    }
}

/// Puts 2, 3 or 4 planes together, whose elements lie in turns in the destination. False, and nothing is done, of more or fewer, or
/// if a plane is shorter than its elements are many.
#[inline]
pub fn weave<T: Copy>(planes: &[&[T]], dst: &mut [T]) -> bool {
    macro_rules! woven {
        ($($count:literal)*) => {
            match planes.len() {
                $($count => {
                    let (bytes, dst) = (size_of_val(dst), dst.as_chunks_mut::<$count>().0);
                    let Ok(planes) = <[&[T]; $count]>::try_from(planes) else { return false };
                    if planes.iter().any(|plane| plane.len() < dst.len()) {
                        return false;
                    }
                    run(bytes, Woven(planes, dst));
                })*
                _ => return false,
            }
        };
    }
    woven!(2 3 4);
    true
}

/// The reverse of [`weave`].
#[inline]
pub fn unweave<T: Copy>(src: &[T], planes: &mut [&mut [T]]) -> bool {
    macro_rules! woven {
        ($($count:literal)*) => {
            match planes.len() {
                $($count => {
                    let (bytes, src) = (size_of_val(src), src.as_chunks::<$count>().0);
                    let Ok(planes) = <&mut [&mut [T]; $count]>::try_from(planes) else { return false };
                    if planes.iter().any(|plane| plane.len() < src.len()) {
                        return false;
                    }
                    run(bytes, Woven(src, planes.each_mut().map(|plane| &mut **plane)));
                })*
                _ => return false,
            }
        };
    }
    woven!(2 3 4);
    true
}
