//! The two sides of a copy: where an array lies in the source, and where in the destination.
#![deny(unsafe_code)]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_copy::__private::{
    Copying, InlineMemory, LEVELS, Memory, Nested, PaddingPlan, Plan, PlanTemplate, PreparedPlan,
    Strides, copy, copy_loops, fill,
};
use layout_copy::Settings;
use layout_core::__private::{Counts, DigitsView, native};
use layout_core::analysis::{Sum, Term};
use layout_core::base::width::wrapped;
use layout_core::limits::MAX_DIMS;
use layout_core::{Digits, Dim, Index, Size};

use crate::array::with_dims::WithDims;
use crate::compiled::eval::NO_COUNTS;
use crate::compiled::{self, AnyLayout};
use crate::memory::strided;
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::copy_by_kernels;
use crate::relayout::padding::{Padded, fill_padding};
use crate::types::index::{IndexArray, each_coordinate};

/// Where the elements of an array lie, as copies take it: a layout with its sizes, a box of one, or strides.
pub(super) trait Side: Copy {
    type Index: IndexArray;

    /// The digits of the layout. `None` of strides, whatever these are: they are the unknown counts.
    const DIGITS: Option<&'static Digits> = None;

    /// The dimensions whose sizes a value says, as bits.
    const VARYING: u16 = 0;

    /// The sizes, if all are known to the compiler; bounded ones are their bounds.
    const SIZES: Option<&'static [usize]> = None;

    /// Whether a value says nothing.
    const IS_CONSTANT: bool = false;

    /// Where the padding is, and how many slots there are, if the compiler knows all sizes, and there is padding.
    const PADDING: Option<(Option<&'static PaddingPlan>, usize)> = None;

    /// The sizes of the boxes of which this is one, and whether each has them.
    const BOX: Option<(&'static [Size; MAX_DIMS], bool)> = None;

    fn dims(&self) -> Self::Index;

    /// The unknown counts of the layout, or the strides.
    fn counts(&self) -> Counts;

    /// Where the element with index 0 lies.
    fn first(&self) -> usize {
        0
    }

    fn digits(&self) -> Digits;

    /// Writes a value to the slots that hold no element, of which there are some.
    fn fill<T: Copy + 'static>(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>);
}

impl<L: AnyLayout> Side for WithDims<L> {
    type Index = L::Index;

    const DIGITS: Option<&'static Digits> = Some(L::DIGITS);

    const VARYING: u16 = varying::<L>();

    const SIZES: Option<&'static [usize]> = if L::IS_FIXED { Some(L::SIZES) } else { None };

    const IS_CONSTANT: bool = size_of::<L::Sizes>() == 0;

    const PADDING: Option<(Option<&'static PaddingPlan>, usize)> =
        if Self::IS_CONSTANT && L::SLOTS as Size > L::DIGITS.elements() {
            Some((<L as Padded>::PADDING, L::SLOTS))
        } else {
            None
        };

    #[inline(always)]
    fn dims(&self) -> L::Index {
        self.dims()
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        L::counts(&self.sizes())
    }

    fn digits(&self) -> Digits {
        compiled::digits::<L>(&self.sizes())
    }

    fn fill<T: Copy + 'static>(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>) {
        fill_padding(self, dst, value);
    }
}

/// The dimensions whose sizes a value says, as bits.
pub(super) const fn varying<L: AnyLayout>() -> u16 {
    let mut set = 0;
    each!(for dim in 0..L::SIZES.len() {
        if !matches!(L::VALUE.dim(dim), Dim::Static(_)) {
            set |= 1 << dim;
        }
    });
    set
}

/// Elements that lie a stride apart along each dimension.
// Its coordinates are named one by one: the compiler then keeps them in registers from the start.
#[derive(Clone, Copy)]
pub(super) struct AtStrides<I> {
    /// Where index 0 lies.
    pub first: usize,
    pub dims: I,
    /// Below 0 in two's complement.
    pub strides: I,
}

impl<I: IndexArray> Side for AtStrides<I> {
    type Index = I;

    #[inline(always)]
    fn dims(&self) -> I {
        self.dims
    }

    #[inline(always)]
    fn counts(&self) -> Counts {
        let mut counts = *NO_COUNTS;
        let strides = self.strides.as_ref();
        each_coordinate! { I::RANK, dim => counts[dim] = bits(strides[dim]) }
        counts
    }

    #[inline(always)]
    fn first(&self) -> usize {
        self.first
    }

    fn digits(&self) -> Digits {
        let strides = self.strides.as_ref().iter().map(|stride| stride.cast_signed());
        strided::digits(&Index::of_native(self.dims.as_ref()), strides)
    }

    /// All memory between elements is someone else's.
    fn fill<T: Copy + 'static>(&self, _: &mut [MaybeUninit<T>], _: MaybeUninit<T>) {}
}

/// A stride as plans have it: below 0 in two's complement.
const fn bits(stride: usize) -> Size {
    stride.cast_signed() as i64 as Size
}

/// A copy between two sides that have an array of the same sizes.
#[derive(Clone, Copy)]
pub(super) struct Sides<A, B> {
    pub from: A,
    pub to: B,
}

impl<A: Side, B: Side> Sides<A, B> {
    pub(super) const IS_CONSTANT: bool = A::IS_CONSTANT && B::IS_CONSTANT;

    /// Whether both sides have strides. Then the order of the loops is known at the call only.
    const HAS_STRIDES_ALONE: bool = A::DIGITS.is_none() && B::DIGITS.is_none();

    const LOOPS: Option<PlanTemplate> = match (A::DIGITS, B::DIGITS) {
        (Some(from), Some(to)) => PlanTemplate::new([from, to], A::VARYING, A::BOX),
        (Some(from), None) => {
            PlanTemplate::new([from, &from.with_unknown_strides()], A::VARYING, None)
        }
        (None, Some(to)) => PlanTemplate::new([&to.with_unknown_strides(), to], B::VARYING, None),
        (None, None) => Some(PlanTemplate::of_rank(A::Index::RANK)),
    };

    /// The loops of all plans, and those for the caller's code. `None` of layouts that share no split.
    pub(super) const TEMPLATE: &'static Option<PlanTemplate> = &match Self::LOOPS {
        Some(loops) => Some(loops.in_code([A::DIGITS.is_none(), B::DIGITS.is_none()])),
        None => None,
    };

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
        Sides { from, to }
    }

    /// The sizes, as a layout has them, if there is one: its type may say them.
    #[inline(always)]
    fn dims(&self) -> A::Index {
        if const { A::DIGITS.is_some() } {
            return self.from.dims();
        }
        let mut dims = A::Index::ORIGIN;
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
        let counts = self.to.counts();
        let distance = |dim: usize| {
            let size = self.dims().as_ref()[dim];
            if size > 1 { counts[dim].cast_signed().unsigned_abs() } else { Size::MAX }
        };
        let mut dims = core::array::from_fn(|dim| dim);
        // By pairs: of a few dimensions the compiler keeps all numbers in registers.
        for end in (1..A::Index::RANK.min(LEVELS)).rev() {
            for at in 0..end {
                if distance(dims[at]) < distance(dims[at + 1]) {
                    dims.swap(at, at + 1);
                }
            }
        }
        dims
    }
}

impl<A: Side, B: Side> Sides<A, B> {
    /// The size of each loop's dimension, and each loop's strides.
    #[inline(always)]
    pub(super) fn sized(&self) -> ([usize; LEVELS], Strides) {
        if const { Self::IS_CONSTANT } {
            return *Self::SIZED;
        }
        let (dims, counts) = (self.dims(), [self.from.counts(), self.to.counts()]);
        if const { !Self::HAS_STRIDES_ALONE } {
            return Self::NEST.sized(dims.as_ref(), counts.each_ref());
        }
        let (mut sizes, mut strides) = ([1; LEVELS], [[1; 2]; LEVELS]);
        let levels = sizes.iter_mut().zip(&mut strides).zip(self.dims_of_levels());
        for ((size, strides), dim) in levels.take(A::Index::RANK) {
            *size = dims.as_ref()[dim];
            *strides = counts.map(|of_side| wrapped(of_side[dim]));
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

    /// The plan of sides that are known at the call only, for elements of `element` bytes. `None` if it is made of their digits.
    pub(super) fn plan(&self, element: Size) -> Option<Plan> {
        let dims = Index::of_native(self.dims().as_ref());
        let counts = [&self.from.counts(), &self.to.counts()];
        let mut plan = Self::TEMPLATE.as_ref()?.plan(dims.as_slice(), counts, element);
        plan.begin_at(self.first().map(|first| first as Size));
        Some(plan)
    }

    pub(super) fn digits(&self) -> [Digits; 2] {
        [self.from.digits(), self.to.digits()]
    }

    /// Writes what a function makes of each element, in the order of the destination's memory. False if there are no loops for it, or if a
    /// slice is too short.
    #[inline(always)]
    pub(super) fn map<T: Copy, U: Copy>(
        &self,
        memory: InlineMemory<'_, T, U>,
        mut function: impl FnMut(A::Index, T) -> U,
    ) -> bool {
        if const { !Self::HAS_NEST } {
            return false;
        }
        let (order, (sizes, strides)) = (self.dims_of_levels(), self.sized());
        memory.beginning_at(self.first()).map::<Self>(&sizes, &strides, |place, element| {
            let mut index = A::Index::ORIGIN;
            if const { Self::HAS_STRIDES_ALONE } {
                let levels = order.into_iter().zip(place);
                levels.take(A::Index::RANK).for_each(|(dim, at)| index.as_mut()[dim] = *at);
            } else {
                index.as_mut().copy_from_slice(&place[..const { A::Index::RANK }]);
            }
            function(index, element)
        })
    }
}

impl<A: Side, B: Side> Nested for Sides<A, B> {
    const NEST: &'static PlanTemplate = match Self::TEMPLATE {
        Some(loops) if Self::HAS_NEST => loops,
        _ => PlanTemplate::NONE,
    };
}

impl<A: Side, B: Side> Sides<A, B> {
    /// Copies by kernels that are chosen at the call.
    #[inline(always)]
    pub(super) fn by_kernels<'d, T: Copy + 'static>(
        &self,
        slots: CopiedSlots<'_, 'd, T>,
    ) -> &'d mut [T] {
        let (size, settings) = (size_of::<T>(), &Settings::default());
        let fill = |dst: &mut [_], value| self.to.fill(dst, value);
        copy_by_kernels(slots, self.elements(), fill, |memory| {
            if let Some(plan) = self.plan(size as Size) {
                return copy_loops(&plan, memory, size, settings);
            }
            let first = self.first().map(|first| first as Size);
            copy(self.digits().each_ref(), first, memory, size, settings);
        })
    }

    /// The copy between sides that are constants.
    #[inline(always)]
    pub(super) fn constant<T: Copy + 'static>() -> Constant<T> {
        let digits = const { Planned::<A, B, T>::DIGITS_OF_BOTH.as_ref() };
        Constant {
            elements: Self::ELEMENTS,
            padding: const { B::PADDING }.unwrap_or((None, 0)),
            fill: if const { B::PADDING.is_some() } { Some(fill) } else { None },
            prepared: Planned::<A, B, T>::PREPARED,
            digits,
            run: if digits.is_some() { Copying::run_general } else { Copying::run_loops },
        }
    }
}

/// Writes a value to padding: its plan, slots, the destination, the value.
type Fill<T> = fn(Option<&PaddingPlan>, usize, &mut [T], T);

/// A copy that the compiler has planned. Pairs of layouts share the code that makes it; a program has the kernels and the walk of its plans
/// alone.
pub(super) struct Constant<T> {
    elements: usize,
    padding: (Option<&'static PaddingPlan>, usize),
    fill: Option<Fill<MaybeUninit<T>>>,
    prepared: &'static PreparedPlan,
    /// Both layouts of a general plan.
    digits: Option<&'static [DigitsView<'static>; 2]>,
    run: fn(&Copying<'static>, Memory<'_>, usize, &Settings),
}

impl<T: Copy + 'static> Constant<T> {
    #[cold]
    #[inline(never)]
    pub(super) fn copy<'d>(
        &self,
        slots: CopiedSlots<'_, 'd, T>,
        settings: &Settings,
    ) -> &'d mut [T] {
        let fill = |dst: &mut [_], value| {
            let (plan, slots) = self.padding;
            if let Some(fill) = self.fill {
                fill(plan, slots, dst, value);
            }
        };
        copy_by_kernels(slots, self.elements, fill, |memory| {
            let mut copying = self.prepared.copying();
            copying.digits = self.digits;
            (self.run)(&copying, memory, size_of::<T>(), settings);
        })
    }
}

/// A copy of elements of the type's size whose sizes are constants: planned once for each pair of layouts.
struct Planned<A, B, T>(PhantomData<(A, B, T)>);

impl<A: Side, B: Side, T> Planned<A, B, T> {
    const DIGITS: [&'static Digits; 2] = match (A::DIGITS, B::DIGITS) {
        (Some(from), Some(to)) if Sides::<A, B>::IS_CONSTANT => [from, to],
        _ => [&Digits::SCALAR; 2],
    };
    const PLAN: Plan = Plan::new(Self::DIGITS[0], Self::DIGITS[1], size_of::<T>() as Size);
    const PREPARED: &'static PreparedPlan = &PreparedPlan::of(Self::PLAN, size_of::<T>());
    /// Both layouts, where the plan does not say it all.
    const DIGITS_OF_BOTH: &'static Option<[DigitsView<'static>; 2]> =
        &general_digits::<A, B>(&Self::PLAN);
}

/// The digits of a side whose sizes are constants in short lists, which suffice for nearly all layouts: each program holds those of
/// its general plans, and [`Digits`] has room for any layout.
struct Short<S>(PhantomData<S>);

impl<S: Side> Short<S> {
    const DIGITS: DigitsView<'static> = match S::DIGITS {
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
pub(super) const fn general_digits<A: Side, B: Side>(
    plan: &Plan,
) -> Option<[DigitsView<'static>; 2]> {
    if plan.is_general() { Some([Short::<A>::digits(), Short::<B>::digits()]) } else { None }
}
