//! The loops of copies from and to strides that are known at the call.

use core::marker::PhantomData;

use layout_copy::__private::{
    self as copying, InlineMemory, InlineNest, LEVELS, Memory, Nested, Plain, Plan, PlanTemplate,
    Strides as LoopStrides,
};
use layout_copy::Settings;
use layout_core::__private::{Counts, native};
use layout_core::{Index, Size};

use crate::compiled::eval::NO_COUNTS;
use crate::compiled::{self, AnyLayout};
use crate::memory::stored::StoredIn;
use crate::memory::strided::{self, Place, Strided, StridedMut, Strides};
use crate::memory::view::View;
use crate::memory::view_mut::ViewMut;
use crate::relayout::inline::{FEW, FEW_BYTES, varying};
use crate::relayout::padding::fill_slots;

/// The loops between a layout and strides, whatever these are: to them (`TO`), or from them. The strides are the unknown counts of
/// their side.
struct Between<L, const TO: bool>(PhantomData<L>);

impl<L: AnyLayout, const TO: bool> Between<L, TO> {
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

    #[inline(always)]
    fn counts(strides: &[isize], sizes: &L::Sizes) -> [Counts; 2] {
        let mut counts = *NO_COUNTS;
        for (count, stride) in counts.iter_mut().zip(strides) {
            *count = bits(*stride);
        }
        if TO { [L::counts(sizes), counts] } else { [counts, L::counts(sizes)] }
    }

    /// The plan of a copy of elements, if there is one that has loops.
    fn plan(place: Place<'_>, sizes: &L::Sizes, element: usize) -> Option<Plan> {
        let template = Self::TEMPLATE.as_ref().filter(|_| !place.dims.contains(&0))?;
        let [from, to] = &Self::counts(place.strides, sizes);
        let dims = Index::of_native(place.dims);
        let plan = template.plan(dims.as_slice(), [from, to], element as Size);
        Some(plan.beginning_at(Self::first(place).map(|first| first as Size)))
    }

    fn first(place: Place<'_>) -> [usize; 2] {
        if TO { [0, place.first] } else { [place.first, 0] }
    }
}

impl<L: AnyLayout, const TO: bool> Nested for Between<L, TO> {
    const NEST: &'static InlineNest = match Self::LOOPS {
        Some(nest) => nest,
        None => InlineNest::NONE,
    };
}

/// The loops between strides and strides.
struct OfRank<const R: usize>;

impl<const R: usize> Nested for OfRank<R> {
    const NEST: &'static InlineNest =
        if R <= LEVELS { &InlineNest::of_rank(R) } else { InlineNest::NONE };
}

/// A stride as plans have it: below 0 in two's complement.
const fn bits(stride: isize) -> Size {
    stride as i64 as Size
}

/// Whether a copy is best made in the caller's code; the places are those of the sides with strides. Without optimisation none is.
#[inline(always)]
fn is_inlined<N: Nested>(
    places: &[Place<'_>],
    sizes: &[usize; LEVELS],
    strides: &LoopStrides,
    elements: usize,
    element: usize,
) -> bool {
    let (last, [of_long, of_short, _, of_elements]) = (N::NEST.len - 1, FEW);
    let run = match strides[last] {
        [1, 1] => sizes[last].min(native(N::NEST.loops[last].extent)),
        _ => 1,
    };
    let moves = match run {
        1 => of_elements,
        _ if run >= 8_usize.div_ceil(element) => of_long,
        _ => of_short,
    };
    if elements <= FEW_BYTES / element && elements <= moves * run {
        return true;
    }
    // Vectors load and store what lies side by side.
    let have_neighbours = places.iter().all(|place| {
        place.dims.iter().zip(place.strides).any(|(size, stride)| *size > 1 && *stride == 1)
    });
    !have_neighbours && places.iter().all(|place| stays_in_cache::<N>(place, sizes))
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

/// Copies by loops in the caller's code.
#[inline(always)]
fn copy_nest<N: Nested, T: Copy>(
    sizes: &[usize; LEVELS],
    strides: &LoopStrides,
    memory: InlineMemory<'_, T>,
    padding: Option<T>,
) -> bool {
    let last = N::NEST.len - 1;
    // Loops of their own, in which the compiler sees that elements are contiguous.
    if strides[last] == [1, 1] {
        let mut strides = *strides;
        strides[last] = [1, 1];
        return memory.copy::<N>(sizes, &strides, padding);
    }
    memory.copy::<N>(sizes, strides, padding)
}

/// Copies by loops in the caller's code if that is best. False if it is not done.
#[inline]
pub(in crate::relayout) fn copy_inline<L: AnyLayout, T: Copy, const TO: bool>(
    place: Place<'_>,
    sizes: &L::Sizes,
    memory: InlineMemory<'_, T>,
    padding: Option<T>,
    always: bool,
) -> bool {
    let elements = place.dims.iter().product();
    if Between::<L, TO>::LOOPS.is_none() || size_of::<T>() == 0 || elements == 0 {
        return false;
    }
    let [from, to] = &Between::<L, TO>::counts(place.strides, sizes);
    let (sizes, strides) = Between::<L, TO>::NEST.sized(place.dims, [from, to]);
    let is_inlined = !cfg!(debug_assertions)
        && is_inlined::<Between<L, TO>>(&[place], &sizes, &strides, elements, size_of::<T>());
    let memory = memory.beginning_at(Between::<L, TO>::first(place));
    (always || is_inlined) && copy_nest::<Between<L, TO>, T>(&sizes, &strides, memory, padding)
}

/// Copies from strides to the memory of a layout with these sizes. The slots that hold no element get the padding, if there is one.
#[inline]
pub(in crate::relayout) fn copy_from<B: AnyLayout, T: StoredIn<B>>(
    place: Place<'_>,
    sizes: &B::Sizes,
    src: &[T],
    dst: &mut [T],
    padding: Option<T>,
) {
    if !copy_inline::<B, T, false>(place, sizes, InlineMemory::of(src, dst), padding, false) {
        if let Some(value) = padding {
            fill_slots(&compiled::digits::<B>(sizes), dst, value);
        }
        let memory = Memory::of(T::PLAIN_HERE, src, dst);
        copy_by_kernels::<B, false>(place, sizes, memory, size_of::<T>());
    }
}

/// Copies from the memory of a layout with these sizes to strides.
#[inline]
pub(in crate::relayout) fn copy_to<A: AnyLayout, T: StoredIn<A>>(
    place: Place<'_>,
    sizes: &A::Sizes,
    src: &[T],
    dst: &mut [T],
) {
    if !copy_inline::<A, T, true>(place, sizes, InlineMemory::of(src, dst), None, false) {
        let memory = Memory::of(T::PLAIN_HERE, src, dst);
        copy_by_kernels::<A, true>(place, sizes, memory, size_of::<T>());
    }
}

#[cold]
#[inline(never)]
fn copy_by_kernels<L: AnyLayout, const TO: bool>(
    place: Place<'_>,
    sizes: &L::Sizes,
    memory: Memory<'_>,
    element: usize,
) {
    let settings = &Settings::default();
    if let Some(plan) = Between::<L, TO>::plan(place, sizes, element) {
        return copying::copy_loops(plan, memory, element, settings);
    }
    let (strided, layout) =
        (strided::digits(place.dims, place.strides), compiled::digits::<L>(sizes));
    let digits = if TO { [&layout, &strided] } else { [&strided, &layout] };
    let first = Between::<L, TO>::first(place).map(|first| first as Size);
    copying::copy_from(digits, first, memory, element, settings);
}

/// The plan of a copy from strides, if there is one that has loops.
pub(in crate::relayout) fn plan_from<B: AnyLayout, T>(
    place: Place<'_>,
    sizes: &B::Sizes,
) -> Option<Plan> {
    Between::<B, false>::plan(place, sizes, size_of::<T>())
}

/// Copies from strides to strides.
#[inline]
pub(in crate::relayout) fn copy_strides<T: Copy, const R: usize>(
    places: [&Strides<R>; 2],
    plain: Plain<T>,
    src: &[T],
    dst: &mut [T],
) {
    let memory = InlineMemory::of(src, dst);
    if !copy_strides_inline(places, memory, false) {
        strides_by_kernels(places, Memory::of(plain, src, dst), size_of::<T>());
    }
}

/// Copies by loops in the caller's code if that is best. False if it is not done.
#[inline]
pub(in crate::relayout) fn copy_strides_inline<T: Copy, const R: usize>(
    places: [&Strides<R>; 2],
    memory: InlineMemory<'_, T>,
    always: bool,
) -> bool {
    let dims = places[0].dims;
    let elements = dims.iter().product();
    if R > LEVELS || size_of::<T>() == 0 || elements == 0 {
        return false;
    }
    // In the order of the destination, dimensions with one element outside.
    let mut order: [usize; R] = core::array::from_fn(|dim| dim);
    let distance =
        |dim: usize| if dims[dim] > 1 { places[1].strides[dim].unsigned_abs() } else { usize::MAX };
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
    let is_inlined = !cfg!(debug_assertions)
        && is_inlined::<OfRank<R>>(
            &places.map(Strides::place),
            &sizes,
            &strides,
            elements,
            size_of::<T>(),
        );
    let memory = memory.beginning_at(places.map(|place| place.first));
    (always || is_inlined) && copy_nest::<OfRank<R>, T>(&sizes, &strides, memory, None)
}

#[cold]
#[inline(never)]
fn strides_by_kernels<const R: usize>(
    places: [&Strides<R>; 2],
    memory: Memory<'_>,
    element: usize,
) {
    let dims = Index::of_native(&places[0].dims);
    let strides = places.map(|place| place.strides.map(bits));
    let plan = Plan::of_strides(
        dims.as_slice(),
        strides.each_ref().map(<[Size; R]>::as_slice),
        element as Size,
    );
    let plan = plan.beginning_at(places.map(|place| place.first as Size));
    copying::copy_loops(plan, memory, element, &Settings::default());
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
    let sizes = &to.sizes();
    let memory = InlineMemory::of(from.data, to.as_mut_slice());
    copy_inline::<B, T, false>(from.place.place(), sizes, memory, padding, true)
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
    let memory = InlineMemory::of(from.as_slice(), to.data);
    copy_inline::<A, T, true>(to.place.place(), &from.sizes(), memory, None, true)
}

/// For tests: [`from_strides_inline`] to strides.
pub fn between_strides_inline<T: Copy, const R: usize>(
    from: &Strided<'_, T, R>,
    to: &mut StridedMut<'_, T, R>,
) -> bool {
    let memory = InlineMemory::of(from.data, to.data);
    copy_strides_inline([&from.place, &to.place], memory, true)
}
