//! Blocks in which the array ends.

use crate::kernel::bits::block::BitBlock;
use crate::kernel::bits::place::{low, repeated};
use crate::loops::MAX_LOOPS;

/// Which elements of the destination's stretches are in the array.
pub(super) struct Ends {
    /// The elements of a word, as far as loops decide that lie within words.
    elements: u64,
    /// The loop with the last bits of a stretch of several words, if the array ends in it: its first values are a beginning of
    /// the stretch.
    last: Option<EndingLoop>,
    /// Other loops in which the array ends that have bits outside of words.
    loops: [EndingLoop; MAX_LOOPS],
    len: usize,
    /// Whether words of one stretch have others.
    pub differ_in_rows: bool,
    /// The number of the word, and which of its bits count values of these loops.
    number: usize,
    counted: usize,
    /// The value of each loop with which the word begins.
    values: [usize; MAX_LOOPS],
}

/// A loop in which the array ends.
#[derive(Clone, Copy)]
struct EndingLoop {
    number: usize,
    /// Its values in the array, and in a word or in the stretch.
    count: usize,
    together: usize,
    /// The place of the first bit of it, and the place after the last one.
    places: [usize; 2],
    /// Whether these are all of its bits.
    is_whole: bool,
    /// Bits of a word from one value to the next, and a bit wherever they begin again.
    step: usize,
    again: u64,
}

impl EndingLoop {
    /// A loop that has `bits` bits, with those that lie at places of a word or of a stretch: one after another, its lowest ones.
    fn new(number: usize, count: usize, bits: usize, [first, after]: [usize; 2]) -> EndingLoop {
        let (together, is_whole) = (1 << (after - first), after - first == bits);
        EndingLoop { number, count, together, places: [first, after], is_whole, step: 64, again: 1 }
    }

    /// With places of words whose elements have `narrow` bits.
    fn of_word(self, narrow: u32) -> EndingLoop {
        let [step, period] = self.places.map(|place| narrow << place);
        EndingLoop { step: step as usize, again: repeated(1, period), ..self }
    }

    /// Values in the array from one on.
    #[inline(always)]
    fn left(&self, value: usize) -> usize {
        self.count.saturating_sub(value).min(self.together)
    }

    /// The elements of a word that are in the array if it begins with a value of the loop.
    #[inline(always)]
    fn elements(&self, value: usize) -> u64 {
        self.again * low(self.left(value) * self.step)
    }
}

impl Ends {
    /// `counts[i]`: how many values of loop `i` are in the array; `None` if all of the block are.
    #[inline(always)]
    pub(super) fn new(block: &BitBlock, narrow: u32, counts: Option<&[usize; MAX_LOOPS]>) -> Ends {
        let side = &block.sides[1];
        let absent = EndingLoop::new(0, 0, usize::MAX, [0; 2]);
        let mut ends = Ends {
            elements: side.words.elements,
            last: None,
            loops: [absent; MAX_LOOPS],
            len: 0,
            differ_in_rows: false,
            number: 0,
            counted: 0,
            values: [0; MAX_LOOPS],
        };
        let Some(counts) = counts else { return ends };
        for (number, &count) in counts.iter().enumerate() {
            let bits = usize::from(block.bits[number]);
            if count >> bits > 0 {
                continue;
            }
            let is_of_loop = |place: &usize| block.counter(*place).0 == number;
            let end_in = |places: usize| {
                let mut of_loop = (0..places).filter(is_of_loop);
                let first = of_loop.next()?;
                Some(EndingLoop::new(number, count, bits, [first, first + 1 + of_loop.count()]))
            };
            let (of_word, of_stretch) = (end_in(block.in_word), end_in(side.len()));
            let of_word = of_word.map(|end| end.of_word(narrow));
            let differ = of_word.map(|end| end.places) != of_stretch.map(|end| end.places);
            let outside = (block.in_word..side.order.len()).filter(is_of_loop);
            ends.counted |= outside.fold(0, |bits, place| bits | 1 << (place - block.in_word));
            match (of_word, of_stretch) {
                (Some(end), _) if end.is_whole => ends.elements &= end.elements(0),
                (_, Some(end)) if differ && end.places[1] == side.len() => ends.last = Some(end),
                _ => {
                    ends.loops[ends.len] =
                        of_word.unwrap_or(EndingLoop { number, count, ..absent });
                    ends.len += 1;
                    ends.differ_in_rows |= differ;
                }
            }
        }
        ends
    }

    /// The elements of words and the bits of stretches, of `length` bits, that are in the array if they are the same for all.
    #[inline(always)]
    pub(super) fn of_all(&self, length: usize, narrow: u32) -> Option<(u64, usize)> {
        let is_one = self.last.as_ref().is_none_or(|end| end.is_whole);
        (self.len == 0 && is_one).then(|| (self.elements, self.bits(narrow).min(length)))
    }

    /// Goes to the word that has this number in the block.
    #[inline(always)]
    pub(super) fn go_to(&mut self, block: &BitBlock, number: usize) {
        let mut turned = (self.number ^ number) & self.counted;
        self.number = number;
        while turned > 0 {
            let (of_loop, bit) = block.counter(block.in_word + turned.trailing_zeros() as usize);
            self.values[of_loop] ^= 1 << bit;
            turned &= turned - 1;
        }
    }

    /// The elements of the word that are in the array.
    #[inline(always)]
    pub(super) fn elements(&self) -> u64 {
        let ends = self.loops[..self.len].iter();
        ends.fold(self.elements, |all, end| all & end.elements(self.values[end.number]))
    }

    /// How many bits of the stretch are in the array, as far as its last loop tells.
    #[inline(always)]
    pub(super) fn bits(&self, narrow: u32) -> usize {
        self.last.as_ref().map_or(usize::MAX, |end| {
            end.left(self.values[end.number]) * ((narrow as usize) << end.places[0])
        })
    }
}

impl BitBlock {
    /// The loop of the bit at a place of the destination's numbers, and which bit of its counter it is.
    #[inline(always)]
    fn counter(&self, place: usize) -> (usize, u8) {
        self.counters[usize::from(self.sides[1].order.at(place))]
    }
}
