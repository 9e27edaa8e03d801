//! Images of a few channels: from pixels to a plane for each channel, and back.
//!
//! Pixels are loaded as rows of squares, and the columns of a square are vectors of planes. A row is a lane of a vector: one
//! pixel or several, whose elements a shuffle of bytes brings together by channel; of longer pixels a slice. A lane of, say,
//! three channels has room for four. So its end is not used: when loading, the end is the beginning of the next pixels; when
//! storing, the next lane overwrites it.

use core::ptr::copy_nonoverlapping;

use crate::kernel::block::{Axis, LONG_PLANE};
use crate::kernel::raw::size::{LANE, LINE};
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::square::square;
use crate::kernel::raw::vectors::task::KernelTask;

/// Vectors of each plane before the next slice of the same pixels: these are in the first cache then.
const NEAR: usize = 16;

/// Elements of 8 bytes are so few in a lane that a whole vector is taken as one.
const WIDE_LANE: usize = 2 * LANE;
/// How many lanes of `lane` bytes a vector has: one or two.
const fn lanes<V: Vector>(lane: usize) -> usize {
    if lane < V::BYTES { V::BYTES / lane } else { 1 }
}

/// The columns of a square of `P` rows of `P` elements in each lane.
///
/// # Safety
/// The processor has the vector's instructions.
#[inline(always)]
unsafe fn columns<V: Vector, const U: usize, const P: usize>(rows: [V; P]) -> [V; P] {
    // SAFETY: the caller vouches for the instructions.
    unsafe {
        if P * U == LANE {
            return square::<V, U, P>(rows);
        }
        let mut columns = rows;
        let (low, high) = rows[0].zip_lanes::<U>(rows[1]);
        let (next_low, next_high) = rows[2].zip_lanes::<U>(rows[3]);
        (columns[0], columns[2]) = low.cross::<2>(next_low);
        (columns[1], columns[3]) = high.cross::<2>(next_high);
        columns
    }
}

/// How an image is divided into lanes.
struct PixelLanes {
    /// Bytes of an element, and of a pixel.
    w: usize,
    pixel: usize,
    channels: usize,
    /// Channels in a lane.
    slice: usize,
    /// Bytes of pixels from one lane to the next.
    step: usize,
    /// Bytes of a lane that are used.
    used: usize,
    /// Shuffles a lane: the place that each byte comes from.
    table: [u8; LANE],
    /// Bytes from the first plane to each plane; past the last plane the same as of the last.
    planes: [usize; LINE],
}

impl PixelLanes {
    /// Of the first `count` values of the axis that counts channels.
    #[inline(always)]
    fn new<V: Vector, const TO_PLANES: bool>(channels: &Axis, count: usize) -> PixelLanes {
        let [w, side] = if TO_PLANES { [channels.near[0], 1] } else { [channels.near[1], 0] };
        let pixel = count * w;
        let lane = if w == 8 { V::BYTES.min(WIDE_LANE) } else { LANE };
        let slice = count.min(lane / w);
        // Bytes of each channel in a lane: one element, or those of several pixels.
        let group = lane / slice.next_power_of_two();
        let (step, used) = (group / w * pixel, group * slice);
        let mut table = [0; LANE];
        let mut packed = 0;
        let pixels = if lane == LANE { group / w } else { 0 };
        for pixel in 0..pixels {
            for channel in 0..slice {
                for byte in 0..w {
                    let planar = channel * group + pixel * w + byte;
                    let [to, from] = if TO_PLANES { [planar, packed] } else { [packed, planar] };
                    table[to] = from as u8;
                    packed += 1;
                }
            }
        }
        let mut planes = [0; LINE];
        // A square has up to `LANE` planes.
        for (channel, plane) in planes.iter_mut().enumerate().take(count + LANE) {
            *plane = channels.offset(channel.min(count - 1), side);
        }
        PixelLanes { w, pixel, channels: count, slice, step, used, table, planes }
    }

    /// Moves `count` pixels.
    ///
    /// # Safety
    /// They are readable on the one side and writable on the other one, and the processor has the vector's instructions, which
    /// `SHUFFLES`.
    #[inline(always)]
    unsafe fn move_all<V: Vector, const TO_PLANES: bool>(
        &self,
        pixels: *mut u8,
        planes: *mut u8,
        count: usize,
    ) {
        // SAFETY: what the caller vouches for; there are as many pixels as a vector of a plane has, and a square has as many
        // channels as `slice` needs.
        unsafe {
            if count * self.w < V::BYTES {
                return self.elements::<TO_PLANES>(pixels, planes, count);
            }
            match self.slice.next_power_of_two() {
                2 => self.all::<V, 2, 8, TO_PLANES>(pixels, planes, count),
                4 if self.w == 8 => self.all::<V, 4, 8, TO_PLANES>(pixels, planes, count),
                4 => self.all::<V, 4, 4, TO_PLANES>(pixels, planes, count),
                8 => self.all::<V, 8, 2, TO_PLANES>(pixels, planes, count),
                _ => self.all::<V, 16, 1, TO_PLANES>(pixels, planes, count),
            }
        }
    }

    /// Moves `count` pixels by squares of `P` channels, `U` bytes of each in a lane. The last vectors overlap those before them.
    ///
    /// # Safety
    /// The conditions of `move_all`. There are as many pixels as a vector of a plane has, and `P` is
    /// the next power of two of `slice`.
    #[inline(always)]
    unsafe fn all<V: Vector, const P: usize, const U: usize, const TO_PLANES: bool>(
        &self,
        pixels: *mut u8,
        planes: *mut u8,
        count: usize,
    ) {
        let group = V::BYTES / self.w;
        let far = (lanes::<V>(P * U) * P - 1) * self.step;
        // Pixels after a lane that its unused end lies in.
        let spare = (P * U - self.used).div_ceil(self.pixel);
        let mut edge = [0; WIDE_LANE];
        let mut first = 0;
        while first < count {
            let whole = (count - first).saturating_sub(spare) / group;
            let (start, groups) =
                if whole > 0 { (first, whole.min(NEAR)) } else { (first.min(count - group), 1) };
            // The unused end of the last lane would lie past the pixels. That of any other lane lies in the next one, since
            // more than half of a lane is used.
            let has_edge = whole == 0 && spare > 0;
            let mut channel = 0;
            while channel < self.channels {
                let from = channel.min(self.channels - self.slice);
                let offsets = &self.planes[from..][..P];
                let mut at = pixels.wrapping_add(start * self.pixel + from * self.w);
                let mut plane = planes.wrapping_add(start * self.w);
                for _ in 0..groups {
                    let last = at.wrapping_add(far);
                    let end = if has_edge { edge.as_mut_ptr() } else { last };
                    // SAFETY: the `group` pixels from `at` on, and a vector of each plane, lie within those that the caller
                    // vouches for; so do `spare` pixels after these, or the last lane is in `edge`.
                    unsafe {
                        if TO_PLANES {
                            if has_edge {
                                copy_nonoverlapping(last, end, self.used);
                            }
                            let vectors = self.load::<V, P, U>(at, end);
                            unrolled!(i in 0..P, {
                                if i <= P / 2 || i < self.slice {
                                    vectors[i].store(plane.wrapping_add(offsets[i]));
                                }
                            });
                        } else {
                            let mut vectors = [V::ZERO; P];
                            unrolled!(i in 0..P, {
                                vectors[i] = V::load(plane.wrapping_add(offsets[i]));
                            });
                            self.store::<V, P, U>(vectors, at, end);
                            if has_edge {
                                copy_nonoverlapping(end, last, self.used);
                            }
                        }
                    }
                    at = at.wrapping_add(group * self.pixel);
                    plane = plane.wrapping_add(V::BYTES);
                }
                channel += self.slice;
            }
            first = start + groups * group;
        }
    }

    /// A vector of each plane, from lanes that begin at `at` and end with that at `end`.
    ///
    /// # Safety
    /// All of these lanes are readable, and the processor has the vector's instructions.
    #[inline(always)]
    unsafe fn load<V: Vector, const P: usize, const U: usize>(
        &self,
        at: *const u8,
        end: *const u8,
    ) -> [V; P] {
        let lanes = lanes::<V>(P * U);
        let far = (lanes - 1) * P * self.step;
        let mut vectors = [V::ZERO; P];
        // SAFETY: what the caller vouches for.
        unsafe {
            unrolled!(i in 0..P, {
                let first = at.wrapping_add(i * self.step);
                let last = if i == P - 1 { end } else { first.wrapping_add(far) };
                vectors[i] = if lanes == 2 { V::load_lanes(first, last) } else { V::load(last) };
                if U > 1 && P * U == LANE {
                    vectors[i] = vectors[i].bytes(&self.table);
                }
            });
            columns::<V, U, P>(vectors)
        }
    }

    /// The reverse.
    ///
    /// # Safety
    /// All of these lanes are writable, and the processor has the vector's instructions.
    #[inline(always)]
    unsafe fn store<V: Vector, const P: usize, const U: usize>(
        &self,
        vectors: [V; P],
        at: *mut u8,
        end: *mut u8,
    ) {
        let lanes = lanes::<V>(P * U);
        // SAFETY: what the caller vouches for.
        unsafe {
            let mut vectors = columns::<V, U, P>(vectors);
            if U > 1 && P * U == LANE {
                unrolled!(i in 0..P, {
                    vectors[i] = vectors[i].bytes(&self.table);
                });
            }
            // In the order of memory, since a lane overwrites the unused end of the one before it.
            if lanes == 2 {
                unrolled!(i in 0..P, {
                    vectors[i].store_lane::<0>(at.wrapping_add(i * self.step));
                });
            }
            let at = at.wrapping_add((lanes - 1) * P * self.step);
            unrolled!(i in 0..P, {
                let to = if i == P - 1 { end } else { at.wrapping_add(i * self.step) };
                if lanes == 2 {
                    vectors[i].store_lane::<1>(to);
                } else {
                    vectors[i].store(to);
                }
            });
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
                let planar = planes.wrapping_add(self.planes[channel]).wrapping_add(i * self.w);
                let (from, to) = if TO_PLANES { (packed, planar) } else { (planar, packed) };
                // SAFETY: the caller vouches for the element.
                unsafe { copy_nonoverlapping(from, to, self.w) };
            }
        }
    }
}

/// # Safety
/// The task is one of an `image`, `TO_PLANES` or back, and has all channels. All of it lies within the source and the
/// destination, and the processor has the vector's instructions, which
/// `SHUFFLES`.
#[inline(always)]
pub(super) unsafe fn channels<V: Vector, const TO_PLANES: bool>(task: &mut KernelTask) {
    const { assert!(V::BYTES <= LONG_PLANE) };
    debug_assert!(V::SHUFFLES);
    let (axis, channels, count) =
        if TO_PLANES { (&task.p_axis, task.p, task.q) } else { (&task.q_axis, task.q, task.p) };
    let lanes = PixelLanes::new::<V, TO_PLANES>(axis, channels);
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let [pixels, planes] =
            if TO_PLANES { [src.cast_mut(), dst] } else { [dst, src.cast_mut()] };
        // SAFETY: the task's pixels and planes are the caller's; what is read is not written to.
        unsafe { lanes.move_all::<V, TO_PLANES>(pixels, planes, count) };
    }
}
