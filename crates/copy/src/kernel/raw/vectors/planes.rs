//! Images of a few channels by plain loops, one for each number of channels: the compiler makes vectors of them.

use core::slice::{from_raw_parts, from_raw_parts_mut};

use crate::kernel::raw::Vectorized;
use crate::kernel::raw::size::LINE;
use crate::kernel::raw::vectors::compiled::Compiled;
use crate::kernel::raw::vectors::moves::moves;
use crate::kernel::raw::vectors::square::matrices;
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::weave::Woven;

/// From pixels of `P` channels to a plane for each (`TO_PLANES`), or back. A destination may hold nothing yet. The compiler shuffles `f32` and
/// `f64`, where it takes integers of their size one by one.
///
/// # Safety
/// The task is one of an image of `P` channels, `TO_PLANES` or back, of plain elements of the size of `T`, which any bytes are, and has
/// all channels. All of it lies within the source and the destination. The processor has the instructions of the loops.
#[inline(always)]
pub(super) unsafe fn image<V: Compiled, T: Copy, const P: usize, const TO_PLANES: bool>(
    task: &KernelTask,
) {
    let apart = if TO_PLANES { task.p_dst } else { task.q_src };
    let all = task.src.addr() | task.dst.addr() | task.step[0] | task.step[1] | apart;
    if !all.is_multiple_of(align_of::<T>()) {
        // SAFETY: those of the caller; a transpose takes any task.
        return unsafe {
            match size_of::<T>() {
                4 => moves(task, LINE, matrices::<4, 4>),
                _ => moves(task, LINE, matrices::<8, 2>),
            }
        };
    }
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        // SAFETY: the task's pixels and planes are the caller's, and aligned; what is read is not written to, and planes share no element.
        unsafe {
            if TO_PLANES {
                let pixels = from_raw_parts(src.cast::<[T; P]>(), task.q);
                let plane = |number: usize| {
                    let (number, len) = if number < P { (number, task.q) } else { (0, 0) };
                    from_raw_parts_mut(
                        dst.wrapping_add(apart.wrapping_mul(number)).cast::<T>(),
                        len,
                    )
                };
                let (a, b, c, d) = (plane(0), plane(1), plane(2), plane(3));
                V::split(pixels, a, b, c, d, plane(4), plane(5), plane(6));
            } else {
                let pixels = from_raw_parts_mut(dst.cast::<[T; P]>(), task.p);
                let plane = |number: usize| {
                    from_raw_parts(src.wrapping_add(apart.wrapping_mul(number)).cast::<T>(), task.p)
                };
                let mut planes = [&[][..]; P];
                for (number, of_number) in planes.iter_mut().enumerate() {
                    *of_number = plane(number);
                }
                Woven(planes, pixels).run();
            }
        }
    }
}
