//! How the elements of a word lie in memory.
//!
//! The number of an element in a block is made of bits, so a word has room for powers of two. Memory may hold fewer: of
//! three elements side by side, the fourth place of a word is free, and the next three follow at once. Such words are
//! squeezed before they are written and stretched after they are read. Or memory may have padding between elements, as
//! `T(8)` after two of them: words have places for it too, which are never written.
//!
//! ```text
//! a word's places      0 1 2 3 4 5 6 7
//! three elements       a b c . d e f .     in memory   a b c d e f
//! two before padding   a b . . . . . .     in memory   a b . . . . . .
//! ```

use crate::kernel::bits::place::{low, mirrored, repeated, zeros};

/// Bits of the number of a bit in a word.
const BITS: usize = 6;

/// The words of one side.
#[derive(Clone, Copy)]
pub(super) struct Words {
    /// The bits of a word that are elements.
    pub elements: u64,
    /// Bits of memory from the beginning of a word to where the next one may follow.
    pub length: u32,
    moves: [Move; BITS],
    count: usize,
}

/// What squeezes pairs of groups, each as large as the number of its elements is a power of two.
#[derive(Clone, Copy)]
struct Move {
    /// The lower group of each pair, without its free places.
    lower: u64,
    /// Bits from the lower group to the upper one in memory, and how many fewer these are than in a word.
    in_memory: u32,
    by: u32,
}

impl Words {
    /// Words that lie in memory as they are.
    pub(super) const WHOLE: Words = Words {
        elements: u64::MAX,
        length: u64::BITS,
        moves: [Move { lower: 0, in_memory: 0, by: 0 }; BITS],
        count: 0,
    };

    /// The bit of a number that counts `in_word` bits of a word has no elements where it is 1.
    pub(super) const fn leave_free(&mut self, in_word: u32) {
        self.elements &= zeros(in_word);
    }

    /// The next bit of a number counts `in_word` bits of a word, and `in_memory`, which are no more.
    pub(super) const fn push(&mut self, in_word: u32, in_memory: u32) {
        if in_memory < in_word {
            let lower = repeated(low(in_memory as usize), 2 * in_word);
            self.moves[self.count] = Move { lower, in_memory, by: in_word - in_memory };
            self.count += 1;
        }
    }

    /// Whether words lie in memory as they are, but for places without elements.
    #[inline(always)]
    pub(super) const fn are_straight(&self) -> bool {
        self.count == 0
    }

    /// Whether all places of words are elements, which follow one another in memory.
    pub(super) const fn are_contiguous(&self) -> bool {
        self.elements == u64::MAX && self.are_straight()
    }

    /// The elements of a word as they lie in memory.
    #[inline(always)]
    pub(super) fn squeezed(&self, word: u64) -> u64 {
        self.moves[..self.count].iter().fold(word, |word, of_pair| of_pair.squeezed(word))
    }

    /// Makes of words, whose bytes stand in reverse if there is a mirror, what lies in memory.
    #[inline(always)]
    pub(super) fn squeeze(&self, words: &mut [u8], mirror: u32) {
        if mirror > 0 {
            each(words, |word| mirrored(word, mirror));
        }
        for of_pair in &self.moves[..self.count] {
            each(words, |word| of_pair.squeezed(word));
        }
    }

    /// The reverse.
    #[inline(always)]
    pub(super) fn stretch(&self, words: &mut [u8], mirror: u32) {
        for of_pair in self.moves[..self.count].iter().rev() {
            let Move { lower, by, .. } = *of_pair;
            each(words, |word| word & lower | (word & of_pair.upper()) << by);
        }
        if mirror > 0 {
            each(words, |word| mirrored(word, mirror));
        }
    }
}

impl Move {
    /// The upper groups where they lie in memory.
    #[inline(always)]
    fn upper(&self) -> u64 {
        self.lower << self.in_memory
    }

    #[inline(always)]
    fn squeezed(&self, word: u64) -> u64 {
        word & self.lower | word >> self.by & self.upper()
    }
}

/// Makes something of each word: a loop that the compiler turns into vectors.
#[inline(always)]
fn each(words: &mut [u8], make: impl Fn(u64) -> u64) {
    for word in words.as_chunks_mut().0 {
        *word = make(u64::from_le_bytes(*word)).to_le_bytes();
    }
}
