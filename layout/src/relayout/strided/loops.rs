//! The loops of copies from and to strides that are known at the call.

use core::mem::MaybeUninit;

use layout_copy::__private::{
    InlineMemory, InlineNest, LEVELS, Memory, Nested, Plan, PlanTemplate, Strides as LoopStrides,
    copy_loops,
};
use layout_copy::Settings;
use layout_core::__private::{Counts, native};
use layout_core::{Digits, Index, Size};

use crate::array::with_dims::WithDims;
use crate::compiled::eval::NO_COUNTS;
use crate::compiled::{self, AnyLayout};
use crate::memory::strided::{self, Strides};
use crate::memory::{Strided, StridedMut, View, ViewMut};
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::layouts::varying;
use crate::relayout::choice::{ByKernels, ByLoops, OfCall, by_loops, by_plan};
use crate::relayout::padding::fill_before;
use crate::types::index::IndexArray;

/// The loops between a layout and strides, whatever these are: to them (`TO`), or from them. The strides are the unknown counts of
/// their side.
pub(in crate::relayout) struct Between<L: AnyLayout, const TO: bool> {
    /// Where index 0 lies in the memory that has strides.
    first: usize,
    /// Below 0 in two's complement. A copy of them, whose address nobody has: the compiler keeps them in registers.
    strides: L::Index,
    layout: WithDims<L>,
}

impl<L: AnyLayout, const TO: bool> Clone for Between<L, TO> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: AnyLayout, const TO: bool> Copy for Between<L, TO> {}

impl<L: AnyLayout, const TO: bool> Between<L, TO> {
    const LOOPS: &'static Option<InlineNest> = &match Self::TEMPLATE {
        Some(template) => InlineNest::of(template, [!TO, TO]),
        None => None,
    };

    /// The layout has the sizes of the array.
    #[inline(always)]
    pub(in crate::relayout) fn of<const R: usize>(place: &Strides<R>, layout: WithDims<L>) -> Self {
        let mut strides = L::ORIGIN;
        for (to, stride) in strides.as_mut().iter_mut().zip(&place.strides) {
            *to = stride.cast_unsigned();
        }
        Between::at(place.first, strides, layout)
    }

    /// Of strides as their two's complements.
    #[inline(always)]
    pub(in crate::relayout) const fn at(
        first: usize,
        strides: L::Index,
        layout: WithDims<L>,
    ) -> Self {
        Between { first, strides, layout }
    }

    #[inline(always)]
    fn counts(&self) -> [Counts; 2] {
        let (mut counts, of_layout) = (*NO_COUNTS, L::counts(&self.layout.sizes()));
        for (count, stride) in counts.iter_mut().zip(self.strides.as_ref()) {
            *count = bits(stride.cast_signed());
        }
        if TO { [of_layout, counts] } else { [counts, of_layout] }
    }
}

impl<B: AnyLayout<Index = [usize; R]>, const R: usize> Between<B, false> {
    /// Writes what a function makes of each element, in the order of the destination's loops. False if there are no such loops.
    #[inline(always)]
    pub(in crate::relayout) fn map<T: Copy + 'static, U: Copy + 'static>(
        &self,
        src: &[T],
        dst: &mut [U],
        function: &mut impl FnMut([usize; R], T) -> U,
    ) -> bool {
        if const { !<Self as ByLoops<T>>::HAS_NEST } {
            return false;
        }
        let (sizes, strides) = ByLoops::<T>::sized(self);
        let memory = InlineMemory::of(src, dst).beginning_at(ByLoops::<T>::first(self));
        memory.map::<Self>(&sizes, &strides, |index, element| {
            let mut at = [0; R];
            at.copy_from_slice(&index[..R]);
            function(at, element)
        })
    }
}

impl<L: AnyLayout, const TO: bool> Nested for Between<L, TO> {
    const NEST: &'static InlineNest = match Self::LOOPS {
        Some(nest) => nest,
        None => InlineNest::NONE,
    };
}

impl<L: AnyLayout, T: Copy + 'static, const TO: bool> ByKernels<T> for Between<L, TO> {
    #[inline(always)]
    fn elements(&self) -> usize {
        self.layout.elements()
    }

    fn fill(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>) {
        fill_before(&self.layout, dst, value);
    }

    fn move_elements(&self, memory: Memory<'_>, settings: &Settings) {
        by_plan::<_, T>(self, memory, settings);
    }
}

impl<L: AnyLayout, const TO: bool> OfCall for Between<L, TO> {
    /// `None` of layouts whose digits are not digits of coordinates.
    const TEMPLATE: &'static Option<PlanTemplate> = &{
        let strided = L::DIGITS.with_unknown_strides();
        let [src, dst] = if TO { [L::DIGITS, &strided] } else { [&strided, L::DIGITS] };
        PlanTemplate::new(src, dst, varying::<L>())
    };

    #[inline(always)]
    fn plan(&self, template: &PlanTemplate, element: Size) -> Plan {
        let ([from, to], dims) = (&self.counts(), self.layout.dims());
        let mut plan =
            template.plan(Index::of_native(dims.as_ref()).as_slice(), [from, to], element);
        let first = self.first as Size;
        plan.begin_at(if TO { [0, first] } else { [first, 0] });
        plan
    }

    fn digits(&self) -> [Digits; 2] {
        let strides = self.strides.as_ref().iter().map(|stride| stride.cast_signed());
        let strided = strided::digits(self.layout.dims().as_ref(), strides);
        let layout = compiled::digits::<L>(&self.layout.sizes());
        if TO { [layout, strided] } else { [strided, layout] }
    }
}

impl<L: AnyLayout, T: Copy + 'static, const TO: bool> ByLoops<T> for Between<L, TO> {
    const HAS_NEST: bool = Self::LOOPS.is_some();

    #[inline(always)]
    fn sized(&self) -> ([usize; LEVELS], LoopStrides) {
        let [from, to] = &self.counts();
        Self::NEST.sized(self.layout.dims().as_ref(), [from, to])
    }

    #[inline(always)]
    fn first(&self) -> [usize; 2] {
        if TO { [0, self.first] } else { [self.first, 0] }
    }

    #[inline(always)]
    fn is_spread(&self, sizes: &[usize; LEVELS], strides: &LoopStrides) -> bool {
        let has_few = has_few::<Self, T>(sizes, strides);
        !cfg!(debug_assertions)
            && is_spread::<Self, _, 1>([self.strides], self.layout.dims(), *sizes, has_few)
    }
}

/// The loops between strides and strides of arrays of the same sizes.
#[derive(Clone, Copy)]
pub(in crate::relayout) struct OfRank<const R: usize>(pub [Strides<R>; 2]);

/// A dimension of both sides, as a loop of their nest.
#[derive(Clone, Copy)]
pub(in crate::relayout) struct Level {
    pub dim: usize,
    size: usize,
    strides: [isize; 2],
}

impl<const R: usize> OfRank<R> {
    /// The dimensions in the order of the destination, the outermost first; those with one element are around the others.
    #[inline(always)]
    pub(in crate::relayout) fn levels(&self) -> [Level; R] {
        let [src, dst] = &self.0;
        let mut levels = core::array::from_fn(|dim| {
            let (size, strides) = (src.dims[dim], [src.strides[dim], dst.strides[dim]]);
            Level { dim, size, strides }
        });
        let distance = |of: &Level| {
            if of.size > 1 { of.strides[1].unsigned_abs() } else { usize::MAX }
        };
        // By pairs: of a few dimensions the compiler keeps all numbers in registers.
        for end in (1..R).rev() {
            for at in 0..end {
                if distance(&levels[at]) < distance(&levels[at + 1]) {
                    levels.swap(at, at + 1);
                }
            }
        }
        levels
    }
}

impl<const R: usize> OfRank<R> {
    /// Writes what a function makes of each element, in the order of the destination's memory. False if there are no such loops.
    #[inline(always)]
    pub(in crate::relayout) fn map<T: Copy + 'static, U: Copy + 'static>(
        &self,
        src: &[T],
        dst: &mut [U],
        function: &mut impl FnMut([usize; R], T) -> U,
    ) -> bool {
        if const { !<Self as ByLoops<T>>::HAS_NEST } {
            return false;
        }
        let order = self.levels().map(|level| level.dim);
        let (sizes, strides) = ByLoops::<T>::sized(self);
        let memory = InlineMemory::of(src, dst).beginning_at(ByLoops::<T>::first(self));
        memory.map::<Self>(&sizes, &strides, |of_levels, element| {
            let mut index = [0; R];
            for (dim, at) in order.into_iter().zip(of_levels) {
                index[dim] = *at;
            }
            function(index, element)
        })
    }
}

impl<const R: usize> Nested for OfRank<R> {
    const NEST: &'static InlineNest =
        if R <= LEVELS { &InlineNest::of_rank(R) } else { InlineNest::NONE };
}

impl<T: Copy + 'static, const R: usize> ByKernels<T> for OfRank<R> {
    #[inline(always)]
    fn elements(&self) -> usize {
        // The other sizes of an array without elements may be any.
        self.0[0].dims.iter().fold(1, |elements, size| elements.wrapping_mul(*size))
    }

    /// It has no padding.
    fn fill(&self, _: &mut [MaybeUninit<T>], _: MaybeUninit<T>) {}

    fn move_elements(&self, memory: Memory<'_>, settings: &Settings) {
        let dims = Index::of_native(&self.0[0].dims);
        let strides = self.0.map(|place| place.strides.map(bits));
        let strides = strides.each_ref().map(<[Size; R]>::as_slice);
        let mut plan = Plan::of_strides(dims.as_slice(), strides, size_of::<T>() as Size);
        plan.begin_at(self.0.map(|place| place.first as Size));
        copy_loops(&plan, memory, size_of::<T>(), settings);
    }
}

impl<T: Copy + 'static, const R: usize> ByLoops<T> for OfRank<R> {
    const HAS_NEST: bool = R <= LEVELS;

    #[inline(always)]
    fn sized(&self) -> ([usize; LEVELS], LoopStrides) {
        let (mut sizes, mut strides) = ([1; LEVELS], [[1; 2]; LEVELS]);
        for (level, of) in self.levels().into_iter().enumerate() {
            (sizes[level], strides[level]) = (of.size, of.strides.map(isize::cast_unsigned));
        }
        (sizes, strides)
    }

    #[inline(always)]
    fn first(&self) -> [usize; 2] {
        self.0.map(|place| place.first)
    }

    #[inline(always)]
    fn is_spread(&self, sizes: &[usize; LEVELS], strides: &LoopStrides) -> bool {
        let (places, has_few) = (self.0, has_few::<Self, T>(sizes, strides));
        let strides = places.map(|place| place.strides.map(isize::cast_unsigned));
        !cfg!(debug_assertions) && is_spread::<Self, _, 2>(strides, places[0].dims, *sizes, has_few)
    }
}

/// A stride as plans have it: below 0 in two's complement.
const fn bits(stride: isize) -> Size {
    stride as i64 as Size
}

/// Whether no more than some bytes lie side by side on both sides.
#[inline(always)]
fn has_few<N: Nested, T>(sizes: &[usize; LEVELS], strides: &LoopStrides) -> bool {
    let (last, extent) = (N::NEST.last(), native(N::NEST.row().extent));
    strides[last] == [1, 1] && sizes[last].min(extent) * size_of::<T>() < FEW_BYTES_OF_A_RUN
}

/// Of so many kernels load and store vectors.
const FEW_BYTES_OF_A_RUN: usize = 8;

/// Whether loops are best for arrays of any size, given the strides of the sides that have some; `has_few` says that their runs are
/// short. By value, so that small arrays, for which it is not called, stay in registers.
#[inline(never)]
fn is_spread<N: Nested, I: IndexArray, const SIDES: usize>(
    strides: [I; SIDES],
    dims: I,
    sizes: [usize; LEVELS],
    has_few: bool,
) -> bool {
    let dims = dims.as_ref();
    // Vectors load and store what lies side by side.
    let have_neighbours = strides.iter().all(|strides| {
        dims.iter().zip(strides.as_ref()).any(|(size, stride)| *size > 1 && *stride == 1)
    });
    (has_few || !have_neighbours)
        && strides.iter().all(|strides| stays_in_cache::<N>(dims, strides.as_ref(), &sizes))
}

/// Lines of memory that stay in the first cache until their next elements are copied.
const LINES: usize = 256;

/// Elements whose memory the larger caches hold: of more, kernels read what is not in a cache in its order.
const FEW_ELEMENTS: usize = 2 << 20;

/// Whether loops come to the next element along a side's smallest stride while its line is in the first cache.
fn stays_in_cache<N: Nested>(dims: &[usize], strides: &[usize], sizes: &[usize; LEVELS]) -> bool {
    let strides = strides.iter().map(|stride| stride.cast_signed().unsigned_abs());
    let strides = strides.zip(dims).enumerate();
    let apart = strides.filter(|(_, (stride, size))| *stride > 0 && **size > 1);
    let Some((nearest, _)) = apart.min_by_key(|(_, (stride, _))| *stride) else { return true };
    let mut lines: usize = 1;
    for (of, size) in N::NEST.loops().iter().zip(sizes).rev() {
        if usize::from(of.dim) == nearest {
            // Of a dimension in several loops they come to the next elements of another one after all others.
            let elements = dims.iter().fold(1, |all: usize, size| all.saturating_mul(*size));
            return lines <= LINES && (of.is_top || elements <= FEW_ELEMENTS);
        }
        lines = lines.saturating_mul(size.div_ceil(native(of.unit)).min(native(of.extent)));
    }
    lines <= LINES
}

/// Copies from strides to a layout by loops of the caller, for tests and benchmarks. False if it is not done.
pub fn from_strides_inline<B, T, const R: usize>(
    from: &Strided<'_, T, R>,
    to: &mut ViewMut<'_, B, T>,
    padding: Option<T>,
) -> bool
where
    B: AnyLayout<Index = [usize; R]>,
    T: Copy + 'static,
{
    let sides = Between::<B, false>::of(from.place(), to.layout());
    by_loops(sides, &mut CopiedSlots::of(from.as_slice(), to.as_mut_slice(), padding))
}

/// The same to strides.
pub fn to_strides_inline<A, T, const R: usize>(
    from: &View<'_, A, T>,
    to: &mut StridedMut<'_, T, R>,
) -> bool
where
    A: AnyLayout<Index = [usize; R]>,
    T: Copy + 'static,
{
    let sides = Between::<A, true>::of(to.place(), from.layout());
    by_loops(sides, &mut CopiedSlots::of(from.as_slice(), to.as_mut_slice(), None))
}

/// The same between strides.
pub fn between_strides_inline<T: Copy + 'static, const R: usize>(
    from: &Strided<'_, T, R>,
    to: &mut StridedMut<'_, T, R>,
) -> bool {
    let sides = OfRank([*from.place(), *to.place()]);
    by_loops(sides, &mut CopiedSlots::of(from.as_slice(), to.as_mut_slice(), None))
}
