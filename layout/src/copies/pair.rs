//! The two sides of a copy, as plain data: two mappings, and what follows of both before any memory is known.
#![deny(unsafe_code)]

use core::marker::PhantomData;
use core::slice::from_ref;

use layout_copy::__private::{
    InlineMemory, LEVELS, MOST_PARTS, Nested, PaddingPlan, Plan, PlanTemplate, PreparedPlan,
    Strides,
};
use layout_core::__private::{DigitsView, native};
use layout_core::analysis::{Sum, Term};
use layout_core::base::width::wrapped;
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Index, Size};

use crate::compiled::eval::NO_COUNTS;
use crate::memory::{AnyIndex, place::mapping::Form, place::mapping::Mapping};

/// A copy between two sides that have an array of the same sizes. `INDEXED`, no dimensions are counted as one, so that an index can be told.
#[derive(Clone, Copy)]
pub(super) struct Pair<A, B, const INDEXED: bool = false> {
    pub from: A,
    pub to: B,
}

impl<A: Mapping, B: Mapping, const INDEXED: bool> Pair<A, B, INDEXED> {
    /// Whether values say nothing: then the plan is a constant.
    pub(super) const IS_CONSTANT: bool = A::SLOTS.is_some() && B::SLOTS.is_some();

    pub(super) const RANK: usize = match <A::Index as AnyIndex>::KNOWN_RANK {
        Some(rank) => rank,
        None => 0,
    };

    /// Whether both sides have strides. Then the order of the loops is known at the call only.
    pub(super) const HAS_STRIDES_ALONE: bool =
        matches!([A::FORM, B::FORM], [Form::Strides, Form::Strides]);

    const LOOPS: Option<PlanTemplate> = match ([A::FORM, B::FORM], A::DIGITS, B::DIGITS) {
        ([Form::Layout, Form::Layout], Some(from), Some(to)) => {
            PlanTemplate::new([from, to], A::VARYING | B::VARYING, INDEXED)
        }
        ([_, Form::Strides], Some(from), _) => {
            PlanTemplate::new([from, &from.with_unknown_strides()], A::VARYING, false)
        }
        ([Form::Strides, _], _, Some(to)) => {
            PlanTemplate::new([&to.with_unknown_strides(), to], B::VARYING, false)
        }
        ([Form::Strides, Form::Strides], ..) => Some(PlanTemplate::of_rank(Self::RANK)),
        // Digits that are values, or of an array that is cut within tiles.
        _ => None,
    };

    /// The loops of all plans, and those for the caller's code. `None` of layouts that share no split.
    pub(super) const TEMPLATE: &'static Option<PlanTemplate> = &match Self::LOOPS {
        Some(loops) => Some(
            loops.in_code([matches!(A::FORM, Form::Strides), matches!(B::FORM, Form::Strides)]),
        ),
        None => None,
    };

    /// Whether plans are of runs.
    pub(super) const fn has_runs<T>() -> bool {
        matches!(Self::TEMPLATE, Some(loops) if loops.has_runs(size_of::<T>()))
    }

    /// Whether there are loops for the caller's code.
    pub(super) const HAS_NEST: bool = matches!(Self::TEMPLATE, Some(loops) if loops.depth() > 0);

    /// The size of each loop's dimension, and each loop's strides, where the compiler knows all.
    pub(super) const SIZED: &'static ([usize; LEVELS], Strides) = &match A::SIZES {
        Some(sizes) if B::SIZES.is_some() => Self::NEST.sized(sizes, [NO_COUNTS; 2]),
        _ => ([1; LEVELS], [[0; 2]; LEVELS]),
    };

    /// Elements of the array, where the compiler knows all sizes.
    pub(super) const ELEMENTS: usize = match A::DIGITS {
        Some(digits) if Self::IS_CONSTANT => native(digits.elements()),
        _ => 0,
    };

    #[inline(always)]
    pub(super) const fn of(from: A, to: B) -> Self {
        Pair { from, to }
    }

    /// The sizes, as a layout has them, if there is one: its type may say them.
    #[inline(always)]
    fn dims(&self) -> A::Index {
        if const { A::DIGITS.is_some() } {
            return self.from.dims();
        }
        let mut dims = self.from.dims();
        dims.as_mut().copy_from_slice(self.to.dims().as_ref());
        dims
    }

    /// Elements of the array.
    #[inline(always)]
    pub(super) fn elements(&self) -> usize {
        if const { Self::IS_CONSTANT } {
            return Self::ELEMENTS;
        }
        // The other sizes of an array without elements may be any.
        self.dims().as_ref().iter().fold(1, |all, size| all.wrapping_mul(*size))
    }

    /// Where index 0 lies on both sides.
    #[inline(always)]
    pub(super) fn first(&self) -> [usize; 2] {
        [self.from.first(), self.to.first()]
    }

    /// The dimension of each loop between two sides with strides. The order is that of the destination, the outermost first; dimensions
    /// with one element are around the others.
    #[inline(always)]
    pub(super) fn dims_of_levels(&self) -> [usize; LEVELS] {
        let (counts, sizes) = (of_levels(&self.to), self.dims());
        let distances: [Size; LEVELS] = core::array::from_fn(|dim| match sizes.as_ref().get(dim) {
            Some(size) if *size > 1 => counts[dim].cast_signed().unsigned_abs(),
            _ => Size::MAX,
        });
        let distance = |dim: usize| distances[dim];
        let mut dims = core::array::from_fn(|dim| dim);
        // By pairs: of a few dimensions the compiler keeps all numbers in registers.
        for end in (1..Self::RANK.min(LEVELS)).rev() {
            for at in 0..end {
                if distance(dims[at]) < distance(dims[at + 1]) {
                    dims.swap(at, at + 1);
                }
            }
        }
        dims
    }
}

impl<A: Mapping, B: Mapping, const INDEXED: bool> Pair<A, B, INDEXED> {
    /// The size of each loop's dimension, and each loop's strides.
    #[inline(always)]
    pub(super) fn sized(&self) -> ([usize; LEVELS], Strides) {
        if const { Self::IS_CONSTANT } {
            return *Self::SIZED;
        }
        let dims = self.dims();
        if const { !Self::HAS_STRIDES_ALONE } {
            let counts = [&self.from.counts(), &self.to.counts()];
            return Self::NEST.sized(dims.as_ref(), counts);
        }
        let counts = [of_levels(&self.from), of_levels(&self.to)];
        let (mut sizes, mut strides) = ([1; LEVELS], [[1; 2]; LEVELS]);
        let levels = sizes.iter_mut().zip(&mut strides).zip(self.dims_of_levels());
        for ((size, strides), dim) in levels.take(Self::RANK) {
            *size = dims.as_ref()[dim];
            *strides = counts.each_ref().map(|of_side| wrapped(of_side[dim]));
        }
        (sizes, strides)
    }

    /// Whether loops are best for arrays of any size: kernels have vectors of what lies side by side, and nothing does along strides;
    /// the innermost loop goes along the smallest ones.
    #[inline(always)]
    pub(super) fn is_spread(sizes: &[usize; LEVELS], strides: &Strides) -> bool {
        let (last, loops) = (Self::NEST.last(), sizes.iter().zip(strides));
        let is_apart = |side: usize| {
            let distance = |of: &[usize; 2]| of[side].cast_signed().unsigned_abs();
            let near = distance(&strides[last]);
            strides[last][side] > 1
                && loops.clone().all(|(size, of)| *size == 1 || distance(of) >= near)
        };
        Self::NEST.has_any()
            && (A::DIGITS.is_some() || is_apart(0))
            && (B::DIGITS.is_some() || is_apart(1))
    }

    /// Does something with the plan of sides that are known at the call only, for elements of `element` bytes. `None` if it is made of
    /// their digits.
    #[inline(always)]
    pub(super) fn plan<R>(&self, element: Size, then: impl FnOnce(&Plan) -> R) -> Option<R> {
        let dims = Index::of_native(self.dims().as_ref());
        let counts = [&self.from.counts(), &self.to.counts()];
        let mut plan = Self::TEMPLATE.as_ref()?.plan(dims.as_slice(), counts, element);
        plan.begin_at(self.first().map(|first| first as Size));
        Some(then(&plan))
    }

    /// Writes what a function makes of each element, in the order of the destination's memory, by loops that there are. The slices are as
    /// long as the sides ask.
    #[inline(always)]
    pub(super) fn map<T: Copy, U: Copy>(
        &self,
        memory: InlineMemory<'_, T, U>,
        mut function: impl FnMut(A::Index, T) -> U,
    ) {
        let (order, (sizes, strides)) = (self.dims_of_levels(), self.sized());
        let memory = memory.beginning_at(self.first());
        let is_done = memory.map::<Self>(&sizes, &strides, |place, element| {
            let mut index = self.from.dims();
            if const { Self::HAS_STRIDES_ALONE } {
                let levels = order.into_iter().zip(place);
                levels.take(Self::RANK).for_each(|(dim, at)| index.as_mut()[dim] = *at);
            } else {
                index.as_mut().copy_from_slice(&place[..const { Self::RANK }]);
            }
            function(index, element)
        });
        assert!(is_done, "a slice is shorter than its layout");
    }
}

impl<A: Mapping, B: Mapping, const INDEXED: bool> Nested for Pair<A, B, INDEXED> {
    const NEST: &'static PlanTemplate = match Self::TEMPLATE {
        Some(loops) if Self::HAS_NEST => loops,
        _ => PlanTemplate::NONE,
    };
}

/// The strides of the dimensions that loops can go along. All are taken at places that the compiler knows, so that they stay in registers:
/// the list of all counts is as long as two lines of memory.
#[inline(always)]
fn of_levels(side: &impl Mapping) -> [Size; LEVELS] {
    let counts = side.counts();
    core::array::from_fn(|dim| counts[dim])
}

/// A copy of elements of the type's size whose sizes are constants: planned once for each pair of layouts.
pub(super) struct Planned<A, B, T>(PhantomData<(A, B, T)>);

impl<A: Mapping, B: Mapping, T> Planned<A, B, T> {
    const DIGITS: [&'static Digits; 2] = match (A::DIGITS, B::DIGITS) {
        (Some(from), Some(to)) if Pair::<A, B>::IS_CONSTANT => [from, to],
        _ => [&Digits::SCALAR; 2],
    };
    /// Where the destination has padding, if it has, and its slots.
    pub(super) const PADDING: Option<(Option<&'static PaddingPlan>, usize)> = match B::SLOTS {
        Some(slots) if slots as Size > Self::DIGITS[1].elements() => {
            Some((Self::PADDING_PLAN.as_ref(), slots))
        }
        _ => None,
    };
    const PADDING_PLAN: &'static Option<PaddingPlan> = &match B::SLOTS {
        Some(slots) => PaddingPlan::new(&Self::DIGITS[1].view(), slots as Size),
        None => None,
    };
    pub(super) const PLAN: Plan =
        Plan::new(Self::DIGITS[0], Self::DIGITS[1], size_of::<T>() as Size);
    const PARTS: &'static ([PreparedPlan; MOST_PARTS], usize) =
        &PreparedPlan::parts(Self::PLAN, size_of::<T>());
    const ONE: PreparedPlan = Self::PARTS.0[0];
    /// The plans that make the copy. One is a constant of its own, since programs have constants as a whole.
    pub(super) const PREPARED: &'static [PreparedPlan] = match Self::PARTS.1 {
        1 => from_ref(&Self::ONE),
        count => Self::PARTS.0.split_at(count).0,
    };
    /// Both layouts, where the plan does not say it all.
    pub(super) const DIGITS_OF_BOTH: &'static Option<[DigitsView<'static>; 2]> =
        &general_digits::<A, B>(&Self::PLAN);
}

/// The digits of a side whose sizes are constants in short lists, which suffice for nearly all layouts: each program holds those of
/// its general plans, and [`Digits`] has room for any layout.
struct Short<M>(PhantomData<M>);

impl<M: Mapping> Short<M> {
    const DIGITS: DigitsView<'static> = match M::DIGITS {
        Some(digits) => digits.view(),
        None => <Digits>::SCALAR.view(),
    };
    const DIMS: &'static [Size; MAX_DIMS] = &first(Self::DIGITS.dims, 0);
    const TERMS: &'static [Term; 8] = &first(Self::DIGITS.terms, Term::NONE);
    const SUMS: &'static [Sum; 2] = &first(Self::DIGITS.sums, Sum::NONE);

    const fn digits() -> DigitsView<'static> {
        let DigitsView { dims, sums, terms, swizzle } = Self::DIGITS;
        if terms.len() > Self::TERMS.len() || sums.len() > Self::SUMS.len() {
            return Self::DIGITS;
        }
        DigitsView {
            dims: Self::DIMS.split_at(dims.len()).0,
            sums: Self::SUMS.split_at(sums.len()).0,
            terms: Self::TERMS.split_at(terms.len()).0,
            swizzle,
        }
    }
}

/// The first items of a list, as many as there are.
const fn first<T: Copy, const N: usize>(items: &[T], none: T) -> [T; N] {
    let mut list = [none; N];
    each!(for at in 0..if items.len() < N { items.len() } else { N } {
        list[at] = items[at];
    });
    list
}

/// The digits of both sides, whose sizes are constants, if the plan is a general one.
pub(super) const fn general_digits<A: Mapping, B: Mapping>(
    plan: &Plan,
) -> Option<[DigitsView<'static>; 2]> {
    if plan.is_general() { Some([Short::<A>::digits(), Short::<B>::digits()]) } else { None }
}
