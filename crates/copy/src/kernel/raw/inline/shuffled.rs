//! Arrays of groups of a few bytes, such as the channels of pixels, which shuffles put together without a plan.

use core::mem::MaybeUninit;

use crate::kernel::raw::inline::{InlineMemory, Nested};
use crate::kernel::raw::vectors::compiled::shuffle_of;
use crate::kernel::raw::vectors::groups::{ByteGroups, ByteGroupsOf, MOST};
use crate::kernel::settings::InstructionSet;
use crate::plain::Plain;
use crate::plan::{LEVELS, Strides};

impl<T: Copy> InlineMemory<'_, T> {
    /// The elements of each of the groups of a few bytes that the innermost loops take, if they do; these are side by side in the destination.
    #[inline(always)]
    pub fn group<N: Nested>(sizes: &[usize; LEVELS], strides: &Strides) -> Option<usize> {
        if const { !N::NEST.is_untiled() } {
            return None;
        }
        groups::<T>(N::NEST.depth, sizes, strides).map(|(_, groups)| groups.elements)
    }

    /// Copies all elements as [`copy`](InlineMemory::copy) does, if the innermost loops take groups of a few bytes. They are plain
    /// numbers.
    ///
    /// False if it is not done, or if the slices are too short; nothing is written then. All is passed by value: the caller then keeps it in
    /// registers.
    #[inline(never)]
    pub fn shuffle<N: Nested>(
        mut self,
        plain: Plain<T>,
        sizes: [usize; LEVELS],
        strides: Strides,
    ) -> bool {
        let Some((outer, of)) = groups::<T>(N::NEST.depth, &sizes, &strides) else { return false };
        let size = size_of::<T>();
        let steps = of.steps.map(|step| step.wrapping_mul(size));
        let of = ByteGroupsOf { steps, near: of.near.wrapping_mul(size), ..of };
        let (Some(shuffle), Some(groups)) =
            (shuffle_of(InstructionSet::best()), ByteGroups::new(of, size))
        else {
            return false;
        };
        // What lies between groups is initialised and nobody else's where strides of the caller's say where they are.
        if !plain.is_plain()
            || groups.have_gaps() && !N::NEST.are_any[1]
            || !self.holds::<N>(&sizes, &strides)
        {
            return false;
        }
        each(&sizes[..outer], &strides[..outer], self.begin(), &mut |src, dst| {
            // SAFETY: no element lies farther than was compared, elements are plain, all of whose bytes are initialised, and the processor
            // has the instructions.
            unsafe { shuffle(src.cast(), dst.cast(), &groups) };
        });
        true
    }
}

/// How many loops are around groups, and what these are, in elements.
#[inline(always)]
fn groups<T>(
    len: usize,
    sizes: &[usize; LEVELS],
    strides: &Strides,
) -> Option<(usize, ByteGroupsOf)> {
    let most = const { if size_of::<T>() == 0 { 0 } else { MOST / size_of::<T>() } };
    let is_short = |steps: usize| steps.cast_signed().unsigned_abs() <= most;
    let last = len - 1;
    let ([near, dst], elements) = (strides[last], sizes[last]);
    if dst != 1 || !is_short(near) {
        return None;
    }
    if last > 0 && is_short(elements) && strides[last - 1].iter().all(|step| is_short(*step)) {
        let (count, steps) = (sizes[last - 1], strides[last - 1]);
        return Some((last - 1, ByteGroupsOf { count, steps, elements, near }));
    }
    // Of larger ones the compiler's vectors are as fast.
    let of = ByteGroupsOf { count: elements, steps: [near, 1], elements: 1, near: 0 };
    if size_of::<T>() <= 2 && near != 1 { Some((last, of)) } else { None }
}

/// Does something at each value of some loops, the last of which is the innermost.
pub(super) fn each<T>(
    sizes: &[usize],
    strides: &[[usize; 2]],
    (src, dst): (*const T, *mut MaybeUninit<T>),
    then: &mut impl FnMut(*const T, *mut MaybeUninit<T>),
) {
    let ([size, sizes @ ..], [[from, to], strides @ ..]) = (sizes, strides) else {
        return then(src, dst);
    };
    for value in 0..*size {
        let src = src.wrapping_add(value.wrapping_mul(*from));
        let dst = dst.wrapping_add(value.wrapping_mul(*to));
        each(sizes, strides, (src, dst), then);
    }
}
