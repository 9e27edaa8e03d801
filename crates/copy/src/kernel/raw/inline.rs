//! Copies as loops in the caller's code, which the compiler sees through: for arrays so small that a call, or a plan, would take
//! longer than the copy, and for what a function of the caller's makes of each element.

mod matrix;
mod shuffled;

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_core::base::width::native;
use layout_core::limits::MAX_DIMS;

use crate::kernel::fill::fill;
use crate::plan::inline::each_level;
use crate::plan::{LEVELS, PlanTemplate, Strides, TemplateLoop};

/// Something that has a nest of loops: a pair of layouts. Only constructors of [`PlanTemplate`] make a nest, so copies trust it.
pub trait Nested {
    /// The nest.
    const NEST: &'static PlanTemplate;
}

/// The nest of a pair for arrays that are whole tiles: its loops look for no ends.
#[derive(Clone, Copy, Debug)]
pub struct Whole<N>(PhantomData<N>);

impl<N: Nested> Nested for Whole<N> {
    const NEST: &'static PlanTemplate = &N::NEST.of_whole();
}

/// Bytes up to which the caller's code fills memory.
const FILLED_HERE: usize = 4096;

/// What a copy makes of elements.
trait ElementWork<T> {
    /// What it writes.
    type To: Copy;
    /// Whether it copies elements as they are. That is so little that it may stand in the code several times.
    const IS_COPY: bool;

    /// Of an element, where so much is left of each loop's dimension.
    fn element<N: Nested>(&mut self, left: &[usize; LEVELS], element: T) -> Self::To;
}

/// Of each element the same.
struct Same;

impl<T: Copy> ElementWork<T> for Same {
    type To = T;
    const IS_COPY: bool = true;

    fn element<N: Nested>(&mut self, _left: &[usize; LEVELS], element: T) -> T {
        element
    }
}

/// Of each element what a function says.
struct Mapped<'a, F> {
    function: F,
    sizes: &'a [usize; LEVELS],
}

impl<T: Copy, U: Copy, F: FnMut(&[usize; MAX_DIMS], T) -> U> ElementWork<T> for Mapped<'_, F> {
    type To = U;
    const IS_COPY: bool = false;

    #[inline(always)]
    fn element<N: Nested>(&mut self, left: &[usize; LEVELS], element: T) -> U {
        let mut index = [0; MAX_DIMS];
        each_level! { LEVEL => if const { LEVEL < N::NEST.depth } {
            // Of the loops of a dimension the innermost has the least left.
            index[const { N::NEST.level(LEVEL).dim as usize }] = self.sizes[LEVEL] - left[LEVEL];
        } }
        (self.function)(&index, element)
    }
}

/// The source and the destination of a copy, in elements.
#[derive(Debug)]
pub struct InlineMemory<'a, T, U = T> {
    src: &'a [T],
    dst: &'a mut [MaybeUninit<U>],
    /// Where the first element lies in both.
    first: [usize; 2],
}

impl<'a, T: Copy, U: Copy> InlineMemory<'a, T, U> {
    /// Of initialised memory.
    #[inline(always)]
    pub const fn of(src: &'a [T], dst: &'a mut [U]) -> Self {
        let len = dst.len();
        // SAFETY: it is the same memory, and nothing but elements is written to it.
        let dst = unsafe { core::slice::from_raw_parts_mut(dst.as_mut_ptr().cast(), len) };
        InlineMemory { src, dst, first: [0; 2] }
    }

    /// Of a destination that may hold nothing yet.
    #[inline(always)]
    pub const fn of_uninit(src: &'a [T], dst: &'a mut [MaybeUninit<U>]) -> Self {
        InlineMemory { src, dst, first: [0; 2] }
    }

    /// This memory, borrowed for a shorter time.
    #[inline(always)]
    pub const fn again(&mut self) -> InlineMemory<'_, T, U> {
        InlineMemory { src: self.src, dst: self.dst, first: self.first }
    }

    /// Writes a value to all slots of the destination: in the caller's code, or apart.
    #[inline(always)]
    pub fn fill<const HERE: bool>(&mut self, value: U) {
        let value = MaybeUninit::new(value);
        if HERE && size_of_val(self.dst) <= FILLED_HERE {
            self.dst.fill(value);
        } else {
            fill(None, self.dst.len(), self.dst, value);
        }
    }

    /// This memory, with the first element at these places.
    #[inline(always)]
    #[must_use]
    pub const fn beginning_at(self, first: [usize; 2]) -> Self {
        let InlineMemory { src, dst, .. } = self;
        InlineMemory { src, dst, first }
    }

    /// Whether no element would lie outside of its slice.
    #[inline(always)]
    const fn holds<N: Nested>(&self, sizes: &[usize; LEVELS], strides: &Strides) -> bool {
        let InlineMemory { src, dst, first: [from, to] } = self;
        match N::NEST.reach(sizes, strides) {
            Some([src_reach, dst_reach]) => {
                is_within(*from, src_reach, src.len()) && is_within(*to, dst_reach, dst.len())
            }
            None => false,
        }
    }

    /// Where the first element lies.
    #[inline(always)]
    const fn begin(&mut self) -> (*const T, *mut MaybeUninit<U>) {
        let [from, to] = self.first;
        (self.src.as_ptr().wrapping_add(from), self.dst.as_mut_ptr().wrapping_add(to))
    }

    /// Writes what the function makes of each element and its index, as [`copy`](InlineMemory::copy) does. The order
    /// is that of the destination's memory.
    #[inline(always)]
    pub fn map<N: Nested>(
        self,
        sizes: &[usize; LEVELS],
        strides: &Strides,
        function: impl FnMut(&[usize; MAX_DIMS], T) -> U,
    ) -> bool {
        mapped::run::<N, T, _>(self, sizes, strides, &mut Mapped { function, sizes })
    }
}

impl<T: Copy> InlineMemory<'_, T> {
    /// Copies all elements, for loops whose dimensions have these sizes, none of them 0, and which have these strides.
    /// Slots that hold no element stay as they are.
    ///
    /// False if an element would lie outside of its slice; nothing is written then.
    #[inline(always)]
    pub const fn copy<N: Nested>(self, sizes: &[usize; LEVELS], strides: &Strides) -> bool {
        copied::run::<N, T, _>(self, sizes, strides, &mut Same)
    }
}

/// Whether a slice has what lies so far before and after an element.
#[inline(always)]
const fn is_within(first: usize, [before, after]: [usize; 2], len: usize) -> bool {
    let (last, is_cut) = first.overflowing_add(after);
    before <= first && !is_cut && last < len
}

/// How far a value of a loop lies from the first one, below 0 in two's complement.
///
/// # Safety
/// An element lies there. So the product is not cut off, which lets the compiler load what lies between elements, too.
#[inline(always)]
// Products that do not wrap: without that LLVM does not load what lies between elements of stride 2, and two
// channels to planes of numbers took 10 times as long.
const unsafe fn steps(stride: usize, value: usize) -> isize {
    // SAFETY: as above.
    unsafe { value.cast_signed().unchecked_mul(stride.cast_signed()) }
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

/// Bytes of moves that are no call.
const FEW_BYTES: usize = 128;
/// Bytes from which on a row of constant length is moved by a call of `memcpy`, which has larger vectors than the caller's code: 16 KiB take 114 ns
/// and 186 by vectors of the caller's, 1 KiB 13 and 19; 7 rows of 4 KiB 184 and 327, 15 of 1 KiB 109 and 174, 30 of 512 bytes 108 and 172 (AMD EPYC).
const MANY_BYTES: usize = 512;
/// Bytes of two moves.
const TWO_MOVES: usize = 32;

/// The nest for a kind of work: functions that are `const`, or not, and that make of an element and its place in the innermost
/// loop what an expression says. Functions of the user's cannot be called in a `const`, which alone makes two of it.
// Each loop's function takes both slices as references, not as pointers: LLVM then knows that they share no
// memory, and a scale that the user's function reads stays in a register for a row. What is copied is handed on
// by value, since a value whose address is passed on is kept in memory.
macro_rules! nest {
    ($module:ident [$($const:tt)?] $work:path, |$of:ident, $left:ident, $value:ident, $element:ident| $result:expr) => {
        mod $module {
            use super::*;

            /// See [`InlineMemory::copy`](super::InlineMemory::copy).
            #[inline(always)]
            pub(super) $($const)? fn run<N: Nested, T: Copy, W: $work>(
                memory: InlineMemory<'_, T, W::To>,
                sizes: &[usize; LEVELS],
                strides: &Strides,
                work: &mut W,
            ) -> bool {
                if !memory.holds::<N>(sizes, strides) {
                    return false;
                }
                let InlineMemory { src, dst, first } = memory;
                // Loops of their own for strides of the caller's that are frequent: there the compiler knows them.
                macro_rules! known {
                    ($of_row:expr) => {{
                        let mut strides = *strides;
                        strides[N::NEST.depth - 1] = $of_row;
                        // SAFETY: no element lies farther than that before or after the first one.
                        unsafe { level_0::<N, T, W>(first, *sizes, &strides, src, dst, work) };
                    }};
                }
                match strides[N::NEST.depth - 1] {
                    [1, 1] if const { N::NEST.has_any() } => known!([1, 1]),
                    [usize::MAX, 1] if const { N::NEST.are_any[0] } => known!([usize::MAX, 1]),
                    [2, 1] if const { N::NEST.are_any[0] } => known!([2, 1]),
                    others => known!(others),
                }
                true
            }

            nest! { [$($const)?] $work, level_0 0 then level_1: 1 2 3 4 5 6 7 }
            nest! { [$($const)?] $work, level_1 1 then level_2: 2 3 4 5 6 7 }
            nest! { [$($const)?] $work, level_2 2 then level_3: 3 4 5 6 7 }
            nest! { [$($const)?] $work, level_3 3 then level_4: 4 5 6 7 }
            nest! { [$($const)?] $work, level_4 4 then level_5: 5 6 7 }
            nest! { [$($const)?] $work, level_5 5 then level_6: 6 7 }
            nest! { [$($const)?] $work, level_6 6 then row: 7 }

            /// The innermost loop.
            ///
            /// # Safety
            /// As of the other levels.
            #[inline(always)]
            $($const)? unsafe fn row<N: Nested, T: Copy, W: $work>(
                at: [usize; 2],
                $left: [usize; LEVELS],
                strides: &Strides,
                src: &[T],
                dst: &mut [MaybeUninit<W::To>],
                $of: &mut W,
            ) {
                let of = N::NEST.row();
                let count = values(of, $left[N::NEST.depth - 1]);
                let [from, to] = strides[N::NEST.depth - 1];
                let extent = native(of.extent);
                // SAFETY: the first element lies there.
                let (src, dst) = unsafe { (src.as_ptr().add(at[0]), dst.as_mut_ptr().add(at[1])) };
                macro_rules! elements {
                    ($first:expr, $count:expr) => {{
                        let mut $value = $first;
                        let end_of_row = $first + $count;
                        while $value < end_of_row {
                            // SAFETY: an element lies there.
                            let $element = unsafe { *src.offset(steps(from, $value)) };
                            let result = MaybeUninit::new($result);
                            // SAFETY: as above.
                            unsafe { *dst.offset(steps(to, $value)) = result };
                            $value += 1;
                        }
                    }};
                }
                // Of few elements side by side, whose number is a constant, the compiler makes moves, but no vectors of several rows, which few rows
                // do not repay.
                macro_rules! few {
                    ($first:expr, $count:expr) => {
                        let bytes = $count * size_of::<T>();
                        let is_call = bytes <= FEW_BYTES || bytes >= MANY_BYTES;
                        if W::IS_COPY && from == 1 && to == 1 && is_call {
                            // SAFETY: they are elements of both, which share no memory, and what is written is of the type that is read.
                            unsafe { src.add($first).copy_to_nonoverlapping(dst.add($first).cast(), $count) };
                        } else {
                            elements!($first, $count);
                        }
                    };
                }
                // Several loops, since that of a whole row has a constant number of steps.
                if of.is_whole || !of.is_top && count == extent {
                    few!(0, extent);
                } else if const { W::IS_COPY && N::NEST.has_short_rows() } {
                    // Powers of two that make up the number: constants too.
                    let mut done = 0;
                    macro_rules! power {
                        ($power:expr) => {
                            if count & $power != 0 {
                                few!(done, $power);
                                done += $power;
                            }
                        };
                    }
                    power!(8);
                    power!(4);
                    power!(2);
                    if count & 1 != 0 {
                        few!(done, 1);
                    }
                } else if W::IS_COPY && from == 1 && to == 1 {
                    // Two moves, of which the second one ends with the row.
                    macro_rules! two {
                        ($most:expr) => {
                            if const { $most * size_of::<T>() <= TWO_MOVES } && count <= 2 * $most && (count > $most || $most == 1 && count == 1) {
                                // SAFETY: they are elements of both, which share no memory, and what is written is of the type that is read.
                                unsafe {
                                    src.copy_to_nonoverlapping(dst.cast(), $most);
                                    let last = count - $most;
                                    src.add(last).copy_to_nonoverlapping(dst.add(last).cast(), $most);
                                }
                                return;
                            }
                        };
                    }
                    two!(32);
                    two!(16);
                    two!(8);
                    two!(4);
                    two!(2);
                    two!(1);
                    // SAFETY: as above.
                    unsafe { src.copy_to_nonoverlapping(dst.cast(), count) };
                } else {
                    elements!(0, count);
                }
            }
        }
    };
    // The function of a loop, which calls that of the next one for each value; after the colon are the loops within it.
    ([$($const:tt)?] $work:path, $name:ident $number:literal then $next:ident: $($later:literal)*) => {
        /// # Safety
        /// No offset of an element, from these, is outside of its slice.
        #[inline(always)]
        $($const)? unsafe fn $name<N: Nested, T: Copy, W: $work>(
            at: [usize; 2],
            left: [usize; LEVELS],
            strides: &Strides,
            src: &[T],
            dst: &mut [MaybeUninit<W::To>],
            work: &mut W,
        ) {
            if const { N::NEST.depth == $number + 1 } {
                // SAFETY: as of this function.
                return unsafe { row::<N, T, W>(at, left, strides, src, dst, work) };
            }
            let of = N::NEST.level($number);
            let count = values(of, left[$number]);
            let [from, to] = strides[$number];
            let mut value = 0;
            while value < count {
                let mut left = left;
                left[$number] -= value * native(of.unit);
                $(if $later < N::NEST.depth && N::NEST.level($later).dim == of.dim {
                    left[$later] -= value * native(of.unit);
                })*
                // SAFETY: as of this function.
                unsafe {
                    let at = [
                        at[0].cast_signed().unchecked_add(steps(from, value)).cast_unsigned(),
                        at[1].cast_signed().unchecked_add(steps(to, value)).cast_unsigned(),
                    ];
                    $next::<N, T, W>(at, left, strides, src, dst, work);
                }
                value += 1;
            }
        }
    };
}

nest! { copied [const] ElementWork<T, To = T>, |_of, left, value, element| element }

nest! { mapped [] ElementWork<T>, |work, left, value, element| {
    let mut left = left;
    left[N::NEST.depth - 1] -= value * native(N::NEST.row().unit);
    work.element::<N>(&left, element)
} }
