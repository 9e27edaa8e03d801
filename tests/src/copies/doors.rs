//! A copy through one door after the other: where the elements lie on both sides, and what the destination holds after it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use layout::copies::{Placed, Settings};
use layout::dynamic::DynLayout;
use layout::element::PackedValue;
use layout::shape::{Dim, Size};
use layout::{ArrayShape, ElementType, Padding, Plan, StridedMut};

use super::paths::all_settings;
use crate::bits::{get, set};
use crate::lists::{array, list};
use crate::naive::{self, Naive, flatten, indices, sizes};
use crate::random::Random;
use crate::strides::Place;

/// Memory, slot by slot.
pub trait Slots: Clone {
    /// What memory is made of.
    type Unit: Copy + PartialEq;
    /// What a slot holds.
    type Elem: Copy + PartialEq + Debug;
    /// All of it.
    fn units(&self) -> &[Self::Unit];
    /// All of it, to write.
    fn units_mut(&mut self) -> &mut [Self::Unit];
    /// The element of a slot.
    fn get(&self, slot: usize) -> Self::Elem;
    /// Writes the element of a slot.
    fn set(&mut self, slot: usize, value: Self::Elem);
}

impl<T: Copy + PartialEq + Debug> Slots for Vec<T> {
    type Unit = T;
    type Elem = T;

    fn units(&self) -> &[T] {
        self
    }

    fn units_mut(&mut self) -> &mut [T] {
        self
    }

    fn get(&self, slot: usize) -> T {
        self[slot]
    }

    fn set(&mut self, slot: usize, value: T) {
        self[slot] = value;
    }
}

/// Packed elements, which are read as `E`.
#[derive(Clone, Debug)]
pub struct Bits<E> {
    bytes: Vec<u8>,
    width: usize,
    is_high: bool,
    elements: PhantomData<E>,
}

impl<E> Bits<E> {
    /// The slot as it counts from the low end of each byte.
    fn from_low(&self, slot: usize) -> usize {
        if self.is_high { slot ^ (8 / self.width - 1) } else { slot }
    }
}

impl<E: PackedValue> Slots for Bits<E> {
    type Unit = u8;
    type Elem = E;

    fn units(&self) -> &[u8] {
        &self.bytes
    }

    fn units_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }

    fn get(&self, slot: usize) -> E {
        *E::of_bits(get(&self.bytes, self.from_low(slot), self.width) as u8, self.width as u32)
    }

    fn set(&mut self, slot: usize, value: E) {
        let slot = self.from_low(slot);
        set(&mut self.bytes, slot, self.width, value.byte().into());
    }
}

/// How elements stand in memory.
#[expect(missing_debug_implementations, reason = "it holds a function")]
pub struct Format<M: Slots> {
    new: Box<dyn Fn(usize, &mut Random) -> M>,
    /// Kinds of padding, and what it becomes.
    paddings: Vec<(Padding<M::Elem>, Option<M::Elem>)>,
}

impl<M: Slots> Format<M> {
    /// The same in a layout that declares its padding to be a value, or nothing.
    pub fn declaring(mut self, value: Option<M::Elem>) -> Format<M> {
        self.paddings.push((Padding::Declared, value));
        self
    }
}

/// Elements of whole bytes, made of random numbers.
pub fn values<T: Copy + PartialEq + Debug + 'static>(
    of: fn(u32) -> T,
    zero: Option<T>,
) -> Format<Vec<T>> {
    let number = |random: &mut Random| (random.below(1 << 16) << 16 | random.below(1 << 16)) as u32;
    let mut paddings = vec![(Padding::Leave, None), (Padding::Fill(of(77)), Some(of(77)))];
    paddings.extend(zero.map(|zero| (Padding::Zero, Some(zero))));
    Format {
        new: Box::new(move |slots, random| (0..slots).map(|_| of(number(random))).collect()),
        paddings,
    }
}

/// Elements of so many bits, in either order within bytes.
pub fn bits<E: PackedValue>(width: usize, is_high: bool) -> Format<Bits<E>> {
    let fill = |bits| (Padding::Fill(*E::of_bits(bits, width as u32)), bits);
    let paddings = [(Padding::Zero, 0), fill(0), fill(1)];
    let paddings = paddings.map(|(padding, bits)| (padding, Some(*E::of_bits(bits, width as u32))));
    Format {
        new: Box::new(move |slots, random| {
            let bytes = (0..(slots * width).div_ceil(8)).map(|_| random.below(256) as u8).collect();
            Bits { bytes, width, is_high, elements: PhantomData }
        }),
        paddings: paddings.into_iter().chain([(Padding::Leave, None)]).collect(),
    }
}

/// Where the elements of a part lie.
#[derive(Clone, Debug)]
pub struct At {
    /// The slot of each, in row-major order.
    slots: Vec<usize>,
    /// Slots that padding is written to.
    paddings: Vec<usize>,
    length: usize,
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
    places: [Place; 2],
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
    fn at(&self, kind: &str, shape: Option<&ArrayShape>) -> Option<Rc<At>> {
        let mut known = self.known.borrow_mut();
        let of_kind = known.entry(format!("{kind} {shape:?}"));
        of_kind.or_insert_with(|| self.find(kind, shape).map(Rc::new)).clone()
    }

    /// The sizes that the layout of memory of a kind has.
    fn dims(&self, kind: &str) -> [usize; R] {
        if kind.starts_with("part") { self.whole } else { self.size }
    }

    fn find(&self, kind: &str, shape: Option<&ArrayShape>) -> Option<At> {
        let is_part = kind.starts_with("part");
        let mut found = if kind.ends_with("strided") {
            let ([before, after], place) = (self.around, &self.places[usize::from(is_part)]);
            let slots = place.slots.iter().map(|slot| before + slot).collect();
            At { slots, paddings: Vec::new(), length: before + place.length + after }
        } else {
            let memory = memory_of(shape?, &sizes(&self.dims(kind)));
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

    /// Slots before those that a plan knows of.
    fn lead(&self, kind: &str) -> usize {
        if kind == "strided" { self.around[0] } else { 0 }
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
        2 if is_source => rows(dims.last().map_or(1, |size| size.next_multiple_of(8))),
        _ => Place::random(dims, is_source, random),
    }
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

/// The name of a layout, and its value with sizes if it has such; strides have none.
pub type Layout<const R: usize> = (&'static str, fn([usize; R]) -> Option<ArrayShape>);

/// What runs, and which rows of a table have run.
#[derive(Debug)]
pub struct Run {
    /// The random numbers.
    pub random: Random,
    rows: BTreeMap<String, usize>,
}

impl Run {
    /// Before the first copy.
    pub fn new(seed: u64) -> Run {
        Run::of(&Random::new(seed))
    }

    /// With random numbers that have begun.
    pub fn of(random: &Random) -> Run {
        Run { random: random.clone(), rows: BTreeMap::new() }
    }

    /// A copy between two kinds of memory, unless a layout has other sizes.
    pub fn case<'c, S: Slots, D: Slots, const R: usize>(
        &mut self,
        sides: [&'c Side<R>; 2],
        kinds: [&'static str; 2],
        layouts: [Layout<R>; 2],
        formats: (&Format<S>, &'c Format<D>),
        convert: fn(S::Elem) -> D::Elem,
    ) -> Option<Case<'c, S, D, R>> {
        let row = [0, 1].map(|side| format!("{} of {}", kinds[side], layouts[side].0));
        let count = self.rows.entry(row.join(" to ")).or_default();
        let shapes = [0, 1].map(|side| layouts[side].1(sides[side].dims(kinds[side])));
        let from = sides[0].at(kinds[0], shapes[0].as_ref())?;
        let to = sides[1].at(kinds[1], shapes[1].as_ref())?;
        *count += 1;
        let random = &mut self.random;
        let (source, before) =
            ((formats.0.new)(from.length, random), (formats.1.new)(to.length, random));
        let dim = random.below(R.max(1));
        let cut = (dim, random.below(sides[0].size.get(dim).unwrap_or(&0) + 1));
        Some(Case {
            sides,
            kinds,
            shapes,
            source,
            before,
            from,
            to,
            format: formats.1,
            convert,
            calls: Cell::new(0),
            cut,
            settings: *random.pick(all_settings()),
        })
    }

    /// At the end.
    ///
    /// # Panics
    /// If a row has never run, since no sizes went with it.
    pub fn finish(self) {
        let never = self.rows.iter().find(|(_, count)| **count == 0);
        assert_eq!(never, None, "a row without copies");
    }
}

/// A door with memory and a function of index and element.
type PanickingDoor<'a, S, D> = dyn FnMut(
        &mut [<D as Slots>::Unit],
        &mut dyn FnMut(&[usize], <S as Slots>::Elem) -> <D as Slots>::Elem,
    ) + 'a;

/// A copy of a part of one array to a part of another one.
#[expect(missing_debug_implementations, reason = "it holds functions")]
pub struct Case<'c, S: Slots, D: Slots, const R: usize> {
    sides: [&'c Side<R>; 2],
    kinds: [&'static str; 2],
    shapes: [Option<ArrayShape>; 2],
    /// The memory that is read.
    pub source: S,
    before: D,
    from: Rc<At>,
    to: Rc<At>,
    format: &'c Format<D>,
    convert: fn(S::Elem) -> D::Elem,
    calls: Cell<usize>,
    /// A dimension, and where it is cut into halves.
    pub cut: (usize, usize),
    /// How the copy is made, where one can choose.
    pub settings: Settings,
}

impl<S: Slots, D: Slots, const R: usize> Case<'_, S, D, R> {
    fn what(&self) -> String {
        let ([from, to], [a, b], [of, other]) = (self.kinds, &self.shapes, self.sides);
        format!("{from} of {a:?}, {of:?}, to {to} of {b:?}, {other:?}, {:?}", self.settings)
    }

    fn expected(&self, padding: Option<D::Elem>) -> D {
        let mut expected = self.before.clone();
        for (slot, value) in self.to.paddings.iter().filter_map(|slot| Some((*slot, padding?))) {
            expected.set(slot, value);
        }
        for (from, to) in self.from.slots.iter().zip(&self.to.slots) {
            expected.set(*to, (self.convert)(self.source.get(*from)));
        }
        expected
    }

    fn assert_same(&self, found: &D, expected: &D, what: &str) {
        if found.units() != expected.units() {
            let slots = (0..self.to.length).map(|slot| (slot, found.get(slot), expected.get(slot)));
            let wrong = { slots }.find(|(_, found, expected)| found != expected);
            panic!("{what}: (slot, found, expected) is {wrong:?} of {}", self.what());
        }
    }

    /// What a door writes, with padding of each kind. The door says whether it copies such arrays.
    ///
    /// # Panics
    /// If anything else is written.
    pub fn door(&self, name: &str, copy: &mut dyn FnMut(&mut [D::Unit], Padding<D::Elem>) -> bool) {
        for (padding, value) in &self.format.paddings {
            let (expected, mut found) = (self.expected(*value), self.before.clone());
            if copy(found.units_mut(), *padding) {
                self.assert_same(&found, &expected, &format!("{name} with {padding:?}"));
            }
        }
    }

    /// What a door writes that copies parts of it, which have no padding.
    ///
    /// # Panics
    /// If anything else is written.
    pub fn parts(&self, name: &str, copy: &mut dyn FnMut(&mut [D::Unit])) {
        let (expected, mut found) = (self.expected(None), self.before.clone());
        copy(found.units_mut());
        self.assert_same(&found, &expected, &format!("{name} at {:?}", self.cut));
    }

    /// New memory that a door makes, with a value as padding.
    ///
    /// # Panics
    /// If it holds anything else.
    pub fn made(&self, name: &str, value: D::Elem, made: &[D::Unit]) {
        assert!(made == self.expected(Some(value)).units(), "{name}: {}", self.what());
    }

    /// What padding is filled with.
    pub fn fills(&self) -> impl Iterator<Item = D::Elem> {
        self.format.paddings.iter().filter_map(|(_, value)| *value)
    }

    /// The memory that is read.
    pub fn units(&self) -> &[S::Unit] {
        self.source.units()
    }

    /// How many slots the destination has.
    pub fn slots(&self) -> usize {
        self.to.length
    }

    /// Whether there are bytes to copy: loops in the caller's code copy nothing else, and between strides they copy that.
    ///
    /// # Panics
    /// If loops between strides did not.
    pub fn is_inline(&self, is_copied: bool) -> bool {
        if self.kinds == ["strided"; 2] {
            let has_bytes = !self.to.slots.is_empty() && size_of::<D::Unit>() > 0;
            assert_eq!(is_copied, has_bytes, "{}", self.what());
        }
        is_copied
    }

    /// What a function makes of an element; each is asked of once.
    ///
    /// # Panics
    /// If it is given another element of this index.
    pub fn mapped(&self, index: &[usize], element: S::Elem) -> D::Elem {
        self.calls.set(self.calls.get() + 1);
        let number = flatten(&sizes(index), &sizes(&self.sides[0].size)) as usize;
        let expected = self.source.get(self.from.slots[number]);
        assert_eq!(element, expected, "{index:?} of {}", self.what());
        (self.convert)(element)
    }

    /// After a function was called of each element.
    ///
    /// # Panics
    /// If it was called more or fewer times.
    pub fn all_are_mapped(&self) {
        assert_eq!(self.calls.take(), self.from.slots.len(), "{}", self.what());
    }

    /// A door that is given a function which panics halfway: each slot holds what it held, or what the function made.
    ///
    /// # Panics
    /// If one does not, or the panic does not get through.
    pub fn panics(&self, copy: &mut PanickingDoor<'_, S, D>) {
        let (mut found, all) = (self.before.clone(), self.expected(None));
        let half = self.from.slots.len() / 2;
        let caught = catch_unwind(AssertUnwindSafe(|| {
            copy(found.units_mut(), &mut |index, element| {
                assert!(self.calls.get() < half, "halfway");
                self.mapped(index, element)
            });
        }));
        assert_eq!(caught.is_err(), !self.from.slots.is_empty());
        let is_right = |slot: &usize| {
            [&self.before, &all].iter().any(|memory| memory.get(*slot) == found.get(*slot))
        };
        assert!((0..self.to.length).all(|slot| is_right(&slot)), "{}", self.what());
        let is_written = |slot: &&usize| found.get(**slot) != self.before.get(**slot);
        let is_made = |slot: &&usize| all.get(**slot) != self.before.get(**slot);
        let written = self.to.slots.iter().filter(is_written).count();
        let same = self.to.slots.iter().filter(|slot| !is_made(slot)).count();
        assert!((half.saturating_sub(same)..=half).contains(&written), "{}", self.what());
        self.calls.set(0);
    }

    /// The elements in row-major order.
    ///
    /// # Panics
    /// If they are others.
    pub fn reads(&self, elements: Vec<S::Elem>) {
        let expected = self.from.slots.iter().map(|slot| self.source.get(*slot));
        assert!(elements.into_iter().eq(expected), "in row-major order: {}", self.what());
    }

    /// The elements by their indices, and none past the end.
    ///
    /// # Panics
    /// If they are others.
    pub fn gets(&self, get: &dyn Fn([usize; R]) -> Option<S::Elem>) {
        let size = self.sides[0].size;
        for (index, slot) in indices(size).zip(&self.from.slots) {
            assert_eq!(get(index), Some(self.source.get(*slot)), "{index:?} of {}", self.what());
        }
        for dim in 0..R {
            let mut index = [0; R];
            index[dim] = size[dim];
            assert_eq!(get(index), None, "{index:?} of {}", self.what());
        }
    }
}

impl<S, T, const R: usize> Case<'_, Vec<S>, Vec<T>, R>
where
    S: Copy + PartialEq + Debug + 'static,
    T: Copy + PartialEq + Debug + 'static,
{
    /// The plan of elements of so many bytes between whole memories, as one of the settings has it, and the source.
    ///
    /// # Panics
    /// If it is not planned.
    pub fn planned(&self) -> Option<(Plan, &[S])> {
        // A plan takes a bound as the size, and elements of some bits.
        let is_bounded = |dim: &Dim| matches!(dim, Dim::Bounded(_));
        if size_of::<T>() == 0
            || self.shapes.iter().flatten().any(|shape| shape.dims().iter().any(is_bounded))
        {
            return None;
        }
        let element = self
            .shapes
            .iter()
            .flatten()
            .next()
            .map_or(ElementType::U8, |shape| shape.element_type());
        let strided = array(&format!("{element}[{}]", list(&self.sides[0].size)));
        let [from, to] = [0, 1].map(|side| {
            let placed = match &self.shapes[side] {
                None => Placed::strides(&strided, &self.sides[side].places[0].strides),
                Some(shape) => Placed::from(shape),
            };
            placed.element_bytes(size_of::<T>())
        });
        let plan = Plan::between(from, to).expect("a plan").with_settings(self.settings);
        Some((plan, &self.source[self.sides[0].lead(self.kinds[0])..]))
    }

    /// Slots before those that a plan writes.
    pub fn lead(&self) -> usize {
        self.sides[1].lead(self.kinds[1])
    }
}

/// The memory of a side: how it is used, how elements stand in it, its kind, its layout, the side, its units.
#[macro_export]
macro_rules! memory {
    (read plain $($of:tt)*) => {
        $crate::memory! { @ (view slice) (::layout::Strided) () $($of)* }
    };
    (write plain $($of:tt)*) => {
        $crate::memory! { @ (view_mut into_slice) (::layout::StridedMut) () $($of)* }
    };
    (read ($order:ident $bits:literal) $($of:tt)*) => {
        $crate::memory! { $order (packed_view slice)
            (::layout::memory::PackedStrided::<$bits, _>) $($of)* }
    };
    (write ($order:ident $bits:literal) $($of:tt)*) => {
        $crate::memory! { $order (packed_view_mut slice_mut)
            (::layout::memory::PackedStridedMut::<$bits, _>) $($of)* }
    };
    (low $view:tt $strided:tt $($of:tt)*) => { $crate::memory! { @ $view $strided () $($of)* } };
    (high $view:tt $strided:tt $($of:tt)*) => {
        $crate::memory! { @ $view $strided (.high_first()) $($of)* }
    };
    (@ ($view:ident $slice:ident) $strided:tt ($($order:tt)*)
        view $layout:ty, $side:expr, $units:expr) => {
        <$layout>::with_dims($side.size).unwrap().$view($units).unwrap()$($order)*
    };
    (@ ($view:ident $slice:ident) $strided:tt ($($order:tt)*)
        part $layout:ty, $side:expr, $units:expr) => {
        <$layout>::with_dims($side.whole).unwrap().$view($units).unwrap()$($order)*
            .$slice($side.ranges()).unwrap()
    };
    (@ $view:tt ($($strided:tt)*) ($($order:tt)*)
        strided $layout:ty, $side:expr, $units:expr) => {
        $($strided)*::at($units, $side.first(false), $side.size, $side.strides(false))
            .unwrap()$($order)*
    };
    (@ ($view:ident $slice:ident) ($($strided:tt)*) ($($order:tt)*)
        part_of_strided $layout:ty, $side:expr, $units:expr) => {
        $($strided)*::at($units, $side.first(true), $side.whole, $side.strides(true))
            .unwrap()$($order)*.$slice($side.ranges()).unwrap()
    };
    (@ ($view:ident $slice:ident) $strided:tt ()
        value $layout:ty, $side:expr, $units:expr) => {
        $side.value(<$layout>::SHAPE, "value").$view($units).unwrap()
    };
    (@ ($view:ident $slice:ident) $strided:tt ()
        part_of_value $layout:ty, $side:expr, $units:expr) => {
        $side.value(<$layout>::SHAPE, "part_of_value").$view($units).unwrap().$slice($side.ranges()).unwrap()
    };
}

/// A copy through a door, where there is one between such memories: the case, the source and the destination, without units.
#[macro_export]
macro_rules! door {
    (copy_to $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.door("copy_to", &mut |dst, padding| {
            let from = $crate::memory!(read $($from)*, $case.units());
            from.copy_to(&mut $crate::memory!(write $($to)*, dst), padding).unwrap();
            true
        });
    };
    (map_to $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.door("map_to", &mut |dst, padding| {
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut to = $crate::memory!(write $($to)*, dst);
            let function = |index: _, element| {
                $case.mapped(::core::convert::AsRef::<[usize]>::as_ref(&index), element)
            };
            from.map_to(&mut to, padding, function).unwrap();
            $case.all_are_mapped();
            true
        });
    };
    (inline $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.door("in the caller's code", &mut |dst, padding| {
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut to = $crate::memory!(write $($to)*, dst);
            $case.is_inline(::layout::__private::copied_inline(&from, &mut to, padding))
        });
    };
    (row_major $case:ident ($($from:tt)*) $to:tt) => {
        $case.reads($crate::memory!(read $($from)*, $case.units()).to_row_major());
    };
    (get $case:ident ($($from:tt)*) $to:tt) => {
        let from = $crate::memory!(read $($from)*, $case.units());
        $case.gets(&|index| Some(*::core::borrow::Borrow::borrow(&from.get(index)?)));
    };
    (halves $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.parts("halves", &mut |dst| {
            let (dim, at) = $case.cut;
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut to = $crate::memory!(write $($to)*, dst);
            let [mut first, mut second] = to.split_at_mut(dim, at).unwrap();
            let [of_first, of_second] = from.split_at(dim, at).unwrap();
            of_second.copy_to(&mut second, ::layout::Padding::Leave).unwrap();
            of_first.copy_to(&mut first, ::layout::Padding::Leave).unwrap();
        });
    };
    (into_halves $case:ident ($($from:tt)*) ($($to:tt)*)) => {
        $case.parts("into halves", &mut |dst| {
            let ((dim, at), mut source) = ($case.cut, $case.source.clone());
            let from = $crate::memory!(write $($from)*, $crate::copies::doors::Slots::units_mut(&mut source));
            let to = $crate::memory!(write $($to)*, dst);
            let halves = to.into_halves(dim, at).unwrap();
            for (mut half, part) in halves.into_iter().zip(from.into_halves(dim, at).unwrap()) {
                part.copy_to(&mut half, ::layout::Padding::Leave).unwrap();
            }
        });
    };
    (planned $case:ident ($f:tt $from:ident $($of:tt)*) ($t:tt $to:ident $($other:tt)*)) => {
        $crate::door!(@ $from $to {
            if let Some((plan, source)) = $case.planned() {
                $case.door("a plan", &mut |dst, padding| {
                    plan.run(source, &mut dst[$case.lead()..], padding).unwrap();
                    true
                });
                for value in $case.fills().filter(|_| stringify!($to) == "view") {
                    let mut memory = vec![::core::mem::MaybeUninit::uninit(); $case.slots()];
                    let written = plan.run(source, memory.as_mut_slice(), value).unwrap();
                    $case.made("a plan, to memory that held nothing", value, written);
                }
            }
        })
    };
    (@ view view $then:block) => { $then };
    (@ strided view $then:block) => { $then };
    (@ view strided $then:block) => { $then };
    (@ strided strided $then:block) => { $then };
    // New memory is of a layout.
    (new $case:ident ($($from:tt)*) ($t:tt view $layout:ty, $($of:tt)*)) => {
        for value in $case.fills() {
            let from = $crate::memory!(read $($from)*, $case.units());
            let mut memory = vec![::core::mem::MaybeUninit::uninit(); $case.slots()];
            let written = from.write_to::<$layout, _>(memory.as_mut_slice(), value).unwrap();
            $case.made("to memory that held nothing", value, written);
            let mut memory = Vec::new();
            from.write_to::<$layout, _>(&mut memory, value).unwrap();
            assert_eq!(memory.capacity(), memory.len());
            $case.made("to a vector", value, &memory);
        }
    };
    (to $case:ident ($($from:tt)*) ($t:tt view $layout:ty, $($of:tt)*)) => {
        let from = $crate::memory!(read $($from)*, $case.units());
        $case.made("to", Default::default(), from.to::<$layout>().unwrap().as_slice());
    };
    (copier $case:ident ($f:tt view $a:ty, $side:expr) ($t:tt view $b:ty, $($of:tt)*)) => {
        let copier = ::layout::Copier::<$a, $b>::new();
        let (size, source) = ($side.size, $case.units());
        $case.door("a copier", &mut |dst, padding| {
            copier.run(size, source, dst, padding).unwrap();
            true
        });
    };
    (copier_new $case:ident ($f:tt view $a:ty, $side:expr) ($t:tt view $b:ty, $($of:tt)*)) => {
        let copier = ::layout::Copier::<$a, $b>::new();
        for value in $case.fills() {
            let mut memory = vec![::core::mem::MaybeUninit::uninit(); $case.slots() + 1];
            let slots = memory.as_mut_slice();
            let written = copier.run($side.size, $case.units(), slots, value).unwrap();
            $case.made("a copier, to memory that held nothing", value, written);
            let mut memory = Vec::new();
            copier.run($side.size, $case.units(), &mut memory, value).unwrap();
            assert_eq!(memory.capacity(), memory.len());
            $case.made("a copier, to a vector", value, &memory);
        }
    };
    (map $case:ident ($f:tt view $a:ty, $side:expr) ($t:tt view $b:ty, $($of:tt)*)) => {
        let copier = ::layout::Copier::<$a, $b>::new();
        $case.door("a copier, by a function", &mut |dst, padding| {
            let function = |index, element| $case.mapped(AsRef::<[usize]>::as_ref(&index), element);
            copier.map($side.size, $case.units(), dst, padding, function).unwrap();
            $case.all_are_mapped();
            true
        });
    };
    // A function that panics: what is there was there before, or is what the function made.
    (panics $case:ident ($f:tt view $a:ty, $side:expr) ($t:tt view $b:ty, $($of:tt)*)) => {
        let copier = ::layout::Copier::<$a, $b>::new();
        $case.panics(&mut |dst, function| {
            let function = |index, element| function(AsRef::<[usize]>::as_ref(&index), element);
            copier.map($side.size, $case.units(), dst, ::layout::Padding::Leave, function).unwrap();
        });
    };
    (constant $case:ident ($f:tt view $a:ty, $($of:tt)*) ($t:tt view $b:ty, $($other:tt)*)) => {
        $case.door("copy", &mut |dst, padding| {
            ::layout::copy::<$a, $b, _>($case.units(), dst, padding).is_ok()
        });
        $case.door("copy with settings", &mut |dst, padding| {
            let source = $case.units();
            ::layout::__private::copy_with::<$a, $b, _>(source, dst, padding, &$case.settings).is_ok()
        });
        $case.parts("copy_const", &mut |dst| {
            ::layout::copies::copy_const::<$a, $b, _>($case.units(), dst);
        });
    };
    ($door:ident $case:ident $from:tt $to:tt) => {};
}

/// Copies between kinds of memory, through each of the doors: of the side `a` in a format to the side `b` in another one.
#[macro_export]
macro_rules! doors {
    ($run:ident, $a:ident $f:tt $from:expr => $b:ident $t:tt $to:expr, $convert:expr, $doors:tt:
        $($froms:tt $A:ty => $tos:tt $B:ty;)*) => {{
        let formats = (&$from, &$to);
        $($crate::doors! { @ ($run $a $f $b $t formats $convert) $froms ($A) $tos ($B) $doors })*
    }};
    (@ $with:tt [$($from:ident)*] $A:tt $tos:tt $B:tt $doors:tt) => {
        $($crate::doors! { @to $with $from $A $tos $B $doors })*
    };
    (@to $with:tt $from:ident $A:tt [$($to:ident)*] $B:tt $doors:tt) => {
        $($crate::doors! { @pair $with $from $A $to $B $doors })*
    };
    (@pair ($run:ident $a:ident $f:tt $b:ident $t:tt $formats:ident $convert:expr)
        $from:ident ($A:ty) $to:ident ($B:ty) [$($door:ident)*]) => {
        let kinds = [stringify!($from), stringify!($to)];
        let of_a = (stringify!($A), $crate::doors!(@shape $from $A) as fn(_) -> _);
        let of_b = (stringify!($B), $crate::doors!(@shape $to $B) as fn(_) -> _);
        let layouts = [of_a, of_b];
        if let Some(case) = $run.case([&$a, &$b], kinds, layouts, $formats, $convert) {
            $($crate::door! { $door case ($f $from $A, $a) ($t $to $B, $b) })*
        }
    };
    (@shape strided $layout:ty) => { |_| None };
    (@shape part_of_strided $layout:ty) => { |_| None };
    (@shape $kind:ident $layout:ty) => { |dims| Some(<$layout>::with_dims(dims).ok()?.shape()) };
}
