//! Images of a few channels by plain loops, one for each number of channels: the compiler makes vectors of them.

use core::mem::MaybeUninit;
use core::slice::{from_raw_parts, from_raw_parts_mut};

use crate::kernel::block::Axis;
use crate::kernel::raw::Vectorized;
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::weave::Woven;

/// An element of `W` bytes.
type Element<const W: usize> = MaybeUninit<[u8; W]>;

/// Where each plane begins, in bytes.
#[inline(always)]
fn places<const P: usize>(axis: &Axis, side: usize) -> [usize; P] {
    let mut places = [0; P];
    unrolled!(plane in 0..P, { places[plane] = axis.offset(plane, side) });
    places
}

/// From pixels of `P` elements of `W` bytes to a plane for each channel (`TO_PLANES`), or back.
///
/// # Safety
/// The task is one of an `image` of `P` channels, `TO_PLANES` or back, and has all of them. All of it lies within the source and the
/// destination.
#[inline(always)]
pub(super) unsafe fn planes<const W: usize, const P: usize, const TO_PLANES: bool>(
    task: &KernelTask,
) {
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        // SAFETY: the task's pixels and planes are the caller's; what is read is not written to, and planes share no element.
        unsafe {
            if TO_PLANES {
                let pixels = from_raw_parts(src.cast::<[Element<W>; P]>(), task.q);
                let planes = places::<P>(&task.p_axis, 1).map(
                    #[inline(always)]
                    |place| from_raw_parts_mut(dst.wrapping_add(place).cast(), task.q),
                );
                Woven(pixels, planes).run();
            } else {
                let pixels = from_raw_parts_mut(dst.cast::<[Element<W>; P]>(), task.p);
                let planes = places::<P>(&task.q_axis, 0).map(
                    #[inline(always)]
                    |place| from_raw_parts(src.wrapping_add(place).cast(), task.p),
                );
                Woven(planes, pixels).run();
            }
        }
    }
}
