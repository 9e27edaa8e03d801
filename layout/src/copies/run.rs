//! What runs a copy: kernels, stretches, and element by element, which is what is left where nothing else fits.
#![allow(unsafe_code, reason = "memory that was written is initialised")]

use core::borrow::Borrow;
use core::mem::MaybeUninit;
use core::ops::Range;

use layout_copy::__private::{
    self as copying, Copying, Memory, PaddingPlan, Plan, PreparedPlan, copy_loops, copy_runs,
};
use layout_copy::Settings;
use layout_core::__private::DigitsView;
use layout_core::Size;

use crate::copies::{padding::fill_padding, pair::Pair, pair::Planned, slots::CopiedSlots};
use crate::memory::place::Offsets;
use crate::memory::place::mapping::{Mapping, elements, with_digits};
use crate::memory::{Memory as InMemory, Place, SharedSlots, StorageMut};

/// By kernels: `fill` writes a value to the slots of the destination that hold no element, and `move_elements` moves the elements.
/// Both are called where there are some.
#[inline(always)]
pub(super) fn copy_by_kernels<'d, T: Copy + 'static>(
    mut slots: CopiedSlots<'_, 'd, T>,
    elements: usize,
    fill: impl FnOnce(&mut [MaybeUninit<T>], MaybeUninit<T>),
    move_elements: impl FnOnce(Memory<'_>),
) -> &'d mut [T] {
    let memory = slots.again().for_kernels(elements, fill);
    if elements > 0 {
        move_elements(memory);
    }
    // SAFETY: a slot is that of an element, or padding. Kernels moved every element, all of which the source has, and `fill` wrote the
    // others of a destination that had nothing.
    unsafe { slots.copied() }
}

/// By kernels that are chosen at the call: of the template, or of digits.
#[inline(always)]
pub(super) fn kernels<'d, A: Mapping, B: Mapping, T: Copy + 'static>(
    pair: &Pair<A, B>,
    slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    let (size, settings) = (size_of::<T>(), &Settings::default());
    let fill = |dst: &mut [_], value| fill_padding(&pair.to, dst, value);
    copy_by_kernels(slots, elements(pair.from.dims().as_ref()), fill, |mut memory| {
        // The linker keeps what a program names.
        let copy_by = if const { Pair::<A, B>::has_runs::<T>() } { copy_runs } else { copy_loops };
        let copy = |plan: &Plan| copy_by(plan, memory.again(), size, settings);
        if pair.plan(size as Size, copy).is_none() {
            by_digits(&pair.from, &pair.to, memory, size);
        }
    })
}

/// By a plan of both sides' digits.
#[inline(always)]
fn by_digits(from: &impl Mapping, to: &impl Mapping, memory: Memory<'_>, size: usize) {
    let settings = &Settings::default();
    with_digits(from, to, |digits, first, parts| match parts {
        None => copying::copy(digits, first, memory, size, settings),
        Some(parts) => copying::copy_part(digits, first, parts, memory, size, settings),
    });
}

/// By digits that are values.
#[cold]
#[inline(never)]
pub(super) fn values<'d, P: Mapping, Q: Mapping, T: Copy + 'static>(
    from: &P,
    to: &Q,
    slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    let fill = |dst: &mut [_], value| fill_padding(to, dst, value);
    copy_by_kernels(slots, elements(from.dims().as_ref()), fill, |memory| {
        by_digits(from, to, memory, size_of::<T>());
    })
}

/// Stretch by stretch.
pub(super) fn stretches<'d, P: Place, Q: Place, T: Copy + 'static>(
    from: &P,
    to: &Q,
    mut slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    slots.pad(elements(from.dims().as_ref()), |dst, value| fill_padding(to, dst, value));
    let src = slots.source();
    let dst = slots.initialised(src.first().copied());
    each_stretch(from, to, |[from, to], length| {
        dst[to..][..length].copy_from_slice(&src[from..][..length]);
    });
    dst
}

/// Does something with each stretch of elements that are consecutive on both sides: with where it begins, and its length.
#[inline(always)]
pub(super) fn each_stretch<P: Place, Q: Place>(
    from: &P,
    to: &Q,
    mut then: impl FnMut([usize; 2], usize),
) {
    let dim = to.run_dim();
    for run in to.runs() {
        let mut index = from.dims();
        index.as_mut().copy_from_slice(run.index.as_ref());
        each_piece(from, index, dim, run.length, |at, range| {
            then([at, run.offset + range.start], range.len());
        });
    }
}

/// Does something with each consecutive piece of some elements along a dimension: with where it begins, and which of them it is.
#[inline(always)]
fn each_piece<P: Place>(
    from: &P,
    mut index: P::Index,
    dim: usize,
    length: usize,
    mut then: impl FnMut(usize, Range<usize>),
) {
    let [longest, first] = if from.run_dim() == dim { from.consecutive() } else { [1, 0] };
    let mut done = 0;
    while done < length {
        let at = first + index.as_ref().get(dim).map_or(0, |at| *at);
        let end = done + (longest - at % longest).min(length - done);
        then(from.offset(&index), done..end);
        if let Some(coordinate) = index.as_mut().get_mut(dim) {
            *coordinate += end - done;
        }
        done = end;
    }
}

/// Calls with each index and its offsets on both sides.
#[inline]
pub(super) fn each<A: Mapping, B: Mapping>(
    from: &A,
    to: &B,
    mut then: impl FnMut(A::Index, usize, usize),
) {
    let mut same = to.dims();
    for (index, at) in Offsets::new(from.clone()) {
        same.as_mut().copy_from_slice(index.as_ref());
        then(index, at, to.offset(&same));
    }
}

/// Copies one by one, where others use memory beside that of a part.
pub(super) fn one_by_one<P, Q, S, D>(
    from: &InMemory<P, S>,
    to: &mut InMemory<Q, D>,
    convert: impl Fn(S::Elem) -> D::Elem,
) where
    P: Place,
    Q: Place,
    S: SharedSlots<Elem: Copy>,
    D: StorageMut,
{
    let (place, slots) = (&to.place, &mut to.slots);
    // SAFETY: slots are of elements of the place.
    let mut put = |slot, element| unsafe { slots.put(slot, convert(element)) };
    let Some(src) = from.slots.whole_slice() else {
        let elements = from.indexed_iter().zip(place.row_major());
        return elements.for_each(|((_, element), (_, slot))| put(slot, *element.borrow()));
    };
    each_stretch(&from.place, place, |[from, to], length| {
        let elements = src[from..][..length].iter().zip(to..);
        elements.for_each(|(element, slot)| put(slot, *element));
    });
}

/// The copy between sides that are constants.
#[inline(always)]
pub(super) fn constant<A: Mapping, B: Mapping, T: Copy + 'static>() -> Constant<T> {
    let digits = const { Planned::<A, B, T>::DIGITS_OF_BOTH.as_ref() };
    Constant {
        elements: Pair::<A, B>::ELEMENTS,
        padding: const { Planned::<A, B, T>::PADDING }.unwrap_or((None, 0)),
        fill: if const { Planned::<A, B, T>::PADDING.is_some() } {
            Some(copying::fill)
        } else {
            None
        },
        prepared: Planned::<A, B, T>::PREPARED,
        digits,
        run: if digits.is_some() { Copying::run_general } else { Copying::run_loops },
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
    prepared: &'static [PreparedPlan],
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
        copy_by_kernels(slots, self.elements, fill, |mut memory| {
            for prepared in self.prepared {
                let mut copying = prepared.copying();
                copying.digits = self.digits;
                (self.run)(&copying, memory.again(), size_of::<T>(), settings);
            }
        })
    }
}
