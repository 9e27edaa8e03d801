//! Copies between two layouts, whose sizes the compiler knows, or the call.
#![deny(unsafe_code)]

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use layout_copy::__private::{
    InlineNest, Kernels, LEVELS, Memory, Nested, Plan, PlanTemplate, PreparedPlan, Strides, fill,
};
use layout_copy::Settings;
use layout_core::__private::{DigitsView, native};
use layout_core::{Digits, Dim, Index, Size};

use crate::array::same_array::{SameDims, known_digits};
use crate::array::with_dims::WithDims;
use crate::compiled::eval::NO_COUNTS;
use crate::compiled::{self, AnyLayout};
use crate::relayout::choice::copied_slots::CopiedSlots;
use crate::relayout::choice::{ByKernels, ByLoops, OfCall, by_plan, copy, is_small};
use crate::relayout::padding::{Padded, fill_before};

/// A copy between two layouts of one array, of elements of the type's size, planned once for each pair.
trait Planned<B: AnyLayout, T>: SameDims<B> {
    const PREPARED: &'static PreparedPlan = {
        let element = size_of::<T>() as Size;
        &PreparedPlan::of(Plan::new(known_digits::<Self>(), known_digits::<B>(), element))
    };
    /// A constant of its own: pairs with the same kernels share it.
    const KERNELS: &'static Kernels = &Kernels::of(&Self::PREPARED.plan, size_of::<T>());
    /// Both layouts, where the plan does not say it all.
    const DIGITS_OF_BOTH: &'static Option<[DigitsView<'static>; 2]> =
        &general_digits::<Self, B>(&Self::PREPARED.plan);
}

impl<A: SameDims<B>, B: AnyLayout, T> Planned<B, T> for A {}

/// The digits of both layouts, if the plan is a general one.
pub(in crate::relayout) const fn general_digits<A, B>(
    plan: &Plan,
) -> Option<[DigitsView<'static>; 2]>
where
    A: AnyLayout + ?Sized,
    B: AnyLayout,
{
    if plan.is_general() {
        Some([known_digits::<A>().view(), known_digits::<B>().view()])
    } else {
        None
    }
}

/// The loops of a pair of layouts, whatever the sizes are that a value says.
pub(in crate::relayout) trait Templated<B: AnyLayout>: SameDims<B> {
    /// `None` of layouts that share no split.
    const TEMPLATE: &'static Option<PlanTemplate> =
        &PlanTemplate::new(Self::DIGITS, B::DIGITS, varying::<Self>());

    /// `None` where copies are not made in the caller's code.
    const NEST: &'static Option<InlineNest> = &match Self::TEMPLATE {
        Some(template) => InlineNest::new(template),
        None => None,
    };
}

impl<A: SameDims<B>, B: AnyLayout> Templated<B> for A {}

/// The dimensions whose sizes a value says, as bits.
pub(in crate::relayout) const fn varying<L: AnyLayout + ?Sized>() -> u16 {
    let mut set = 0;
    each!(for dim in 0..L::SIZES.len() {
        if !matches!(L::VALUE.dim(dim), Dim::Static(_)) {
            set |= 1 << dim;
        }
    });
    set
}

/// A pair of layouts whose sizes are known to the compiler, bounded ones their bounds.
pub(in crate::relayout) struct OfConstants<A, B>(PhantomData<fn(A) -> B>);

copy! { OfConstants<A, B> }

impl<A: SameDims<B>, B: AnyLayout> OfConstants<A, B> {
    pub(in crate::relayout) const PAIR: Self = OfConstants(PhantomData);

    /// The size of each loop's dimension, and each loop's strides.
    pub(in crate::relayout) const SIZED: &'static ([usize; LEVELS], Strides) =
        &Self::NEST.sized(A::SIZES, [NO_COUNTS; 2]);
}

impl<A: SameDims<B>, B: AnyLayout> Nested for OfConstants<A, B> {
    const NEST: &'static InlineNest = match <A as Templated<B>>::NEST {
        Some(nest) => nest,
        None => InlineNest::NONE,
    };
}

impl<A: SameDims<B>, B: AnyLayout, T: Copy + 'static> ByKernels<T> for OfConstants<A, B> {
    #[inline(always)]
    fn elements(&self) -> usize {
        const { native(B::DIGITS.elements()) }
    }

    fn fill(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>) {
        // A program has the plan of padding alone that there is.
        if const { B::SLOTS as Size > B::DIGITS.elements() } {
            fill(B::PADDING, B::SLOTS, dst, value);
        }
    }

    fn move_elements(&self, memory: Memory<'_>, settings: &Settings) {
        let prepared = <A as Planned<B, T>>::PREPARED;
        let (kernels, size) = (<A as Planned<B, T>>::KERNELS, size_of::<T>());
        // A program has the kernels and the walk of its plans alone.
        match <A as Planned<B, T>>::DIGITS_OF_BOTH {
            Some(digits) => prepared.run_general(kernels, digits, memory, size, settings),
            None => prepared.run_loops(kernels, memory, size, settings),
        }
    }
}

impl<A: SameDims<B>, B: AnyLayout, T: Copy + 'static> ByLoops<T> for OfConstants<A, B> {
    const HAS_NEST: bool = <A as Templated<B>>::NEST.is_some();

    const IS_BEST: Option<bool> = Some(
        <Self as ByLoops<T>>::HAS_NEST && {
            let (sizes, strides) = Self::SIZED;
            let elements = native(B::DIGITS.elements());
            is_small(Self::NEST, (sizes, strides), elements, size_of::<T>(), true)
        },
    );

    #[inline(always)]
    fn sized(&self) -> ([usize; LEVELS], Strides) {
        *Self::SIZED
    }
}

/// A pair of layouts with the sizes of an array.
pub(in crate::relayout) struct OfSizes<A: AnyLayout, B: AnyLayout> {
    of_a: WithDims<A>,
    of_b: WithDims<B>,
}

copy! { OfSizes<A: AnyLayout, B: AnyLayout> }

impl<A: AnyLayout, B: AnyLayout> OfSizes<A, B> {
    #[inline(always)]
    pub(in crate::relayout) const fn of(of_a: WithDims<A>, of_b: WithDims<B>) -> Self {
        OfSizes { of_a, of_b }
    }
}

impl<A: SameDims<B>, B: AnyLayout> Nested for OfSizes<A, B> {
    const NEST: &'static InlineNest = OfConstants::<A, B>::NEST;
}

impl<A: SameDims<B>, B: AnyLayout, T: Copy + 'static> ByKernels<T> for OfSizes<A, B> {
    #[inline(always)]
    fn elements(&self) -> usize {
        self.of_a.elements()
    }

    fn fill(&self, dst: &mut [MaybeUninit<T>], value: MaybeUninit<T>) {
        fill_before(&self.of_b, dst, value);
    }

    fn move_elements(&self, memory: Memory<'_>, settings: &Settings) {
        by_plan::<_, T>(self, memory, settings);
    }
}

impl<A: SameDims<B>, B: AnyLayout> OfCall for OfSizes<A, B> {
    const TEMPLATE: &'static Option<PlanTemplate> = <A as Templated<B>>::TEMPLATE;

    #[inline(always)]
    fn plan(&self, template: &PlanTemplate, element: Size) -> Plan {
        let (of_a, of_b) = (&self.of_a.sizes(), &self.of_b.sizes());
        let (dims, counts) = (A::dims(of_a), [&A::counts(of_a), &B::counts(of_b)]);
        template.plan(Index::of_native(dims.as_ref()).as_slice(), counts, element)
    }

    fn digits(&self) -> [Digits; 2] {
        [compiled::digits::<A>(&self.of_a.sizes()), compiled::digits::<B>(&self.of_b.sizes())]
    }
}

impl<A: SameDims<B>, B: AnyLayout, T: Copy + 'static> ByLoops<T> for OfSizes<A, B> {
    const HAS_NEST: bool = <A as Templated<B>>::NEST.is_some();

    #[inline(always)]
    fn sized(&self) -> ([usize; LEVELS], Strides) {
        let (of_a, of_b) = (&self.of_a.sizes(), &self.of_b.sizes());
        let counts = [&A::counts(of_a), &B::counts(of_b)];
        Self::NEST.sized(A::dims(of_a).as_ref(), counts)
    }
}

/// Copies an array of these sizes. The slices are as long as the layouts ask. Of a bounded dimension only the valid elements are
/// copied.
#[inline(always)]
pub(in crate::relayout) fn copy_sized<'d, A: SameDims<B>, B: AnyLayout, T: Copy + 'static>(
    of_a: WithDims<A>,
    of_b: WithDims<B>,
    slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    if const { size_of::<A::Sizes>() == 0 } {
        copy(OfConstants::<A, B>::PAIR, slots)
    } else {
        copy(OfSizes::of(of_a, of_b), slots)
    }
}
