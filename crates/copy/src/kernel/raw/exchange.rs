//! Exchanging bits of the numbers of packed elements, in vectors that stay in registers.
//!
//! A pass loads a few vectors, makes all of its steps and stores them. Of an element's number, some bits say where in
//! a vector it is, some in which register, and the others are counted.

mod end;
mod fixed;
mod step;

pub(crate) use end::{End, Sums};
pub(crate) use fixed::{FixedPasses, run_fixed};
pub(crate) use step::{Step, Tables};

use crate::kernel::raw::machine::{self, sets};
use crate::kernel::raw::memory::Destination;
use crate::kernel::raw::size::{FEW, VectorSize};
use crate::kernel::raw::vector::Vector;
use crate::kernel::settings::InstructionSet;
use step::made;

/// An instruction set, its vectors, and whether a processor that has the set exchanges bits in them.
type Size = (InstructionSet, VectorSize, fn() -> bool);

macro_rules! sizes {
    ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
        &[$((InstructionSet::$set, VectorSize::$size, || true $(&& $has)?)),*]
    };
}

const SIZES: &[Size] = sets!(sizes);

/// The largest vectors in which bits are exchanged with an instruction set, or with the best one that the processor has.
pub(crate) fn vectors_of(set: InstructionSet) -> VectorSize {
    let mut sizes = SIZES.iter().rev().filter(|(of, ..)| *of <= set);
    let found = sizes.find(|(of, _, has)| *of <= InstructionSet::best() && has());
    found.map_or(VectorSize::Eight, |(_, size, _)| *size)
}

/// The two largest ones that processors of the architecture can have.
pub(crate) const fn largest_vectors() -> [VectorSize; 2] {
    match SIZES {
        [.., (_, a, _), (_, b, _)] => [*a, *b],
        [(_, a, _)] => [*a, VectorSize::Eight],
        [] => [VectorSize::Eight; 2],
    }
}

/// Memory that is asked for before it is read: slots from each vector of the source on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ahead {
    pub near: usize,
    /// The block of a row from which on it is in the next row, and slots to there.
    pub turn: usize,
    pub far: usize,
}

impl Ahead {
    pub(crate) const NONE: Ahead = Ahead { near: 0, turn: 0, far: 0 };
}

/// Steps of a pass that are made one after another.
trait Steps {
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn make<V: Vector, const N: usize>(vectors: [V; N], pass: &Pass<'_>) -> [V; N];
}

/// Those that the pass lists.
struct Listed;

impl Steps for Listed {
    #[inline(always)]
    unsafe fn make<V: Vector, const N: usize>(mut vectors: [V; N], pass: &Pass<'_>) -> [V; N] {
        for step in pass.steps {
            // SAFETY: as of this function.
            vectors = unsafe { made(vectors, step, pass.tables) };
        }
        vectors
    }
}

/// A pass over blocks.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    pub vectors: VectorSize,
    pub steps: &'a [Step],
    pub tables: &'a Tables,
    /// Where vectors come from, and where they go.
    pub ends: [&'a End; 2],
    /// The slots where the first block begins.
    pub at: [usize; 2],
    /// Blocks in a row, and rows.
    pub count: [usize; 2],
    /// Slots from one block to the next, and from one row to the next.
    pub step: [[usize; 2]; 2],
    pub ahead: Ahead,
    /// Whether all vectors of the source have to begin with a byte.
    pub begins_bytes: bool,
}

impl Pass<'_> {
    /// Whether all vectors of a side begin with a byte.
    const fn is_whole(&self, side: usize) -> bool {
        let end = self.ends[side];
        end.begins_bytes()
            && end.begins_byte(self.at[side] | self.step[0][side] | self.step[1][side])
    }

    /// Bytes of a side from the beginning of its memory to the end of the last vector. `None` of more than there can be, or if there
    /// are no blocks.
    const fn needs(&self, side: usize) -> Option<usize> {
        let (end, [count, rows], [step, row]) = (self.ends[side], self.count, self.step);
        let slot = some!(some!(count.checked_sub(1)).checked_mul(step[side]));
        let slot =
            some!(slot.checked_add(some!(some!(rows.checked_sub(1)).checked_mul(row[side]))));
        let slot = some!(some!(slot.checked_add(self.at[side])).checked_add(end.span()));
        // A vector that begins within a byte ends within one.
        end.byte(slot).checked_add(self.vectors.bytes() + !self.is_whole(side) as usize)
    }

    /// Bits of a register's number.
    const fn register_bits(&self) -> usize {
        let [from, to] = [self.ends[0].register_bits(), self.ends[1].register_bits()];
        if from < to { to } else { from }
    }

    /// Whether the pass can be made, in slices that are as long as it `needs`.
    const fn is_possible(&self) -> bool {
        self.is_whole(1)
            && (!self.begins_bytes || self.is_whole(0))
            && self.register_bits() <= self.vectors.most_register_bits()
            && self.ends[0].group_count() == self.ends[1].group_count()
    }

    /// Makes the pass. False, and nothing is done, if something of it lies outside of the slices, or if a vector
    /// begins within a byte: of the destination, or of a source that has to begin with bytes.
    pub(crate) fn run(&self, src: &[u8], dst: &mut Destination<'_>) -> bool {
        let dst = &mut *dst.bytes;
        if self.count.contains(&0) {
            return true;
        }
        let fits = |side, length| self.needs(side).is_some_and(|needed| needed <= length);
        if !self.is_possible() || !fits(0, src.len()) || !fits(1, dst.len()) {
            return false;
        }
        let (src, dst, shifts) = (src.as_ptr(), dst.as_mut_ptr().cast(), !self.is_whole(0));
        assert!(self.vectors <= vectors_of(InstructionSet::best()));
        macro_rules! compiled {
            ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
                match self.vectors {
                    $(VectorSize::$size => {
                        /// # Safety
                        /// Those of `blocks`.
                        #[target_feature(enable = $more)]
                        unsafe fn compiled<const N: usize>(
                            pass: &Pass<'_>,
                            src: *const u8,
                            dst: *mut u8,
                            shifts: bool,
                        ) {
                            // SAFETY: the caller vouches for the vectors, and this is compiled for the instructions.
                            unsafe {
                                pass.blocks::<machine::$vector, Listed, N>(src, dst, shifts);
                            }
                        }
                        const MOST: usize = 1 << VectorSize::$size.most_register_bits();
                        if self.register_bits() > FEW {
                            compiled::<MOST>(self, src, dst, shifts);
                        } else {
                            compiled::<{ 1 << FEW }>(self, src, dst, shifts);
                        }
                    })*
                    _ => self.blocks::<u64, Listed, { 1 << FEW }>(src, dst, shifts),
                }
            };
        }
        // SAFETY: the processor has these vectors, as was just asserted. All vectors lie in the slices: each begins at a sum
        // of the block's slot and of some of an end's strides, which is at most that of the last block and all strides
        // (`span`). They begin with a byte, or are loaded with one more.
        unsafe { sets!(compiled) }
        true
    }

    /// # Safety
    /// The processor has the vector's instructions. Vectors at all slots of the ends lie in the source and in the
    /// destination; those of the source are followed by one more byte if it `shifts`, and begin with a byte if not;
    /// those of the destination begin with a byte.
    #[inline(always)]
    unsafe fn blocks<V: Vector, S: Steps, const N: usize>(
        &self,
        src: *const u8,
        dst: *mut u8,
        shifts: bool,
    ) {
        let [loads, stores] = self.ends;
        let (mut block, mut row, [mut from, mut to]) = (0, 0, self.at);
        loop {
            let (mut group, mut at) = (0, [from, to]);
            loop {
                // SAFETY: the caller vouches for the vectors and the instructions.
                unsafe {
                    let mut vectors = [V::ZERO; N];
                    let first = src.add(loads.byte(at[0]));
                    if shifts {
                        unrolled!(i in 0..N, {
                            if loads.has(i) {
                                vectors[i] = loads.load_shifted(src, at[0], i);
                            }
                        });
                    } else {
                        unrolled!(i in 0..N, {
                            if loads.has(i) {
                                vectors[i] = V::load(first.add(loads.bytes(i)));
                            }
                        });
                    }
                    let Ahead { near, turn, far } = self.ahead;
                    let ahead = if block < turn { near } else { far };
                    if ahead > 0 {
                        let first = src.wrapping_add(loads.byte(at[0].wrapping_add(ahead)));
                        // A constant: the compiler takes the steps apart otherwise.
                        if const { !matches!(V::SIZE, VectorSize::Eight) } {
                            unrolled!(i in 0..N, {
                                machine::prefetch(first.wrapping_add(loads.bytes(i)));
                            });
                        }
                    }
                    vectors = S::make(vectors, self);
                    let first = dst.add(stores.byte(at[1]));
                    unrolled!(i in 0..N, {
                        if stores.has(i) {
                            vectors[i].store(first.add(stores.bytes(i)));
                        }
                    });
                }
                group += 1;
                if group == loads.group_count() {
                    break;
                }
                at[0] = at[0].wrapping_add(loads.group(group));
                at[1] = at[1].wrapping_add(stores.group(group));
            }
            block += 1;
            from += self.step[0][0];
            to += self.step[0][1];
            if block == self.count[0] {
                row += 1;
                if row == self.count[1] {
                    break;
                }
                block = 0;
                from = self.at[0] + row * self.step[1][0];
                to = self.at[1] + row * self.step[1][1];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{InstructionSet, VectorSize, vectors_of};

    #[test]
    fn all_sets_but_one_have_vectors() {
        for set in InstructionSet::all() {
            let has_vectors = set != InstructionSet::Portable;
            assert_eq!(vectors_of(set) > VectorSize::Eight, has_vectors, "{set:?}");
        }
        assert!(InstructionSet::all().map(vectors_of).is_sorted());
    }
}
