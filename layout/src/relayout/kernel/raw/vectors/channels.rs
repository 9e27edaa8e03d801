//! Images: pixels with their channels side by side, to a plane for each channel, and back.
//!
//! A lane is loaded at every pixel, or at every second or fourth one where channels are few, and a shuffle of its bytes brings
//! what belongs to a plane together. Then lanes are rows of a square, whose columns are planes. Lanes that are stored to
//! pixels end with bytes that do not count, which the next lane overwrites.

use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::block::{Axis, LONG_PLANE};
use crate::relayout::kernel::raw::size::{LANE, LINE};
use crate::relayout::kernel::raw::vector::Vector;
use crate::relayout::kernel::raw::vectors::square::square;
use crate::relayout::kernel::raw::vectors::task::KernelTask;

/// What lanes have of pixels.
struct Lanes {
    /// Bytes of a channel of a pixel, and of a pixel.
    w: usize,
    pixel: usize,
    /// Channels that lanes have, of `P` at most, and how many there are.
    slice: usize,
    channels: usize,
    /// Bytes from one lane to the next, and how many of one count.
    step: usize,
    counts: usize,
    /// The place in a lane from where a byte comes.
    table: [u8; LANE],
    /// Where the planes begin.
    planes: [usize; LINE],
}

impl Lanes {
    /// For channels and pixels, in bytes.
    #[inline(always)]
    fn new<const TO_PLANES: bool>(channels: &Axis, count: usize) -> Lanes {
        let [w, side] = if TO_PLANES { [channels.near[0], 1] } else { [channels.near[1], 0] };
        let pixel = count * w;
        let slice = count.min(LANE / w);
        // Bytes of a channel in a lane: those of the pixels in it.
        let group = LANE / slice.next_power_of_two();
        let (step, counts) = (group / w * pixel, group * slice);
        let mut table = [0; LANE];
        for packed in 0..counts {
            let (in_group, channel) = (packed / pixel.min(LANE), packed % pixel / w);
            let planar = channel * group + in_group * w + packed % w;
            let [to, from] = if TO_PLANES { [planar, packed] } else { [packed, planar] };
            table[to] = from as u8;
        }
        let mut planes = [0; LINE];
        channels.offsets(0, side, &mut planes[..count]);
        // Rows of a square past the last plane.
        let last = planes[count - 1];
        planes[count..].iter_mut().take(LANE).for_each(|plane| *plane = last);
        Lanes { w, pixel, slice, channels: count, step, counts, table, planes }
    }

    /// Moves pixels, a vector of each plane at a time. The last ones overlap those before them.
    ///
    /// # Safety
    /// `count` pixels, at least a vector of each plane, are readable on the one side and writable on the other one. `P` is the
    /// power of two for the channels that lanes have. The processor has the vector's instructions, which `SHUFFLES` bytes
    /// unless a lane takes one pixel.
    #[inline(always)]
    unsafe fn all<V: Vector, const P: usize, const U: usize, const TO_PLANES: bool>(
        &self,
        pixels: *mut u8,
        planes: *mut u8,
        count: usize,
    ) {
        let group = V::BYTES / self.w;
        let mut next = 0;
        while next < count {
            let first = if next + group < count { next } else { count - group };
            let to_plane = planes.wrapping_add(first * self.w);
            let is_end = first + group == count;
            let mut channel = 0;
            while channel < self.channels {
                let from = channel.min(self.channels - self.slice);
                let at = pixels.wrapping_add(first * self.pixel + from * self.w);
                // SAFETY: the `group` pixels from `first` on, and vectors of the planes there, lie within those that the
                // caller vouches for. More than half of a lane counts, so that what does not lies in the next lane's
                // part, which the last one of all does not have.
                unsafe {
                    if TO_PLANES {
                        let vectors = self.load::<V, P, U>(at, is_end);
                        unrolled!(i in 0..P, {
                            if i < self.slice {
                                vectors[i].store(to_plane.add(self.planes[from + i]));
                            }
                        });
                    } else {
                        let mut vectors = [V::ZERO; P];
                        unrolled!(i in 0..P, {
                            vectors[i] = V::load(to_plane.add(self.planes[from + i]));
                        });
                        self.store::<V, P, U>(at, is_end, vectors);
                    }
                }
                channel += self.slice;
            }
            next += group;
        }
    }

    /// Moves fewer pixels than a vector has of a plane: what a share of an array can end with.
    ///
    /// # Safety
    /// `count` pixels are readable on the one side and writable on the other one.
    #[cold]
    #[inline(never)]
    unsafe fn elements<const TO_PLANES: bool>(
        &self,
        pixels: *mut u8,
        planes: *mut u8,
        count: usize,
    ) {
        for i in 0..count {
            for channel in 0..self.channels {
                let packed = pixels.wrapping_add(i * self.pixel + channel * self.w);
                let planar = planes.wrapping_add(self.planes[channel] + i * self.w);
                let (from, to) = if TO_PLANES { (packed, planar) } else { (planar, packed) };
                // SAFETY: the caller vouches for the element.
                unsafe { copy_nonoverlapping(from, to, self.w) };
            }
        }
    }

    /// # Safety
    /// The pixels at `at` are readable, and those after them unless they are the last ones.
    #[inline(always)]
    unsafe fn load<V: Vector, const P: usize, const U: usize>(
        &self,
        at: *mut u8,
        is_end: bool,
    ) -> [V; P] {
        let lanes = V::BYTES / LANE;
        let far = (lanes - 1) * P * self.step;
        let mut end = at.wrapping_add(far + (P - 1) * self.step).cast_const();
        let mut edge = [0; LANE];
        // SAFETY: what the caller vouches for; what counts of the last lane is copied, so that it is within the edge.
        unsafe {
            if is_end && self.counts < LANE {
                copy_nonoverlapping(end, edge.as_mut_ptr(), self.counts);
                end = edge.as_ptr();
            }
            let mut vectors = [V::ZERO; P];
            unrolled!(i in 0..P, {
                let first = at.wrapping_add(i * self.step).cast_const();
                let last = if i == P - 1 { end } else { first.wrapping_add(far) };
                let vector = V::load_lanes(first, last);
                vectors[i] = if U > 1 && V::SHUFFLES { vector.bytes(&self.table) } else { vector };
            });
            square::<V, U, P>(vectors)
        }
    }

    /// # Safety
    /// The pixels at `at` are writable, and those after them unless they are the last ones.
    #[inline(always)]
    unsafe fn store<V: Vector, const P: usize, const U: usize>(
        &self,
        at: *mut u8,
        is_end: bool,
        vectors: [V; P],
    ) {
        let lanes = V::BYTES / LANE;
        let has_edge = is_end && self.counts < LANE;
        let mut edge = [0; LANE];
        // SAFETY: what the caller vouches for; what counts of the last lane is copied from the edge.
        unsafe {
            let mut vectors = square::<V, U, P>(vectors);
            unrolled!(i in 0..P, {
                if U > 1 && V::SHUFFLES {
                    vectors[i] = vectors[i].bytes(&self.table);
                }
            });
            // In the order of memory, since each lane overwrites the end of the one before it.
            unrolled!(i in 0..P, {
                let is_edge = i == P - 1 && lanes == 1 && has_edge;
                let to = at.wrapping_add(i * self.step);
                vectors[i].store_lane::<0>(if is_edge { edge.as_mut_ptr() } else { to });
            });
            if lanes > 1 {
                unrolled!(i in 0..P, {
                    let to = at.wrapping_add((P + i) * self.step);
                    let is_edge = i == P - 1 && has_edge;
                    vectors[i].store_lane::<1>(if is_edge { edge.as_mut_ptr() } else { to });
                });
            }
            if has_edge {
                let end = at.wrapping_add((lanes * P - 1) * self.step);
                copy_nonoverlapping(edge.as_ptr(), end, self.counts);
            }
        }
    }
}

/// # Safety
/// The task is one of a kernel of which `are_channels` says that it goes `TO_PLANES` or back, and has all channels. All of it lies
/// within the source and the destination, and the processor has the vector's instructions, which `SHUFFLES` bytes unless a lane
/// takes one pixel.
#[inline(always)]
pub(super) unsafe fn channels<V: Vector, const TO_PLANES: bool>(task: &mut KernelTask) {
    const { assert!(V::BYTES <= LONG_PLANE) };
    let (axis, channels, count) = if TO_PLANES {
        (&task.p_axis, task.p, task.q)
    } else {
        (&task.q_axis, task.q, task.p)
    };
    let lanes = Lanes::new::<TO_PLANES>(axis, channels);
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let (pixels, planes) =
            if TO_PLANES { (src.cast_mut(), dst) } else { (dst, src.cast_mut()) };
        // SAFETY: the task's pixels and planes are the caller's; what is read is not written to.
        unsafe {
            if count * lanes.w < V::BYTES {
                lanes.elements::<TO_PLANES>(pixels, planes, count);
                continue;
            }
            match lanes.slice.next_power_of_two() {
                2 => lanes.all::<V, 2, 8, TO_PLANES>(pixels, planes, count),
                4 => lanes.all::<V, 4, 4, TO_PLANES>(pixels, planes, count),
                8 => lanes.all::<V, 8, 2, TO_PLANES>(pixels, planes, count),
                _ => lanes.all::<V, 16, 1, TO_PLANES>(pixels, planes, count),
            }
        }
    }
}
