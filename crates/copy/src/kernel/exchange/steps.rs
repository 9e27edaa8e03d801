//! The steps of passes, as they are planned.

use layout_core::each;

use crate::kernel::exchange::block::Order;
use crate::kernel::raw::{Step, Tables};

/// PlannedSteps of all passes at most. Where there are no shuffles, each of fewer than nine bits takes three in the last pass.
const STEPS: usize = 82;

/// PlannedSteps of passes, one pass after another.
#[derive(Clone, Copy)]
pub(super) struct PlannedSteps {
    list: [Step; STEPS],
    pub len: usize,
    tables: Tables,
    pub table_count: usize,
}

impl PlannedSteps {
    pub(super) const NONE: PlannedSteps = PlannedSteps {
        // Zeros alone, which take least time to write.
        list: [Step::Between { register: 0, shift: 0, mask: 0 }; STEPS],
        len: 0,
        tables: [[0; 64]; 4],
        table_count: 0,
    };

    pub(super) const fn push(&mut self, step: Step) {
        self.list[self.len] = step;
        self.len += 1;
    }

    /// Permutes all bytes of vectors.
    pub(super) const fn permute(&mut self, table: [u8; 64]) {
        self.tables[self.table_count] = table;
        self.push(Step::Permute(self.table_count as u8));
        self.table_count += 1;
    }

    /// Gives the registers of all steps from one on the places of their numbers in an order.
    pub(super) const fn renumber(&mut self, first: usize, olds: &Order) {
        each!(for at in first..self.len {
            if let Step::Between { register, .. } | Step::Cross { register, .. } =
                &mut self.list[at]
                && let Some(new) = olds.find(*register)
            {
                *register = new as u8;
            }
        });
    }

    pub(super) const fn len(&self) -> usize {
        self.len
    }

    /// The steps from one on to an end.
    pub(super) const fn range(&self, [first, end]: [u8; 2]) -> &[Step] {
        self.list.split_at(end as usize).0.split_at(first as usize).1
    }

    pub(super) const fn tables(&self) -> &Tables {
        &self.tables
    }
}

/// From which number each number is taken, where bits of them change places.
pub(super) const fn table<const N: usize>(from: &Order, to: &Order) -> [u8; N] {
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
