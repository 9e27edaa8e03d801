//! The one place that chooses how a copy is made. What runs stands in [`run`](super::run).
#![allow(unsafe_code, reason = "memory that was written is initialised")]

use core::marker::PhantomData;

use layout_copy::__private::{InlineMemory, LEVELS, Nested, Plain, PlanTemplate, Strides, Whole};
use layout_copy::Settings;
use layout_core::__private::native;

use crate::copies::{padding::fill_padding, pair::Pair, run, slots::CopiedSlots};
use crate::memory::Place;
use crate::memory::place::mapping::{Form, Mapping, elements};

/// How the elements of an array are moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Loops in the caller's code, of any strides and sizes. A move for each run that both sides have side by side: up to some kilobytes that
    /// takes less time than a call, and of constant sizes the compiler sees through it. Where strides keep neighbours apart on both sides,
    /// for arrays of any size: kernels have vectors of what lies side by side alone.
    Loops,
    /// Loops where tiles are whole and rows contiguous: these loops look for no ends, which costs small copies a third.
    Rows,
    /// Matrices of one size, transposed in registers without a plan, which would take longer.
    Matrix,
    /// Groups of a few bytes such as pixels, put together by shuffles.
    Groups,
    /// Kernels: by a plan that is a constant, of a template of both types, or made now of digits, whichever there is.
    Kernels,
    /// Stretches one after another: of parts that cut tiles, whose plan would take longer than few of them.
    Stretches,
    /// By what the sizes say at the call: one of the first five.
    BySizes,
}

/// What the kinds of both sides decide; of few elements `are_few` tells.
#[inline(always)]
pub(super) const fn of_types<P: Mapping, Q: Mapping>() -> Way {
    match [P::FORM, Q::FORM] {
        // Digits are values: only a plan made now has them.
        [Form::Value, _] | [_, Form::Value] => Way::Kernels,
        [Form::Tiles, _] | [_, Form::Tiles] => Way::Stretches,
        _ => Way::BySizes,
    }
}

// What follows was measured on an AMD EPYC (Zen 5, 2 cores, AVX-512), both ways in turns in one process, least of 60. Times of kernels
// include that of a plan, some 120 ns. The crossings differ by copy; each limit is where the worst row of either side is least bad.

/// Moves up to which an array is small.
///
/// | kernels ÷ loops, in time | 64 moves | 512 | 1024 | 2048 | 4096 |
/// |---|---|---|---|---|---|
/// | `f32` and `u8` to `T(2,4)` | 11, 11 | 3.2, 3.7 | 2.3, 2.2 | 1.7, 1.4 | 1.0, 0.9 |
/// | `f32` and `f64` panels of 8 | 8.0, 9.5 | 4.8, 3.2 | 3.2, 2.1 | 2.0, 1.4 | 1.5, 1.5 |
/// | rows of 16 bytes, by strides | 4.8 | 1.5 | 1.3 | 1.0 | |
/// | cubes of `f32` and `u8`, by strides | 1.0 | 1.0 | 1.0 | 1.0, 0.9 | 1.0, 0.6 |
const FEW: usize = 2048;
/// [`FEW`] for arrays of constant size, whose plan is a constant. At 512 moves kernels take 1.4 and 0.9 times as long as loops for `f32` and
/// `u8` to `T(2,4)` and 0.8 for panels of 8; at 256 moves 1.8, 1.3 and 1.0, and 0.8 for rows of 64 bytes. More were not measured.
const FEW_OF_A_CONSTANT: usize = 1024;
/// Bytes up to which an array is small.
///
/// | kernels ÷ loops, rows of | 64 bytes | 128 | 256 | 400 | 1024 |
/// |---|---|---|---|---|---|
/// | 16 KiB by strides | 1.4 | 1.4 | 1.5 | 1.5 | 2.0 |
/// | 32 KiB; padded to 512 | 1.3; 1.6 | 1.0; 1.5 | 1.1; 1.1 | 1.1; 1.0 | 1.3 |
/// | 64 KiB; padded | 1.1; 1.5 | 0.9; 1.3 | 1.0; 1.2 | 0.9; 1.2 | 1.2 |
/// | 128 KiB; padded | 1.0; 1.0 | 0.8; 1.1 | 0.9; 1.0 | 0.9; 0.9 | 1.0 |
const FEW_BYTES: usize = 64 << 10;
/// Elements up to which a matrix of constant size is.
///
/// | kernels ÷ loops | 4×4 | 8×8 | 10×10 | 2×64 | 16×16 | 24×24 |
/// |---|---|---|---|---|---|---|
/// | `u8` | 1.8 | 1.5 | 1.5 | 3.7 | 0.5 | 0.5 |
/// | `f32` | 1.8 | 1.2 | 1.1 | 1.9 | 0.7 | 0.6 |
/// | `f64` | 1.7 | 1.6 | 1.4 | 1.4 | 1.2 | 1.0 |
const FEW_OF_A_MATRIX: usize = 128;
/// Groups up to which they are moved one by one.
///
/// | shuffles ÷ loops | 16 groups | 64 | 96 | 128 | 192 | 256 | 1024 |
/// |---|---|---|---|---|---|---|---|
/// | 3 of 4 `u8`; `u16` | 2.1 | 1.4; 1.7 | 1.3 | 1.1; 1.3 | 0.9; 1.0 | 0.8; 0.8 | 0.4 |
/// | 2 of 3, 4 of 5, 5 of 7 `u8` | | 1.4, 1.5, 1.5 | 1.2, 1.3, 1.3 | 1.1, 1.1, 1.2 | 0.9, 0.9, 0.9 | 0.7, 0.8, 0.9 | |
const FEW_GROUPS: usize = 160;
/// Stretches up to which a copy of a part that cuts tiles is best made one by one: of whole bytes, and of packed elements.
///
/// | stretches ÷ a plan | 256 stretches | 512 | 1024 | 2048 | 4096 |
/// |---|---|---|---|---|---|
/// | of 80 and 400 bytes | 0.2, 0.4 | 0.3, 0.5 | 0.4, 0.6 | 0.4, 0.8 | 0.4, 0.5 |
/// | of 4 elements of `f32`, `u8` | 0.2, 0.2 | 0.3, 0.3 | 0.5, 0.5 | 0.7, 0.8 | 0.9, 1.0 |
/// | of 1 `f32` | | 0.2 | 0.3 | 0.6 | 1.0 |
/// | of 64, 4 and 1 `u4` | 0.6, 0.7 | 0.7, 1.0, 1.3 | 0.8, 1.2 | 1.4, 2.7 | |
const FEW_STRETCHES: usize = 2048;
/// Those of packed elements, each of which takes longer.
pub(super) const FEW_PACKED_STRETCHES: usize = 384;
/// Bytes from which on stretches are best one by one, however many these are.
const LONG_STRETCH: usize = 64;

/// Whether a part that cuts tiles has so few stretches, `few` at most, that a plan takes longer.
#[inline(always)]
pub(super) fn are_few<P: Place, Q: Place>(from: &P, to: &Q, few: usize) -> bool {
    from.dims().as_ref().iter().product::<usize>() <= few.saturating_mul(stretch(from, to))
}

/// Elements of a stretch that both sides have side by side, at most.
#[inline(always)]
fn stretch<P: Place, Q: Place>(from: &P, to: &Q) -> usize {
    let (dims, dim) = (from.dims(), to.run_dim());
    let along = if from.run_dim() == dim { from.consecutive()[0] } else { 1 };
    along.min(to.consecutive()[0]).min(*dims.as_ref().get(dim).unwrap_or(&1))
}

/// Copies slots of whole elements, in the way that is best. Returns the destination, all of which holds values.
#[inline(always)]
pub(super) fn copy<'d, P: Place, Q: Place, T: Copy + 'static>(
    from: &P,
    to: &Q,
    slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    match const { of_types::<P, Q>() } {
        Way::Stretches => cut(from, to, slots),
        _ => copy_whole(from, to, slots),
    }
}

/// Between parts that may cut tiles.
#[inline(never)]
fn cut<'d, P: Place, Q: Place, T: Copy + 'static>(
    from: &P,
    to: &Q,
    slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    let is_cut = from.own().is_none() || to.own().is_none();
    let are_long = || stretch(from, to).saturating_mul(size_of::<T>()) >= LONG_STRETCH;
    if is_cut && (are_few(from, to, FEW_STRETCHES) || are_long()) {
        return run::stretches(from, to, slots);
    }
    copy_whole(from, to, slots)
}

/// As [`copy`], but never stretch by stretch.
#[inline(always)]
pub(super) fn copy_whole<'d, A: Mapping, B: Mapping, T: Copy + 'static>(
    from: &A,
    to: &B,
    slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    match const { of_types::<A, B>() } {
        Way::BySizes => between(Pair::of(from.side(), to.side()), slots),
        Way::Stretches => match (from.own(), to.own()) {
            (Some(from), Some(to)) => between(Pair::of(from, to), slots),
            _ => run::values(from, to, slots),
        },
        _ => run::values(from, to, slots),
    }
}

/// Copies between two sides whose types say the loops, by what the sizes say. The slices are as long as the sides ask.
///
/// Loops and the matrices of small arrays are code of the caller's; loops that few arrays need are a function apart: each further variant
/// costs small copies registers.
#[inline(always)]
pub(super) fn between<'d, A: Mapping, B: Mapping, T: Copy + 'static>(
    pair: Pair<A, B>,
    mut slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    let is_done = match Small::of(pair.clone(), &mut slots) {
        None => false,
        Some(small) => small.copied::<true>(),
    };
    if is_done {
        // SAFETY: every way writes every element, and the padding to every slot that holds none.
        return unsafe { slots.copied() };
    }
    // Other functions get copies of both: a value whose address is passed on is kept in memory, in the loops above too.
    if const { Pair::<A, B>::IS_CONSTANT } {
        return run::constant::<A, B, T>().copy(slots.apart(), &Settings::default());
    }
    apart(&{ pair }, slots.apart())
}

/// What is not made in the caller's code.
#[inline(never)]
fn apart<'d, A: Mapping, B: Mapping, T: Copy + 'static>(
    pair: &Pair<A, B>,
    mut slots: CopiedSlots<'_, 'd, T>,
) -> &'d mut [T] {
    let is_done = match Small::of(pair.clone(), &mut slots) {
        None => false,
        Some(small) => small.copied::<false>(),
    };
    if is_done {
        // SAFETY: as above.
        return unsafe { slots.copied() };
    }
    run::kernels(pair, slots)
}

/// Copies by loops, also where a kernel is faster. False if it is not done.
#[inline(always)]
pub(super) fn by_loops<A: Mapping, B: Mapping, T: Copy + 'static>(
    pair: Pair<A, B>,
    slots: &mut CopiedSlots<'_, '_, T>,
) -> bool {
    let Some(mut small) = Small::of(pair, slots) else { return false };
    let are_rows = const { !Pair::<A, B>::IS_CONSTANT } && small.are_rows();
    if are_rows { small.by(Way::Rows) } else { small.by(Way::Loops) }
}

/// Writes the padding, and what a function makes of each element: by loops in the caller's code, where there are some.
#[inline(always)]
pub(super) fn map<'d, P: Mapping, Q: Mapping, T: Copy, U: Copy + 'static>(
    from: &P,
    to: &Q,
    src: &[T],
    mut slots: CopiedSlots<'_, 'd, U>,
    mut function: impl FnMut(P::Index, T) -> U,
) -> &'d mut [U] {
    slots.pad(elements(from.dims().as_ref()), |dst, value| fill_padding(to, dst, value));
    map_elements(from, to, src, &mut slots, &mut function);
    // SAFETY: each element was written; the slots that hold none were before.
    unsafe { slots.copied() }
}

/// As [`map`], but slots of padding are left as they are.
#[inline(always)]
pub(super) fn map_elements<P: Mapping, Q: Mapping, T: Copy, U: Copy + 'static>(
    from: &P,
    to: &Q,
    src: &[T],
    slots: &mut CopiedSlots<'_, '_, U>,
    mut function: impl FnMut(P::Index, T) -> U,
) {
    if from.dims().as_ref().contains(&0) {
        return;
    }
    if const { !matches!(of_types::<P, Q>(), Way::Kernels) && Pair::<P::Own, Q::Own, true>::HAS_NEST }
        && let (Some(from), Some(to)) = (from.own(), to.own())
    {
        return Pair::<_, _, true>::of(from, to).map(slots.loops_from(src), function);
    }
    run::each(from, to, |index, from, to| slots.put(to, function(index, src[from])));
}

/// An array with elements, its memory, and the loops of its pair.
struct Small<'m, A, B, T> {
    pair: PhantomData<(A, B)>,
    elements: usize,
    sizes: [usize; LEVELS],
    strides: Strides,
    memory: InlineMemory<'m, T>,
    plain: Plain<T>,
    /// What is written to slots that hold no element, if there are some.
    padding: Option<T>,
}

impl<'m, A: Mapping, B: Mapping, T: Copy + 'static> Small<'m, A, B, T> {
    const NEST: &'static PlanTemplate = Pair::<A, B>::NEST;

    /// Whether loops are best, where the compiler knows all sizes.
    const IS_BEST: bool = Pair::<A, B>::IS_CONSTANT && {
        let ((sizes, strides), elements) = (Pair::<A, B>::SIZED, Pair::<A, B>::ELEMENTS);
        is_small(Self::NEST, (sizes, strides), elements, size_of::<T>(), FEW_OF_A_CONSTANT)
            && (Self::NEST.matrix().is_none() || elements <= FEW_OF_A_MATRIX)
    };

    /// `None` without elements, or without a nest.
    #[inline(always)]
    fn of(pair: Pair<A, B>, slots: &'m mut CopiedSlots<'_, '_, T>) -> Option<Self> {
        let elements = pair.elements();
        if const { !Pair::<A, B>::HAS_NEST || size_of::<T>() == 0 } || elements == 0 {
            return None;
        }
        let ((sizes, strides), (memory, padding, plain)) =
            (pair.sized(), slots.for_loops(elements));
        let memory = memory.beginning_at(pair.first());
        Some(Small { pair: PhantomData, elements, sizes, strides, memory, plain, padding })
    }

    /// Copies in the first way that fits, in the caller's code or apart from it. False if that is [`Way::Kernels`]; no element is written then.
    #[inline(always)]
    fn copied<const IN_CALLER: bool>(mut self) -> bool {
        if IN_CALLER {
            if const { Self::IS_BEST } {
                return self.by(Way::Loops);
            }
            // Whether strides of the caller's make matrices is a question that costs those that are none.
            if const { !Self::NEST.has_any() || Self::NEST.has_any_alone() } && self.by(Way::Matrix)
            {
                return true;
            }
            return const { !Pair::<A, B>::IS_CONSTANT }
                && self.are_rows()
                && self.is_small()
                && !self.are_groups()
                && self.by(Way::Rows);
        }
        self.by(Way::Matrix)
            || self.are_groups() && self.by(Way::Groups)
            || (self.is_small() || self.is_spread()) && self.by(Way::Loops)
    }

    /// Copies so. Whether it did: the slices may be too short, and there may be no matrix.
    #[inline(always)]
    fn by(&mut self, way: Way) -> bool {
        let Small { ref plain, sizes, strides, elements, .. } = *self;
        let memory = &mut self.memory;
        match way {
            Way::Matrix => {
                self.padding.is_none()
                    && if const { Pair::<A, B>::IS_CONSTANT } {
                        memory.transpose::<Pair<A, B>, true>(plain, &sizes, &strides, elements)
                    } else {
                        memory.transpose::<Pair<A, B>, false>(plain, &sizes, &strides, elements)
                    }
            }
            // Plans that are constants have kernels for them.
            Way::Groups if const { Pair::<A, B>::IS_CONSTANT } => false,
            Way::Groups => {
                self.padding.is_none()
                    && memory.again().shuffle::<Pair<A, B>>(*plain, sizes, strides)
            }
            Way::Rows => {
                self.fill();
                let mut strides = strides;
                if const { Self::NEST.has_any() } {
                    strides[Self::NEST.last()] = [1, 1];
                }
                self.memory.again().copy::<Whole<Pair<A, B>>>(&sizes, &strides)
            }
            _ => {
                self.fill();
                self.memory.again().copy::<Pair<A, B>>(&sizes, &strides)
            }
        }
    }

    /// Whether tiles are whole, and elements contiguous where strides are the caller's.
    #[inline(always)]
    fn are_rows(&self) -> bool {
        let are_next = || matches!(self.strides[const { Self::NEST.last() }], [1, 1]);
        (const { !Self::NEST.has_any() } || are_next())
            && (const { Self::NEST.is_untiled() }
                || Self::NEST.whole(&self.sizes, self.elements).is_some())
    }

    #[inline(always)]
    fn is_small(&self) -> bool {
        is_small(Self::NEST, (&self.sizes, &self.strides), self.elements, size_of::<T>(), FEW)
    }

    #[inline(always)]
    fn is_spread(&self) -> bool {
        !cfg!(debug_assertions) && Pair::<A, B>::is_spread(&self.sizes, &self.strides)
    }

    /// Whether shuffles are best.
    #[inline(always)]
    fn are_groups(&self) -> bool {
        let group = || InlineMemory::<'_, T>::group::<Pair<A, B>>(&self.sizes, &self.strides);
        (const { Self::NEST.has_any() })
            && group().is_some_and(|group| self.elements > group.saturating_mul(FEW_GROUPS))
    }

    /// Writes the padding to all slots: that is faster than to look for those without an element.
    #[inline(always)]
    fn fill(&mut self) {
        if let Some(value) = self.padding {
            if const { Pair::<A, B>::IS_CONSTANT } {
                self.memory.fill::<true>(value);
            } else {
                self.memory.fill::<false>(value);
            }
        }
    }
}

/// Whether an array is so small that a copy of it is best made in the caller's code: by a move for each run of elements that both sides have
/// side by side. Without optimisation none is.
#[inline(always)]
const fn is_small(
    nest: &PlanTemplate,
    (sizes, strides): (&[usize; LEVELS], &Strides),
    elements: usize,
    element: usize,
    few: usize,
) -> bool {
    if cfg!(debug_assertions) || element == 0 || elements > FEW_BYTES / element {
        return false;
    }
    let (row, last) = (nest.row(), nest.last());
    let (size, extent) = (sizes[last], native(row.extent));
    let run = match strides[last] {
        [1, 1] if size < extent => size,
        [1, 1] => extent,
        _ => 1,
    };
    elements <= few.saturating_mul(run)
}
