//! Functions that are compiled for the instructions of each vector.

use core::mem::take;

use crate::kernel::raw::machine::*;
use crate::kernel::raw::vector::Vector;
use crate::kernel::raw::vectors::groups::ByteGroups;
use crate::kernel::raw::vectors::task::KernelTask;
use crate::kernel::settings::InstructionSet;
use crate::kernel::stretches::Stretches;

/// A kernel. The stretches are for the general path, whose task has no blocks; the others have blocks and no stretches.
pub(super) type Function = unsafe fn(&mut KernelTask, &Stretches);

/// What moves groups of a few bytes.
pub(in crate::kernel::raw) type Shuffle = unsafe fn(*const u8, *mut u8, &ByteGroups);

/// What a kernel does, by vectors of any size.
pub(super) trait Work {
    /// # Safety
    /// All that is to be moved lies within the source and the destination, and is what the kernel is for. The processor has the
    /// vector's instructions.
    unsafe fn run<V: Compiled>(task: &mut KernelTask);
}

/// A vector for whose instructions functions are compiled.
pub(super) trait Compiled: Vector {
    /// # Safety
    /// Those of the work.
    unsafe fn kernel<W: Work>(task: &mut KernelTask, _all: &Stretches);

    /// # Safety
    /// Those of `ByteGroups::move_all`.
    unsafe fn shuffle(src: *const u8, dst: *mut u8, groups: &ByteGroups);

    /// [`split`]. All planes are arguments, so that the compiler knows that they do not overlap.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    #[expect(clippy::too_many_arguments, reason = "as said above")]
    #[rustfmt::skip]
    unsafe fn split<T: Copy, const P: usize>(
        pixels: &[[T; P]],
        a: &mut [T], b: &mut [T], c: &mut [T], d: &mut [T], e: &mut [T], f: &mut [T], g: &mut [T],
    );
}

/// Channels at most.
pub(super) const CHANNELS: usize = 7;

/// Takes pixels apart to planes, of which those past the number of channels are empty.
#[inline(always)]
pub(super) fn split<T: Copy, const P: usize>(pixels: &[[T; P]], mut planes: [&mut [T]; CHANNELS]) {
    for plane in &mut planes[..P] {
        *plane = &mut take(plane)[..pixels.len()];
    }
    for (number, pixel) in pixels.iter().enumerate() {
        for channel in 0..P {
            planes[channel][number] = pixel[channel];
        }
    }
}

/// What depends on the instruction sets that there are.
macro_rules! of_sets {
    ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        $(impl Compiled for $vector {
            #[target_feature(enable = $features)]
            unsafe fn kernel<W: Work>(task: &mut KernelTask, _all: &Stretches) {
                // SAFETY: the caller vouches for what the work asks, and this function is compiled for the vector's instructions.
                unsafe { W::run::<$vector>(task) }
            }

            #[target_feature(enable = $features)]
            unsafe fn shuffle(src: *const u8, dst: *mut u8, groups: &ByteGroups) {
                // SAFETY: as above.
                unsafe { groups.move_all::<$vector>(src, dst) }
            }

            #[target_feature(enable = $features)]
            #[inline(never)]
            #[rustfmt::skip]
            unsafe fn split<T: Copy, const P: usize>(
                pixels: &[[T; P]],
                a: &mut [T], b: &mut [T], c: &mut [T], d: &mut [T], e: &mut [T], f: &mut [T], g: &mut [T],
            ) {
                split(pixels, [a, b, c, d, e, f, g]);
            }
        })*

        /// What moves groups of a few bytes for a set, whose vectors shuffle.
        pub(in crate::kernel::raw) fn shuffle_of(set: InstructionSet) -> Option<Shuffle> {
            let all: &[(InstructionSet, Shuffle, bool)] = &[$((InstructionSet::$set, <$vector>::shuffle, <$vector>::SHUFFLES && matches!(stringify!($family), "all"))),*];
            let found = all.iter().filter(|(of, _, shuffles)| *shuffles && *of <= set);
            found.map(|(_, shuffle, _)| *shuffle).next_back()
        }
    };
}

sets!(of_sets);
