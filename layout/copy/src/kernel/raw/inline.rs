//! Copies as loops in the caller's code, which the compiler sees through: for arrays so small that a call, or a plan, would take
//! longer than the copy.

use core::mem::MaybeUninit;

use layout_core::base::width::native;

use crate::plan::{InlineNest, LEVELS, Strides, TemplateLoop};

/// Something that has a nest of loops: a pair of layouts.
pub trait Nested {
    /// The nest.
    const NEST: &'static InlineNest;
}

/// The source and the destination of a copy, in elements.
#[derive(Debug)]
pub struct InlineMemory<'a, T> {
    src: &'a [T],
    dst: &'a mut [MaybeUninit<T>],
}

impl<'a, T: Copy> InlineMemory<'a, T> {
    /// Of initialised memory.
    #[inline(always)]
    pub const fn of(src: &'a [T], dst: &'a mut [T]) -> Self {
        let len = dst.len();
        // SAFETY: it is the same memory, and nothing but elements is written to it.
        let dst = unsafe { core::slice::from_raw_parts_mut(dst.as_mut_ptr().cast(), len) };
        InlineMemory { src, dst }
    }

    /// Of a destination that may hold nothing yet.
    #[inline(always)]
    pub const fn of_uninit(src: &'a [T], dst: &'a mut [MaybeUninit<T>]) -> Self {
        InlineMemory { src, dst }
    }

    /// Copies all elements, for loops whose dimensions have these sizes, none of them 0, and which have these strides. Slots
    /// that hold no element get `padding`, where it is given.
    ///
    /// False if the slices are too short for that; nothing is written then.
    #[inline(always)]
    pub const fn copy<N: Nested>(
        self,
        sizes: &[usize; LEVELS],
        strides: &Strides,
        padding: Option<T>,
    ) -> bool {
        let InlineMemory { src, dst } = self;
        match N::NEST.largest(sizes, strides) {
            Some([from, to]) if from < src.len() && to < dst.len() => {}
            _ => return false,
        }
        // SAFETY: no offset of an element is larger than these.
        unsafe {
            match padding {
                None => {
                    _ = level_0::<N, T, false>(
                        [0; 2],
                        *sizes,
                        0,
                        strides,
                        src,
                        dst,
                        MaybeUninit::uninit(),
                    )
                }
                Some(padding) => {
                    let padding = MaybeUninit::new(padding);
                    let end = level_0::<N, T, true>([0; 2], *sizes, 0, strides, src, dst, padding);
                    fill(dst, end, dst.len(), padding);
                }
            }
        }
        true
    }
}

/// Writes a value to the slots of a range that are there.
#[inline(always)]
const fn fill<T: Copy>(
    dst: &mut [MaybeUninit<T>],
    mut at: usize,
    end: usize,
    value: MaybeUninit<T>,
) {
    let end = if end < dst.len() { end } else { dst.len() };
    while at < end {
        // SAFETY: it is below the length.
        unsafe { *dst.as_mut_ptr().add(at) = value };
        at += 1;
    }
}

/// How many values a loop has where `left` is left of its dimension.
#[inline(always)]
const fn values(of: &TemplateLoop, left: usize) -> usize {
    let TemplateLoop { is_top, is_whole, .. } = *of;
    let [unit, extent] = [native(of.unit), native(of.extent)];
    if is_whole {
        return extent;
    }
    let values = if unit == 1 { left } else { left.div_ceil(unit) };
    if is_top || values < extent { values } else { extent }
}

/// Declares the function of a loop, which calls that of the next one for each value. `$later` are the loops within it.
macro_rules! levels {
    ($($name:ident $number:literal then $next:ident: $($later:literal)*;)*) => {$(
        /// Returns where the last element that was written ends, `end` where that of the last one before.
        ///
        /// # Safety
        /// No offset of an element, from these, is past the end of its slice.
        #[inline(always)]
        #[allow(clippy::too_many_arguments, reason = "in a structure the slices might be one memory")]
        #[allow(unused_mut, reason = "the last loop has none within it")]
        const unsafe fn $name<N: Nested, T: Copy, const FILLS: bool>(
            at: [usize; 2],
            left: [usize; LEVELS],
            mut end: usize,
            strides: &Strides,
            src: &[T],
            dst: &mut [MaybeUninit<T>],
            padding: MaybeUninit<T>,
        ) -> usize {
            if const { N::NEST.len == $number + 1 } {
                // SAFETY: as of this function.
                return unsafe { row::<N, T, FILLS>(at, left, end, strides, src, dst, padding) };
            }
            let of = &N::NEST.loops[$number];
            let count = values(of, left[$number]);
            let [from, to] = strides[$number];
            let mut value = 0;
            while value < count {
                let mut left = left;
                $(if $later < N::NEST.len && N::NEST.loops[$later].dim == of.dim {
                    left[$later] -= value * native(of.unit);
                })*
                let at = [at[0] + value * from, at[1] + value * to];
                // SAFETY: as of this function.
                end = unsafe { $next::<N, T, FILLS>(at, left, end, strides, src, dst, padding) };
                value += 1;
            }
            end
        }
    )*};
}

levels! {
    level_0 0 then level_1: 1 2 3 4 5 6 7;
    level_1 1 then level_2: 2 3 4 5 6 7;
    level_2 2 then level_3: 3 4 5 6 7;
    level_3 3 then level_4: 4 5 6 7;
    level_4 4 then level_5: 5 6 7;
    level_5 5 then level_6: 6 7;
    level_6 6 then row: 7;
}

/// The innermost loop.
///
/// # Safety
/// As of the other levels.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "as above")]
const unsafe fn row<N: Nested, T: Copy, const FILLS: bool>(
    at: [usize; 2],
    left: [usize; LEVELS],
    mut end: usize,
    strides: &Strides,
    src: &[T],
    dst: &mut [MaybeUninit<T>],
    padding: MaybeUninit<T>,
) -> usize {
    let of = N::NEST.row();
    let (count, [from, to]) = (values(of, left[N::NEST.len - 1]), strides[N::NEST.len - 1]);
    let (extent, is_contiguous) = (native(of.extent), const { N::NEST.has_rows() });
    if FILLS && is_contiguous {
        fill(dst, end, at[1], padding);
    }
    macro_rules! elements {
        ($count:expr) => {{
            let mut value = 0;
            while value < $count {
                let (from, to) = (at[0] + value * from, at[1] + value * to);
                if FILLS && !is_contiguous {
                    fill(dst, end, to, padding);
                    end = to + 1;
                }
                // SAFETY: both are offsets of an element.
                unsafe { *dst.as_mut_ptr().add(to) = MaybeUninit::new(*src.as_ptr().add(from)) };
                value += 1;
            }
        }};
    }
    // Several loops, since that of a whole row has a constant number of steps.
    if !of.is_top && count == extent {
        elements!(extent);
    } else if const { N::NEST.has_short_rows() } && (!FILLS || dst.len() - at[1] >= extent) {
        // A constant number too: less than a call to copy some bytes, which it would become.
        let mut value = 0;
        while value < extent {
            if value < count {
                // SAFETY: both are offsets of an element.
                let element = unsafe { *src.as_ptr().add(at[0] + value * from) };
                // SAFETY: as above.
                unsafe { *dst.as_mut_ptr().add(at[1] + value) = MaybeUninit::new(element) };
            } else if FILLS {
                // SAFETY: it is below the length.
                unsafe { *dst.as_mut_ptr().add(at[1] + value) = padding };
            }
            value += 1;
        }
        return if FILLS { at[1] + extent } else { at[1] + count };
    } else {
        elements!(count);
    }
    if is_contiguous { at[1] + count } else { end }
}
