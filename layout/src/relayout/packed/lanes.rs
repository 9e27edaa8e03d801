//! Steps that bring bits to their places in vectors.

use crate::relayout::kernel::raw::{Step, Tables, Vectors};
use crate::relayout::packed::block::Order;

/// Bits of a place in a vector at most: bits of 64 bytes.
const PLACES: usize = 9;
/// Steps of a pass at most: where there are no shuffles, each of fewer than nine bits takes three.
const STEPS: usize = 40;
/// Bits of the number of a byte in 16 of them, and in four.
const IN_SIXTEEN: usize = 4;
const IN_FOUR: usize = 2;

/// Steps of a pass.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    list: [Step; STEPS],
    len: usize,
    tables: Tables,
    table_count: usize,
}

impl Steps {
    pub(super) const NONE: Steps =
        Steps { list: [Step::Keep(0); STEPS], len: 0, tables: [[0; 64]; 2], table_count: 0 };

    fn push(&mut self, step: Step) {
        self.list[self.len] = step;
        self.len += 1;
    }

    pub(super) fn extend(&mut self, steps: impl IntoIterator<Item = Step>) {
        steps.into_iter().for_each(|step| self.push(step));
    }

    /// Permutes all bytes of vectors.
    fn permute(&mut self, table: [u8; 64]) {
        self.tables[self.table_count] = table;
        self.push(Step::Permute(self.table_count as u8));
        self.table_count += 1;
    }

    pub(super) fn list(&self) -> &[Step] {
        &self.list[..self.len]
    }

    pub(super) fn tables(&self) -> &Tables {
        &self.tables
    }
}

/// The bits of places in vectors, and of the registers' numbers, while they are exchanged.
pub(super) struct Lanes<'a> {
    /// The bit of each place.
    order: [u8; PLACES],
    /// What they are to be.
    wanted: &'a [u8],
    pub registers: Order,
    /// Bits of a place in a word, and in a byte.
    in_word: usize,
    in_byte: usize,
    /// Bits of an element.
    narrow: u32,
    /// Whether bytes of a vector are shuffled, and whether anywhere in it.
    shuffles: bool,
    permutes: bool,
    pub steps: Steps,
}

impl<'a> Lanes<'a> {
    pub(super) fn new(
        here: &[u8],
        wanted: &'a [u8],
        registers: Order,
        in_word: usize,
        narrow: u32,
        vectors: Vectors,
    ) -> Lanes<'a> {
        let mut order = [0; PLACES];
        order[..here.len()].copy_from_slice(here);
        let (in_byte, steps) = (in_word - 3, Steps::NONE);
        let (shuffles, permutes) = (vectors.shuffles(), vectors.permutes());
        Lanes { order, wanted, registers, in_word, in_byte, narrow, shuffles, permutes, steps }
    }

    pub(super) fn order(&self) -> &[u8] {
        &self.order[..self.wanted.len()]
    }

    /// The place of a bit in vectors, if it is there.
    fn place(&self, name: u8) -> Option<usize> {
        self.order().iter().position(|other| *other == name)
    }

    /// The register's bit, if it is one.
    fn register(&self, name: u8) -> Option<usize> {
        self.registers.names().iter().position(|other| *other == name)
    }

    /// Brings in the registers' bits that are wanted; those that stay are not taken out.
    pub(super) fn exchange(&mut self, stays: impl Fn(u8) -> bool) {
        // Where the bit of a place cannot be moved by a shuffle, it comes to its own place at once, and what was there
        // comes in again.
        let direct = if self.shuffles { self.in_byte } else { self.wanted.len() };
        for place in 0..direct {
            if let Some(register) = self.register(self.wanted[place])
                && !stays(self.order[place])
            {
                self.swap(register, place);
            }
        }
        // Then to places from which a bit has to go, to their own ones if that is possible.
        for own in [true, false] {
            for register in 0..self.registers.names().len() {
                let name = self.registers.names()[register];
                let Some(place) = self.wanted.iter().position(|other| *other == name) else {
                    continue;
                };
                let goes = |place: &usize| {
                    let name = self.order[*place];
                    !self.wanted.contains(&name) && !stays(name)
                };
                let free = match own {
                    true => Some(place).filter(goes),
                    // Words take fewest operations.
                    false => (0..self.wanted.len()).rev().find(goes),
                };
                if let Some(place) = free {
                    self.swap(register, place);
                }
            }
        }
    }

    /// Brings the bits, which are all there, into the order that is wanted.
    pub(super) fn sort(&mut self) {
        if !self.shuffles {
            for place in 0..self.wanted.len() {
                if let Some(from) = self.place(self.wanted[place]) {
                    self.swap_places(place, from);
                }
            }
            return;
        }
        // What is wanted within bytes comes into words.
        let mut near = self.order;
        for place in 0..self.in_byte {
            let is_near = |name: &u8| self.wanted[..self.in_byte].contains(name);
            let from = self.place(self.wanted[place]).filter(|from| *from >= self.in_word);
            let free = (self.in_byte..self.in_word).rev().find(|free| !is_near(&near[*free]));
            if let (Some(from), Some(free)) = (from, free) {
                near.swap(from, free);
            }
        }
        self.shuffle(&near);
        for place in 0..self.in_byte {
            if let Some(from) = self.place(self.wanted[place]) {
                self.swap_places(place, from);
            }
        }
        let mut wanted = [0; PLACES];
        wanted[..self.wanted.len()].copy_from_slice(self.wanted);
        self.shuffle(&wanted);
    }

    /// Numbers the registers anew, by their bits at last; `before` are the bits at first.
    pub(super) fn renumber(&mut self, before: &mut Order, key: impl Fn(u8) -> usize) {
        let mut olds = [0, 1, 2, 3];
        let olds = &mut olds[..before.names().len()];
        let [first, last] = [*before, self.registers];
        olds.sort_unstable_by_key(|old| key(last.names()[usize::from(*old)]));
        for (new, old) in olds.iter().enumerate() {
            before.replace(new, first.names()[usize::from(*old)]);
            self.registers.replace(new, last.names()[usize::from(*old)]);
        }
        for step in &mut self.steps.list[..self.steps.len] {
            if let Step::Between { register, .. } | Step::Cross { register, .. } = step {
                *register = olds.iter().position(|old| old == register).unwrap_or(0) as u8;
            }
        }
    }

    /// Exchanges a register's bit with that of a place.
    fn swap(&mut self, register: usize, place: usize) {
        let step = match place.checked_sub(self.in_word) {
            Some(word) => Step::Cross { register: register as u8, words: 1 << word },
            None => Step::Between {
                register: register as u8,
                shift: self.narrow << place,
                mask: self.mask(|element| element >> place & 1 == 0),
            },
        };
        self.steps.push(step);
        self.order[place] = self.registers.replace(register, self.order[place]);
    }

    /// Exchanges the bits of two places.
    fn swap_places(&mut self, low: usize, high: usize) {
        if low == high {
            return;
        }
        if high >= self.in_word {
            // Through a register.
            for place in [low, high, low] {
                self.swap(0, place);
            }
            return;
        }
        let mask = self.mask(|element| element >> low & 1 == 1 && element >> high & 1 == 0);
        let shift = self.narrow * ((1 << high) - (1 << low));
        self.steps.push(Step::Within { shift, mask });
        self.order.swap(low, high);
    }

    /// Brings the bytes of vectors into another order.
    fn shuffle(&mut self, to: &[u8; PLACES]) {
        let bytes = self.in_byte..self.wanted.len();
        let to = &to[bytes.clone()];
        let mut now = [0; PLACES];
        let now = &mut now[..to.len()];
        now.copy_from_slice(&self.order[bytes.clone()]);
        self.order[bytes].copy_from_slice(to);
        if self.permutes {
            if now != to {
                self.steps.permute(table(now, to));
            }
            return;
        }
        let (_, far) = to.split_at(IN_SIXTEEN.min(to.len()));
        if now[to.len() - far.len()..] != *far {
            // Four bytes are moved anywhere, single ones within 16.
            let mut near = [0; PLACES];
            near[..to.len()].copy_from_slice(now);
            for place in 0..IN_FOUR {
                let free = (IN_FOUR..IN_SIXTEEN).find(|free| !far.contains(&near[*free]));
                if let Some(free) = free.filter(|_| far.contains(&near[place])) {
                    near.swap(place, free);
                }
            }
            self.bytes(now, &near[..to.len()]);
            let before = near;
            for place in (IN_FOUR..to.len()).rev() {
                // Those of 16 bytes in their own order too, if they are there.
                let from = near[IN_FOUR..to.len()].iter().position(|name| *name == to[place]);
                if let Some(from) = from {
                    near.swap(place, IN_FOUR + from);
                }
            }
            let table = table(&before[IN_FOUR..to.len()], &near[IN_FOUR..to.len()]);
            self.steps.push(Step::Fours(table));
            now.copy_from_slice(&near[..to.len()]);
        }
        self.bytes(now, to);
    }

    fn bytes(&mut self, from: &[u8], to: &[u8]) {
        if from[..IN_SIXTEEN] != to[..IN_SIXTEEN] {
            self.steps.push(Step::Bytes(table(&from[..IN_SIXTEEN], &to[..IN_SIXTEEN])));
        }
    }

    /// The elements of a word for which the function holds.
    fn mask(&self, holds: impl Fn(u32) -> bool) -> u64 {
        let elements = (0..1 << self.in_word).filter(|element| holds(*element));
        elements.fold(0, |mask, element| mask | ((1 << self.narrow) - 1) << (element * self.narrow))
    }
}

/// From which number each number is taken, where bits of them change places.
fn table<const N: usize>(from: &[u8], to: &[u8]) -> [u8; N] {
    let mut table = [0; N];
    for (bit, name) in to.iter().enumerate() {
        let place = from.iter().position(|other| other == name).unwrap_or(0);
        for number in 0..1 << bit {
            table[number | 1 << bit] = table[number] | 1 << place;
        }
    }
    table
}
