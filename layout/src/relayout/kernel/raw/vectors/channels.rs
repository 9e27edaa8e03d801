//! Images: pixels with their channels side by side, to a plane for each channel, and back.
//!
//! A lane is loaded at every pixel, or at every second or fourth one where channels are few, and a shuffle of its bytes brings
//! what belongs to a plane together. Then lanes are rows of a square, whose columns are planes. Lanes that are stored to
//! pixels end with bytes that do not count, which the next lane overwrites.

use core::mem::MaybeUninit;
use core::ptr::copy_nonoverlapping;

use crate::relayout::kernel::block::{Axis, LONG_PLANE};
use crate::relayout::kernel::raw::size::{LANE, LINE};
use crate::relayout::kernel::raw::vector::Vector;
use crate::relayout::kernel::raw::vectors::square::square;
use crate::relayout::kernel::raw::vectors::task::KernelTask;
use crate::relayout::policy::{HELD_PIECE, HELD_ROWS};

/// Vectors of a plane after which the next channels of the same pixels come, where a lane has not all: what is read is in the first
/// cache then.
const NEAR: usize = 16;

/// A lane of elements of 8 bytes, if it is a vector.
const WIDE_LANE: usize = 2 * LANE;

/// Lanes of so many bytes in a vector.
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
    fn new<V: Vector, const TO_PLANES: bool>(channels: &Axis, count: usize) -> Lanes {
        let [w, side] = if TO_PLANES { [channels.near[0], 1] } else { [channels.near[1], 0] };
        let pixel = count * w;
        let lane = if w == 8 { V::BYTES.min(WIDE_LANE) } else { LANE };
        let slice = count.min(lane / w);
        // Bytes of a channel in a lane: those of the pixels in it.
        let group = lane / slice.next_power_of_two();
        let (step, counts) = (group / w * pixel, group * slice);
        let mut table = [0; LANE];
        let mut packed = 0;
        let together = if lane == LANE { step / pixel } else { 0 };
        for pixel in 0..together {
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
        channels.offsets(0, side, &mut planes[..count]);
        // Rows of a square past the last plane.
        let last = planes[count - 1];
        planes[count..].iter_mut().take(LANE).for_each(|plane| *plane = last);
        Lanes { w, pixel, slice, channels: count, step, counts, table, planes }
    }

    /// Moves pixels.
    ///
    /// # Safety
    /// `count` pixels are readable on the one side and writable on the other one, and the processor has the vector's instructions.
    #[inline(always)]
    unsafe fn move_all<V: Vector, const TO_PLANES: bool>(
        &self,
        pixels: *mut u8,
        planes: *mut u8,
        count: usize,
    ) {
        // SAFETY: what the caller vouches for, and there are as many pixels as a vector has of a plane.
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

    /// Moves pixels, a vector of each plane at a time. The last ones overlap those before them.
    ///
    /// # Safety
    /// `count` pixels, at least a vector of each plane, are readable on the one side and writable on the other one. `P` is the
    /// power of two for the channels that lanes have, and `U` the bytes of each. The processor has the vector's instructions.
    #[inline(always)]
    unsafe fn all<V: Vector, const P: usize, const U: usize, const TO_PLANES: bool>(
        &self,
        pixels: *mut u8,
        planes: *mut u8,
        count: usize,
    ) {
        let group = V::BYTES / self.w;
        let far = (lanes::<V>(P * U) * P - 1) * self.step;
        // Pixels that the end of the lane before them lies in.
        let spare = (P * U - self.counts).div_ceil(self.pixel);
        let mut edge = [0; WIDE_LANE];
        let mut first = 0;
        while first < count {
            let whole = (count - first).saturating_sub(spare) / group;
            let (start, groups) =
                if whole > 0 { (first, whole.min(NEAR)) } else { (first.min(count - group), 1) };
            // What does not count of the last lane of all lies past the pixels, that of others in the next lane's part, since
            // more than half of a lane counts.
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
                    // SAFETY: the `group` pixels from `at` on, and vectors of the planes, are within those that the
                    // caller vouches for.
                    unsafe {
                        if TO_PLANES {
                            if has_edge {
                                copy_nonoverlapping(last, end, self.counts);
                            }
                            let vectors = self.load::<V, P, U>(at, end);
                            unrolled!(i in 0..P, {
                                if i <= P / 2 || i < self.slice {
                                    vectors[i].store(plane.add(offsets[i]));
                                }
                            });
                        } else {
                            let mut vectors = [V::ZERO; P];
                            unrolled!(i in 0..P, {
                                vectors[i] = V::load(plane.add(offsets[i]));
                            });
                            self.store::<V, P, U>(vectors, at, end);
                            if has_edge {
                                copy_nonoverlapping(end, last, self.counts);
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
            // In the order of memory, since a lane overwrites what does not count of the one before it.
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
                let planar = planes.wrapping_add(self.planes[channel] + i * self.w);
                let (from, to) = if TO_PLANES { (packed, planar) } else { (planar, packed) };
                // SAFETY: the caller vouches for the element.
                unsafe { copy_nonoverlapping(from, to, self.w) };
            }
        }
    }
}

/// Pixels on their way around the cache.
struct Stage([MaybeUninit<u8>; 4096]);

/// # Safety
/// The task is one of a kernel of which `are_channels` says that it goes `TO_PLANES` or back, and has all channels. All of it lies
/// within the source and the destination, which can be written until `rows` are flushed, and the processor has the vector's
/// instructions, which `SHUFFLES`.
#[inline(always)]
pub(super) unsafe fn channels<V: Vector, const TO_PLANES: bool>(task: &mut KernelTask) {
    const { assert!(V::BYTES <= LONG_PLANE) };
    let (axis, channels, count) =
        if TO_PLANES { (&task.p_axis, task.p, task.q) } else { (&task.q_axis, task.q, task.p) };
    let mut lanes = Lanes::new::<V, TO_PLANES>(axis, channels);
    let (places, group) = (lanes.planes, V::BYTES / lanes.w);
    let mut stage = MaybeUninit::<Stage>::uninit();
    let stage = stage.as_mut_ptr().cast::<u8>();
    let streams = task.streams && channels <= HELD_ROWS && count >= group;
    // Pixels that are held, and bytes of a row of the destination.
    let [most, row] = if TO_PLANES {
        [HELD_PIECE / lanes.w, count * lanes.w]
    } else {
        [size_of::<Stage>() / lanes.pixel, count * lanes.pixel]
    };
    let turns = task.turns(row);
    for i in 0..task.count {
        let (src, dst) = task.place(i);
        let mut first = 0;
        while first < count {
            let piece = match count - first {
                left if !streams || left <= most => left,
                // The last piece has a group too.
                left if left < most + group => most / 2,
                _ => most,
            };
            let pixels = if TO_PLANES { src.cast_mut() } else { dst };
            let pixels = pixels.wrapping_add(first * lanes.pixel);
            let planes = if TO_PLANES { dst } else { src.cast_mut() };
            let planes = planes.wrapping_add(first * lanes.w);
            // SAFETY: the task's pixels and planes are the caller's; what is read is not written to. A row has room for a
            // piece, and the stage too, and all of it is written.
            unsafe {
                let (mut pixels_here, mut planes_here) = (pixels, planes);
                if streams && TO_PLANES {
                    for (channel, place) in places[..channels].iter().enumerate() {
                        let number = (i % turns * channels + channel) % HELD_ROWS;
                        let to = planes.wrapping_add(*place);
                        let room = task.rows[number].room::<V>(to, piece * lanes.w);
                        lanes.planes[channel] = room.addr() - task.rows.as_ptr().addr();
                    }
                    planes_here = task.rows.as_mut_ptr().cast();
                } else if streams {
                    pixels_here = stage;
                }
                lanes.move_all::<V, TO_PLANES>(pixels_here, planes_here, piece);
                if streams && !TO_PLANES {
                    task.rows[i % turns].put::<V>(stage, pixels, piece * lanes.pixel);
                }
            }
            first += piece;
        }
    }
}
