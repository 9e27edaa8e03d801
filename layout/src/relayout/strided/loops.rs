//! The loops of copies from and to strides that are known at the call.

use core::mem::MaybeUninit;

use layout_copy::__private::{
    InlineNest, LEVELS, Memory, Nested, Plain, Plan, PlanTemplate, Strides as LoopStrides,
};
use layout_copy::Settings;
use layout_core::__private::{Counts, native};
use layout_core::{Index, Size};

use crate::array::with_dims::WithDims;
use crate::compiled::eval::NO_COUNTS;
use crate::compiled::{self, AnyLayout};
use crate::memory::stored::StoredIn;
use crate::memory::strided::{self, Place, Strided, StridedMut, Strides};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::layouts::varying;
use crate::relayout::choice::{ByKernels, ByLoops, by_digits, by_loops, by_plan};
use crate::relayout::padding::fill_before;

/// The loops between a layout and strides, whatever these are: to them (`TO`), or from them. The strides are the unknown counts of
/// their side.
pub(in crate::relayout) struct Between<'a, L: AnyLayout, const TO: bool> {
    place: Place<'a>,
    layout: WithDims<L>,
}

impl<L: AnyLayout, const TO: bool> Clone for Between<'_, L, TO> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L: AnyLayout, const TO: bool> Copy for Between<'_, L, TO> {}

impl<'a, L: AnyLayout, const TO: bool> Between<'a, L, TO> {
    /// `None` of layouts whose digits are not digits of coordinates.
    const TEMPLATE: &'static Option<PlanTemplate> = &{
        let strided = L::DIGITS.with_unknown_strides();
        let [src, dst] = if TO { [L::DIGITS, &strided] } else { [&strided, L::DIGITS] };
        PlanTemplate::new(src, dst, varying::<L>())
    };

    const LOOPS: &'static Option<InlineNest> = &match Self::TEMPLATE {
        Some(template) => InlineNest::of(template, [!TO, TO]),
        None => None,
    };

    /// The layout has the sizes of the array.
    #[inline(always)]
    pub(in crate::relayout) const fn of(place: Place<'a>, layout: WithDims<L>) -> Self {
        Between { place, layout }
    }

    #[inline(always)]
    fn counts(&self) -> [Counts; 2] {
        let (mut counts, of_layout) = (*NO_COUNTS, L::counts(&self.layout.sizes()));
        for (count, stride) in counts.iter_mut().zip(self.place.strides) {
            *count = bits(*stride);
        }
        if TO { [of_layout, counts] } else { [counts, of_layout] }
    }
}

impl<L: AnyLayout, const TO: bool> Nested for Between<'_, L, TO> {
    const NEST: &'static InlineNest = match Self::LOOPS {
        Some(nest) => nest,
        None => InlineNest::NONE,
    };
}

impl<L: AnyLayout, T: Copy + 'static, const TO: bool> ByKernels<T> for Between<'_, L, TO> {
    #[inline(always)]
    fn elements(&self) -> usize {
        self.place.dims.iter().product()
    }

    fn fill(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>) {
        fill_before(&self.layout, dst, value);
    }

    fn move_elements(&self, memory: Memory<'_>, settings: &Settings) {
        let (size, first) = (size_of::<T>(), ByLoops::<T>::first(self).map(|first| first as Size));
        if let Some(template) = Self::TEMPLATE {
            let ([from, to], dims) = (&self.counts(), Index::of_native(self.place.dims));
            let plan = template.plan(dims.as_slice(), [from, to], size as Size);
            return by_plan(plan.beginning_at(first), size, memory, settings);
        }
        let strided = strided::digits(self.place.dims, self.place.strides);
        let layout = compiled::digits::<L>(&self.layout.sizes());
        let digits = if TO { [&layout, &strided] } else { [&strided, &layout] };
        by_digits(digits, first, size, memory, settings);
    }
}

impl<L: AnyLayout, T: Copy + 'static, const TO: bool> ByLoops<T> for Between<'_, L, TO> {
    const HAS_NEST: bool = Self::LOOPS.is_some();

    #[inline(always)]
    fn sized(&self) -> ([usize; LEVELS], LoopStrides) {
        let [from, to] = &self.counts();
        Self::NEST.sized(self.place.dims, [from, to])
    }

    #[inline(always)]
    fn first(&self) -> [usize; 2] {
        if TO { [0, self.place.first] } else { [self.place.first, 0] }
    }

    #[inline(always)]
    fn is_spread(&self, sizes: &[usize; LEVELS], strides: &LoopStrides) -> bool {
        is_spread::<Self>(&[self.place], sizes, has_few::<Self, T>(sizes, strides))
    }
}

/// The loops between strides and strides.
#[derive(Clone, Copy)]
pub(in crate::relayout) struct OfRank<'a, const R: usize>(pub [&'a Strides<R>; 2]);

impl<const R: usize> Nested for OfRank<'_, R> {
    const NEST: &'static InlineNest =
        if R <= LEVELS { &InlineNest::of_rank(R) } else { InlineNest::NONE };
}

impl<T: Copy + 'static, const R: usize> ByKernels<T> for OfRank<'_, R> {
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
        let plan = Plan::of_strides(dims.as_slice(), strides, size_of::<T>() as Size);
        let plan = plan.beginning_at(self.0.map(|place| place.first as Size));
        by_plan(plan, size_of::<T>(), memory, settings);
    }
}

impl<T: Copy + 'static, const R: usize> ByLoops<T> for OfRank<'_, R> {
    const HAS_NEST: bool = R <= LEVELS;

    /// In the order of the destination, dimensions with one element around the others.
    #[inline(always)]
    fn sized(&self) -> ([usize; LEVELS], LoopStrides) {
        let (places, dims) = (self.0, &self.0[0].dims);
        let mut order: [usize; R] = core::array::from_fn(|dim| dim);
        let distance = |dim: usize| {
            if dims[dim] > 1 { places[1].strides[dim].unsigned_abs() } else { usize::MAX }
        };
        for end in 1..R {
            let mut at = end;
            while at > 0 && distance(order[at - 1]) < distance(order[at]) {
                order.swap(at - 1, at);
                at -= 1;
            }
        }
        let (mut sizes, mut strides) = ([1; LEVELS], [[1; 2]; LEVELS]);
        for (level, dim) in order.into_iter().enumerate() {
            sizes[level] = dims[dim];
            strides[level] = places.map(|place| place.strides[dim].cast_unsigned());
        }
        (sizes, strides)
    }

    #[inline(always)]
    fn first(&self) -> [usize; 2] {
        self.0.map(|place| place.first)
    }

    #[inline(always)]
    fn is_spread(&self, sizes: &[usize; LEVELS], strides: &LoopStrides) -> bool {
        is_spread::<Self>(&self.0.map(Strides::place), sizes, has_few::<Self, T>(sizes, strides))
    }
}

/// A stride as plans have it: below 0 in two's complement.
const fn bits(stride: isize) -> Size {
    stride as i64 as Size
}

/// Whether no more than some bytes lie side by side on both sides.
#[inline(always)]
fn has_few<N: Nested, T>(sizes: &[usize; LEVELS], strides: &LoopStrides) -> bool {
    let (last, extent) = (N::NEST.len - 1, native(N::NEST.row().extent));
    strides[last] == [1, 1] && sizes[last].min(extent) * size_of::<T>() < FEW_BYTES_OF_A_RUN
}

/// Of so many kernels load and store vectors.
const FEW_BYTES_OF_A_RUN: usize = 8;

/// Whether loops are best for arrays of any size. The places are those of the sides with strides; `has_few` says that their runs
/// are short.
#[inline(always)]
fn is_spread<N: Nested>(places: &[Place<'_>], sizes: &[usize; LEVELS], has_few: bool) -> bool {
    // Vectors load and store what lies side by side.
    let have_neighbours = places.iter().all(|place| {
        place.dims.iter().zip(place.strides).any(|(size, stride)| *size > 1 && *stride == 1)
    });
    !cfg!(debug_assertions)
        && (has_few || !have_neighbours)
        && places.iter().all(|place| stays_in_cache::<N>(place, sizes))
}

/// Lines of memory that stay in the first cache until their next elements are copied.
const LINES: usize = 256;

/// Whether loops come to the next element along a side's smallest stride while its line is in the first cache.
fn stays_in_cache<N: Nested>(place: &Place<'_>, sizes: &[usize; LEVELS]) -> bool {
    let strides = place.strides.iter().map(|stride| stride.unsigned_abs());
    let strides = strides.zip(place.dims).enumerate();
    let apart = strides.filter(|(_, (stride, size))| *stride > 0 && **size > 1);
    let Some((nearest, _)) = apart.min_by_key(|(_, (stride, _))| *stride) else { return true };
    let mut lines: usize = 1;
    for (of, size) in N::NEST.loops[..N::NEST.len].iter().zip(sizes).rev() {
        if usize::from(of.dim) == nearest {
            break;
        }
        lines = lines.saturating_mul(size.div_ceil(native(of.unit)).min(native(of.extent)));
    }
    lines <= LINES
}

/// For tests: copies from strides in the caller's code, whatever a program would do.
///
/// False if the layout has no nest of loops, or the array no elements.
pub fn from_strides_inline<B, T, const R: usize>(
    from: &Strided<'_, T, R>,
    to: &mut ViewMut<'_, B, T>,
    padding: Option<T>,
) -> bool
where
    B: AnyLayout<Index = [usize; R]>,
    T: StoredIn<B>,
{
    let sides = Between::<B, false>::of(from.place.place(), to.layout());
    by_loops::<_, T, true>(
        sides,
        &mut CopiedSlots::of(Plain::NO, from.data, to.as_mut_slice(), padding),
    )
}

/// For tests: [`from_strides_inline`] the other way.
pub fn to_strides_inline<A, T, const R: usize>(
    from: &View<'_, A, T>,
    to: &mut StridedMut<'_, T, R>,
) -> bool
where
    A: AnyLayout<Index = [usize; R]>,
    T: StoredIn<A>,
{
    let sides = Between::<A, true>::of(to.place.place(), from.layout());
    by_loops::<_, T, true>(sides, &mut CopiedSlots::of(Plain::NO, from.as_slice(), to.data, None))
}

/// For tests: [`from_strides_inline`] to strides.
pub fn between_strides_inline<T: Copy + 'static, const R: usize>(
    from: &Strided<'_, T, R>,
    to: &mut StridedMut<'_, T, R>,
) -> bool {
    let sides = OfRank([&from.place, &to.place]);
    by_loops::<_, T, true>(sides, &mut CopiedSlots::of(Plain::NO, from.data, to.data, None))
}
