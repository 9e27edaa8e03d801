//! Numbers that look random and are the same in every run.

use layout::__private::core::native;
use layout::shape::Size;

/// Marsaglia's xorshift.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A sequence for each seed.
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// The next number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        // The same numbers on every target.
        native(self.below_size(limit as Size))
    }

    /// The same of a size.
    pub fn below_size(&mut self, limit: Size) -> Size {
        self.next();
        (self.0 >> 11) as Size % limit
    }

    fn next(&mut self) {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, of: &'a [T]) -> &'a T {
        &of[self.below(of.len())]
    }

    /// Puts items into a random order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }

    /// A random order of so many dimensions.
    pub fn order(&mut self, rank: usize) -> Vec<usize> {
        let mut order = (0..rank).collect::<Vec<_>>();
        self.shuffle(&mut order);
        order
    }
}
