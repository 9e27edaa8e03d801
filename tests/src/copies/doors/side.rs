//! The sides of copies: where the elements of a part of an array lie, in memory of each kind.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::ops::Range;
use std::rc::Rc;

use layout::__private::core::native;
use layout::dynamic::DynLayout;
use layout::shape::{Dim, Size};
use layout::{AnyLayout, ArrayShape, StridedMut};

use crate::naive::{self, Naive, flatten, indices, sizes};
use crate::random::Random;
use crate::strides::Place;

/// Slots of memories that are kept.
const MOST_KNOWN: usize = 10_000_000;

/// Where the elements of a part lie.
#[derive(Clone, Debug)]
pub struct At {
    /// The slot of each, in row-major order.
    pub(super) slots: Vec<usize>,
    /// Slots that padding is written to.
    pub(super) paddings: Vec<usize>,
    pub(super) length: usize,
}

/// One side of a copy: a part of an array, in each kind of memory.
#[derive(Clone)]
pub struct Side<const R: usize> {
    /// The sizes of the array.
    pub whole: [usize; R],
    /// Where the part begins.
    pub start: [usize; R],
    /// The sizes of the part.
    pub size: [usize; R],
    /// The strides of the part by itself, and those of the whole array.
    pub(super) places: [Place; 2],
    /// Slots before and after those of strides.
    around: [usize; 2],
    known: RefCell<BTreeMap<String, Option<Rc<At>>>>,
}

impl<const R: usize> Side<R> {
    /// A part of an array of which the source of a copy is read or the destination is written.
    pub fn of_part(
        random: &mut Random,
        [whole, start, size]: [[usize; R]; 3],
        is_source: bool,
    ) -> Side<R> {
        let places = [size, whole].map(|dims| place(random, &dims, is_source));
        let around = [(); 2].map(|()| random.below(2) * random.below(20));
        Side { whole, start, size, places, around, known: RefCell::default() }
    }

    /// Both sides of a copy of whole arrays.
    pub fn pair(random: &mut Random, dims: [usize; R]) -> [Side<R>; 2] {
        [true, false].map(|is_source| Side::of_part(random, [dims, [0; R], dims], is_source))
    }

    /// Both sides of copies of whole arrays between these strides.
    pub fn between(
        random: &mut Random,
        dims: [usize; R],
        strides: [[isize; R]; 2],
    ) -> [Side<R>; 2] {
        let mut sides = Side::pair(random, dims);
        for (side, strides) in sides.iter_mut().zip(strides) {
            side.places[0] = Place::of(&dims, strides.to_vec());
        }
        sides
    }

    /// The ranges of the part.
    pub fn ranges(&self) -> [Range<usize>; R] {
        std::array::from_fn(|dim| self.start[dim]..self.start[dim] + self.size[dim])
    }

    /// The layout with the sizes of the part or of the whole array.
    ///
    /// # Panics
    /// If it has other sizes.
    pub fn value(&self, shape: &ArrayShape, kind: &str) -> DynLayout {
        let shape = shape.with_dims(&sizes(&self.dims(kind))).expect("its sizes");
        DynLayout::new(&shape).expect("a layout")
    }

    /// The strides of the part, or of the whole array.
    pub fn strides(&self, is_whole: bool) -> [isize; R] {
        self.places[usize::from(is_whole)].strides()
    }

    /// The slot of the first element by its strides.
    pub fn first(&self, is_whole: bool) -> usize {
        self.around[0] + self.places[usize::from(is_whole)].first()
    }

    /// Whether no elements share memory by the strides of the part, so that they can be written.
    pub fn is_apart(&self) -> bool {
        let [before, after] = self.around;
        let memory = &mut vec![(); before + self.places[0].length + after];
        StridedMut::at(memory, self.first(false), self.size, self.strides(false)).is_ok()
    }

    /// Where the elements lie in memory of a kind; `None` if the layout has other sizes.
    pub(super) fn at(&self, kind: &str, shape: Option<&ArrayShape>) -> Option<Rc<At>> {
        let mut known = self.known.borrow_mut();
        let of_kind = known.entry(format!("{kind} {shape:?}"));
        of_kind.or_insert_with(|| self.find(kind, shape).map(Rc::new)).clone()
    }

    /// The sizes that the layout of memory of a kind has.
    pub(super) fn dims(&self, kind: &str) -> [usize; R] {
        if kind.starts_with("part") { self.whole } else { self.size }
    }

    fn find(&self, kind: &str, shape: Option<&ArrayShape>) -> Option<At> {
        let is_part = kind.starts_with("part");
        let mut found = if kind.ends_with("strided") {
            let ([before, after], place) = (self.around, &self.places[usize::from(is_part)]);
            let slots = place.slots.iter().map(|slot| before + slot).collect();
            At { slots, paddings: Vec::new(), length: before + place.length + after }
        } else {
            let memory = known_memory(shape?, &sizes(&self.dims(kind)));
            let paddings = (0..memory.len()).filter(|slot| memory[*slot].is_none() && !is_part);
            At { slots: naive::slots(&memory), paddings: paddings.collect(), length: memory.len() }
        };
        if is_part {
            let number = |index: [usize; R]| {
                let index: [usize; R] = std::array::from_fn(|dim| self.start[dim] + index[dim]);
                flatten(&sizes(&index), &sizes(&self.whole)) as usize
            };
            found.slots = indices(self.size).map(|index| found.slots[number(index)]).collect();
        }
        Some(found)
    }
}

impl<const R: usize> Debug for Side<R> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Side { whole, places: [part, all], around, .. } = self;
        write!(f, "{:?} of {whole:?} with strides {:?}, ", self.ranges(), part.strides)?;
        write!(f, "of the whole {:?}, slots around it {around:?}", all.strides)
    }
}

/// Strides of any kind. Of a source they may let elements share memory.
fn place(random: &mut Random, dims: &[usize], is_source: bool) -> Place {
    let rows = |pitch: usize| {
        let mut strides = vec![1; dims.len()];
        for dim in (1..dims.len()).rev() {
            let most = if dim + 1 == dims.len() { pitch } else { dims[dim] };
            strides[dim - 1] = strides[dim] * most.cast_signed();
        }
        Place::of(dims, strides)
    };
    match random.below(8) {
        0 if is_source => {
            let strides = dims.iter().map(|_| random.below(5).cast_signed() - 2);
            Place::of(dims, strides.collect())
        }
        1 if is_source => rows(*random.pick(&[0, 40, 64])),
        2 => rows(dims.last().map_or(1, |size| size.next_multiple_of(8))),
        _ => Place::random(dims, is_source, random),
    }
}

/// Sizes of an array: none, one, few, at the borders of vectors and tiles, or anything.
pub fn some_dims<const R: usize>(random: &mut Random) -> [usize; R] {
    // Miri takes small ones.
    let limit = if cfg!(miri) { 6 } else { [1, 500, 300, 20, 8, 6][R] };
    [(); R].map(|()| match random.below(16) {
        0 => random.below(2),
        1..9 => 1 + random.below(limit.min(20)),
        9..13 => (*random.pick(&[4, 8, 16, 32, 64, 128]) + random.below(3)).min(limit + 1) - 1,
        _ => random.below(limit + 1),
    })
}

/// Sizes that go with both layouts, of which the first one has this shape.
///
/// # Panics
/// If there are none.
pub fn dims_of<A, B, const R: usize>(random: &mut Random, shape: &ArrayShape) -> [usize; R]
where
    A: AnyLayout<Index = [usize; R]>,
    B: AnyLayout<Index = [usize; R]>,
{
    let mut some = || {
        let mut dims = some_dims(random);
        for (dim, of_type) in dims.iter_mut().zip(shape.dims()) {
            if let Dim::Static(size) = of_type {
                *dim = native(*size);
            }
        }
        (A::with_dims(dims).is_ok() && B::with_dims(dims).is_ok()).then_some(dims)
    };
    (0..1000).find_map(|_| some()).expect("sizes of both")
}

/// Both sides of copies of parts: the whole arrays first, then random ones, many on borders of bytes and tiles.
pub fn parts<const R: usize>(
    random: &mut Random,
    wholes: [[usize; R]; 2],
    rounds: usize,
) -> Vec<[Side<R>; 2]> {
    // Miri takes a few small ones.
    let rounds = if cfg!(miri) { 1..4 } else { 0..rounds };
    rounds
        .map(|round| {
            let size = std::array::from_fn(|dim| {
                let most = wholes[0][dim].min(wholes[1][dim]);
                match random.below(4) {
                    _ if round == 0 => most,
                    0 if round >= 10 => most,
                    1 | 2 if round >= 10 => random.below(most + 1),
                    _ => random.below(most.min(9) + 1),
                }
            });
            let mut side = |whole: [usize; R], is_source| {
                let start = std::array::from_fn(|dim| {
                    let start = random.below(whole[dim] - size[dim] + 1);
                    match random.below(4) {
                        0 => start / 8 * 8,
                        1 => start / 128 * 128,
                        2 => whole[dim] - size[dim],
                        _ => start,
                    }
                });
                Side::of_part(random, [whole, start, size], is_source)
            };
            [side(wholes[0], true), side(wholes[1], false)]
        })
        .collect()
}

/// The memory of a layout, made once where many parts of it are copied.
fn known_memory(shape: &ArrayShape, dims: &[Size]) -> Rc<Vec<Option<Size>>> {
    thread_local! {
        static KNOWN: RefCell<BTreeMap<String, Rc<Vec<Option<Size>>>>> = RefCell::default();
    }
    KNOWN.with_borrow_mut(|known| {
        if known.values().map(|memory| memory.len()).sum::<usize>() > MOST_KNOWN {
            known.clear();
        }
        let of_layout = known.entry(format!("{shape} {dims:?}"));
        of_layout.or_insert_with(|| Rc::new(memory_of(shape, dims))).clone()
    })
}

/// What stands in the memory of a layout with these sizes: bounded dimensions are laid out with their bounds.
pub fn memory_of(shape: &ArrayShape, dims: &[Size]) -> Vec<Option<Size>> {
    let width = |dim: &Dim| match dim {
        Dim::Static(size) | Dim::Bounded(size) => *size,
        _ => unreachable!("the sizes are given"),
    };
    let widths = shape.dims().iter().map(width).collect::<Vec<_>>();
    if widths.contains(&0) {
        return Vec::new();
    }
    let naive = Naive::of(shape, &widths);
    let padded = Some(naive.padded.clone().unwrap_or(widths));
    Naive { dims: dims.to_vec(), padded, ..naive }.memory()
}
