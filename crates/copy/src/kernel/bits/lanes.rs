//! Steps that bring bits to their places in vectors.

use layout_core::each;

use crate::kernel::bits::order::Order;
use crate::kernel::bits::place::zeros;
use crate::kernel::raw::{Step, Tables, VectorSize};

/// Bits of the number of a byte in 16 of them, and in four.
const IN_SIXTEEN: usize = 4;
const IN_FOUR: usize = 2;

/// Steps of all passes at most. Where there are no shuffles, each of fewer than nine bits takes three in the last pass.
const STEPS: usize = 82;

/// Steps of passes, one pass after another.
#[derive(Clone, Copy)]
pub(super) struct Steps {
    list: [Step; STEPS],
    pub len: usize,
    pub tables: Tables,
    table_count: u8,
}

impl Steps {
    /// Zeros alone, which take least time to write.
    pub(super) const NONE: Steps = Steps {
        list: [Step::Between { register: 0, shift: 0, mask: 0 }; STEPS],
        len: 0,
        tables: [[0; 64]; 4],
        table_count: 0,
    };

    pub(super) const fn push(&mut self, step: Step) {
        self.list[self.len] = step;
        self.len += 1;
    }

    /// The steps from one on to an end.
    pub(super) const fn range(&self, [first, end]: [u8; 2]) -> &[Step] {
        self.list.split_at(end as usize).0.split_at(first as usize).1
    }
}

/// The bits of places in vectors, and of the registers' numbers, while they are exchanged.
pub(super) struct Lanes<'a> {
    /// The bit of each place.
    pub order: Order,
    /// What they are to be.
    pub wanted: Order,
    pub registers: Order,
    /// Bits of a place in a word.
    pub in_word: usize,
    /// Bits of an element.
    pub narrow: u32,
    pub vectors: VectorSize,
    /// The steps, and how many are of passes before.
    pub steps: &'a mut Steps,
    pub first: usize,
}

impl Lanes<'_> {
    /// Bits of a place in a byte.
    const fn in_byte(&self) -> usize {
        self.in_word - 3
    }

    /// Brings in the registers' bits that are wanted; those that stay are not taken out.
    pub(super) const fn exchange(&mut self, stays: &Order) {
        let len = self.wanted.len();
        // Where the bit of a place cannot be moved by a shuffle, it comes to its own place at once, and what was there
        // comes in again.
        let direct = if self.vectors.shuffles() { self.in_byte() } else { len };
        each!(for place in 0..direct {
            if let Some(register) = self.registers.find(self.wanted.at(place))
                && !stays.has(self.order.at(place))
            {
                self.swap(register, place);
            }
        });
        // Then to places from which a bit has to go, to their own ones if that is possible.
        each!(for turn in 0..2 {
            each!(for register in 0..self.registers.len() {
                let Some(own) = self.wanted.find(self.registers.at(register)) else { continue };
                let mut free = if turn == 0 { Some(own) } else { None };
                if turn == 1 {
                    // Words take fewest operations.
                    each!(for place in 0..len {
                        if self.goes(place, stays) {
                            free = Some(place);
                        }
                    });
                }
                if let Some(place) = free
                    && self.goes(place, stays)
                {
                    self.swap(register, place);
                }
            });
        });
    }

    const fn goes(&self, place: usize, stays: &Order) -> bool {
        let name = self.order.at(place);
        !self.wanted.has(name) && !stays.has(name)
    }

    /// Brings the bits, which are all there, into the order that is wanted.
    pub(super) const fn sort(&mut self) {
        let (in_byte, wanted) = (self.in_byte(), self.wanted);
        if !self.vectors.shuffles() {
            each!(for place in 0..wanted.len() {
                if let Some(from) = self.order.find(wanted.at(place)) {
                    self.swap_places(place, from);
                }
            });
            return;
        }
        // What is wanted within bytes comes into words.
        let mut near = self.order;
        let within = wanted.first(in_byte);
        each!(for place in 0..in_byte {
            let mut free = None;
            each!(for place in in_byte..self.in_word {
                if !within.has(near.at(place)) {
                    free = Some(place);
                }
            });
            if let (Some(from), Some(free)) = (self.order.find(wanted.at(place)), free)
                && from >= self.in_word
            {
                near.swap(from, free);
            }
        });
        self.shuffle(&near);
        each!(for place in 0..in_byte {
            if let Some(from) = self.order.find(wanted.at(place)) {
                self.swap_places(place, from);
            }
        });
        self.shuffle(&wanted);
    }

    /// Numbers the registers anew, by the places of their bits at last; `before` are the bits at first.
    pub(super) const fn renumber(&mut self, before: &mut Order, places: &Order) {
        let (first, last) = (*before, self.registers);
        let mut olds = Order::EMPTY;
        each!(for place in 0..places.len() {
            if let Some(old) = last.find(places.at(place)) {
                olds.push(old as u8);
            }
        });
        each!(for new in 0..olds.len() {
            before.replace(new, first.at(olds.at(new) as usize));
            self.registers.replace(new, last.at(olds.at(new) as usize));
        });
        each!(for at in self.first..self.steps.len {
            if let Step::Between { register, .. } | Step::Cross { register, .. } =
                &mut self.steps.list[at]
                && let Some(new) = olds.find(*register)
            {
                *register = new as u8;
            }
        });
    }

    /// Exchanges a register's bit with that of a place.
    const fn swap(&mut self, register: usize, place: usize) {
        let step = match place.checked_sub(self.in_word) {
            Some(word) => Step::Cross { register: register as u8, words: 1 << word },
            None => Step::Between {
                register: register as u8,
                shift: self.narrow << place,
                mask: zeros(self.narrow << place),
            },
        };
        self.steps.push(step);
        let here = self.registers.replace(register, self.order.at(place));
        self.order.replace(place, here);
    }

    /// Exchanges the bits of two places.
    const fn swap_places(&mut self, low: usize, high: usize) {
        if low == high {
            return;
        }
        if high >= self.in_word {
            // Through a register.
            self.swap(0, low);
            self.swap(0, high);
            self.swap(0, low);
            return;
        }
        let mask = zeros(self.narrow << high) & !zeros(self.narrow << low);
        let shift = self.narrow * ((1 << high) - (1 << low));
        self.steps.push(Step::Within { shift, mask });
        self.order.swap(low, high);
    }

    /// Brings the bytes of vectors into another order.
    const fn shuffle(&mut self, to: &Order) {
        let base = self.in_byte();
        let (here, to) = (self.order.after(base), to.after(base));
        each!(for place in 0..to.len() {
            self.order.replace(base + place, to.at(place));
        });
        if self.vectors.permutes() {
            if !here.is(&to) {
                self.steps.tables[self.steps.table_count as usize] = table(&here, &to);
                self.steps.push(Step::Permute(self.steps.table_count));
                self.steps.table_count += 1;
            }
            return;
        }
        let lane = if to.len() < IN_SIXTEEN { to.len() } else { IN_SIXTEEN };
        let far = to.after(lane);
        if here.after(lane).is(&far) {
            return self.bytes(&here, &to);
        }
        // Four bytes are moved anywhere, single ones within 16.
        let mut near = here;
        each!(for place in 0..IN_FOUR {
            let mut free = None;
            each!(for place in (IN_FOUR..IN_SIXTEEN).rev() {
                if !far.has(near.at(place)) {
                    free = Some(place);
                }
            });
            if let Some(free) = free
                && far.has(near.at(place))
            {
                near.swap(place, free);
            }
        });
        self.bytes(&here, &near);
        let before = near;
        each!(for place in (IN_FOUR..to.len()).rev() {
            // Those of 16 bytes in their own order too, if they are there.
            if let Some(from) = near.after(IN_FOUR).find(to.at(place)) {
                near.swap(place, IN_FOUR + from);
            }
        });
        self.steps.push(Step::Fours(table(&before.after(IN_FOUR), &near.after(IN_FOUR))));
        self.bytes(&near, &to);
    }

    const fn bytes(&mut self, from: &Order, to: &Order) {
        let (from, to) = (from.first(IN_SIXTEEN), to.first(IN_SIXTEEN));
        if !from.is(&to) {
            self.steps.push(Step::Bytes(table(&from, &to)));
        }
    }
}

/// From which number each number is taken, where bits of them change places.
const fn table<const N: usize>(from: &Order, to: &Order) -> [u8; N] {
    /// A byte of 1 for each number that has one of the lowest bits.
    const LOWEST: [u64; 3] = [0x0100_0100_0100_0100, 0x0101_0000_0101_0000, 0x0101_0101_0000_0000];
    // Eight numbers in a word.
    let mut words = [0; 8];
    each!(for bit in 0..to.len() {
        if let Some(place) = from.find(to.at(bit)) {
            if bit < 3 {
                words[0] |= LOWEST[bit] << place;
            } else {
                let half = 1 << (bit - 3);
                each!(for word in 0..half {
                    words[half + word] = words[word] | (u64::MAX / 0xff) << place;
                });
            }
        }
    });
    let mut table = [[0; 8]; 8];
    each!(for word in 0..8 {
        table[word] = u64::to_le_bytes(words[word]);
    });
    match table.as_flattened().first_chunk() {
        Some(table) => *table,
        None => [0; N],
    }
}
