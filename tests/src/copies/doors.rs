//! A copy through one door after the other: where the elements lie on both sides, and what the destination holds after it.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use layout::copies::Settings;
use layout::{ArrayShape, Padding};

use super::paths::all_settings;
use crate::naive::{flatten, indices, sizes};
use crate::random::Random;

mod side;
mod slots;
mod tables;

pub use side::{At, Side, dims_of, memory_of, parts, some_dims};
pub use slots::{Bits, Format, Slots, bits, values};

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
        Run { random: Random::new(seed), rows: BTreeMap::new() }
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
        // What lies after the slots of the destination stays as it is.
        let after = 9 * random.below(2);
        let (source, before) =
            ((formats.0.new)(from.length, random), (formats.1.new)(to.length + after, random));
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
            boxes: sides[0].size.map(|size| 1 + random.below(size + 2)),
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

/// A door with memory and padding, which says whether it copies such arrays.
type Door<'a, D> = dyn FnMut(&mut [<D as Slots>::Unit], Padding<<D as Slots>::Elem>) -> bool + 'a;

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
    /// The sizes of boxes.
    pub boxes: [usize; R],
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
        assert!(found.is_kept(), "{what}: around {}", self.what());
    }

    /// What a door writes, with padding of each kind. The door says whether it copies such arrays.
    ///
    /// # Panics
    /// If anything else is written.
    pub fn door(&self, name: &str, copy: &mut Door<'_, D>) {
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

    /// New memory of elements of whole bytes that a door makes, with a value as padding.
    ///
    /// # Panics
    /// If it holds anything else.
    pub fn made(&self, name: &str, value: D::Elem, made: &[D::Unit]) {
        assert_eq!(made.len(), self.to.length, "{name}: {}", self.what());
        let expected = self.expected(Some(value));
        assert!(made == &expected.units()[..made.len()], "{name}: {}", self.what());
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
