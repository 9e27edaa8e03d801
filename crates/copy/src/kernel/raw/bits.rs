//! Exchanging bits of the numbers of packed elements, in vectors that stay in registers.
//!
//! A pass loads a few vectors, makes all of its steps and stores them. Of an element's number, some bits say where in
//! a vector it is, some in which register, and the others are counted.

mod end;
mod fixed;
mod step;

pub(crate) use end::{COUNTED, End, Sums};
pub(crate) use fixed::{FixedPass, run_fixed};
pub(crate) use step::{Step, Tables};

use crate::kernel::raw::machine::{self, sets};
use crate::kernel::raw::memory::Destination;
use crate::kernel::raw::size::{FEW, REGISTER_BITS, VectorSize};
use crate::kernel::raw::vector::Vector;
use crate::kernel::settings::InstructionSet;
use crate::kernel::walk::Grid;
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

/// The two largest ones that processors of the architecture can have, the largest last.
pub(crate) const fn largest_vectors() -> [VectorSize; 2] {
    match SIZES {
        [.., (_, a, _), (_, b, _)] => [*a, *b],
        [(_, a, _)] => [VectorSize::Eight, *a],
        [] => [VectorSize::Eight; 2],
    }
}

/// Whether all processors that run the program have vectors of a size.
pub(crate) const fn are_certain(size: VectorSize) -> bool {
    match SIZES {
        [(set, certain, _), ..] if *set as u8 <= InstructionSet::COMPILED_FOR as u8 => {
            size as u8 <= *certain as u8
        }
        _ => matches!(size, VectorSize::Eight),
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

/// What the code that makes a pass is compiled for.
trait PassCode {
    const VECTORS: VectorSize;
    /// Bits of a register's number at most.
    #[allow(dead_code, reason = "a target without vectors has words only")]
    const REGISTER_BITS: usize;

    /// The pass that is made: this one, if it is not a constant.
    fn pass<'a>(pass: &'a Pass<'a>) -> &'a Pass<'a> {
        pass
    }

    /// Makes the steps of the pass one after another.
    ///
    /// # Safety
    /// The processor has the vector's instructions.
    unsafe fn steps<V: Vector, const N: usize>(vectors: [V; N], pass: &Pass<'_>) -> [V; N];
}

/// Any pass, with vectors of `BYTES` bytes, and registers whose numbers have `REGISTER_BITS` bits.
struct Listed<const BYTES: usize, const REGISTER_BITS: usize>;

impl<const BYTES: usize, const REGISTER_BITS: usize> PassCode for Listed<BYTES, REGISTER_BITS> {
    const VECTORS: VectorSize = VectorSize::of_bytes(BYTES);
    const REGISTER_BITS: usize = REGISTER_BITS;

    #[inline(always)]
    unsafe fn steps<V: Vector, const N: usize>(mut vectors: [V; N], pass: &Pass<'_>) -> [V; N] {
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
    /// Where the blocks are, in slots.
    pub blocks: Grid,
    pub ahead: Ahead,
}

impl Pass<'_> {
    /// Whether all vectors of a side begin with a byte.
    const fn is_whole(&self, side: usize) -> bool {
        let (end, Grid { at, step, .. }) = (self.ends[side], &self.blocks);
        end.begins_bytes() && end.begins_byte(at[side] | step[0][side] | step[1][side])
    }

    /// Bytes of a side from the beginning of its memory to the end of the last vector. `None` of more than there can be, or if there
    /// are no blocks.
    const fn needs(&self, side: usize) -> Option<usize> {
        let (end, Grid { at, count, step }) = (self.ends[side], &self.blocks);
        let mut slot = some!(at[side].checked_add(end.span()));
        layout_core::each!(for level in 0..2 {
            let others = some!(count[level].checked_sub(1));
            slot = some!(slot.checked_add(some!(others.checked_mul(step[level][side]))));
        });
        // A vector that begins within a byte ends within one.
        end.byte(slot).checked_add(self.vectors.bytes() + !self.is_whole(side) as usize)
    }

    /// Bits of a register's number.
    const fn register_bits(&self) -> usize {
        let [from, to] = [self.ends[0].register_bits(), self.ends[1].register_bits()];
        if from < to { to } else { from }
    }

    /// Whether the pass can be made, in slices that are as long as it `needs`. What mirrors the elements of bytes asks for whole ones.
    const fn is_possible(&self) -> bool {
        self.is_whole(1)
            && (!matches!(self.steps, [Step::Mirror(_), ..]) || self.is_whole(0))
            && self.register_bits() <= self.vectors.most_register_bits()
            && self.ends[0].group_count() == self.ends[1].group_count()
    }

    /// Makes the pass. False, and nothing is done, if something of it lies outside of the slices, or if a vector
    /// begins within a byte: of the destination, or of a source that has to begin with bytes.
    pub(crate) fn run(&self, src: &[u8], dst: &mut Destination<'_>) -> bool {
        let dst = &mut *dst.bytes;
        let fits = |side, length| self.needs(side).is_some_and(|needed| needed <= length);
        if !self.is_possible() || !fits(0, src.len()) || !fits(1, dst.len()) {
            return false;
        }
        assert!(self.vectors <= vectors_of(InstructionSet::best()));
        let compiled = match (self.vectors, self.register_bits()) {
            (VectorSize::Eight, _) => compiled::<Listed<8, FEW>>,
            (VectorSize::Sixteen, _) => compiled::<Listed<16, FEW>>,
            (VectorSize::ThirtyTwo, _) => compiled::<Listed<32, FEW>>,
            (VectorSize::SixtyFour, ..=FEW) => compiled::<Listed<64, FEW>>,
            (VectorSize::SixtyFour, _) => compiled::<Listed<64, REGISTER_BITS>>,
        };
        // SAFETY: the processor has these vectors, as was just asserted. All vectors lie in the slices: each begins at a sum
        // of the block's slot and of some of an end's strides, which is at most that of the last block and all strides
        // (`span`). They begin with a byte, or are loaded with one more.
        unsafe { compiled(self, src.as_ptr(), dst.as_mut_ptr().cast()) };
        true
    }

    /// # Safety
    /// The processor has the vector's instructions. Vectors at all slots of the ends lie in the source and in the
    /// destination; those of the source are followed by one more byte if they do not all begin with a byte; those of the
    /// destination do.
    #[inline(always)]
    unsafe fn blocks<C: PassCode, V: Vector, const N: usize>(&self, src: *const u8, dst: *mut u8) {
        let [loads, stores] = self.ends;
        let shifts = !self.is_whole(0);
        let Grid { at: first, count, step } = self.blocks;
        let (mut block, mut row, [mut from, mut to]) = (0, 0, first);
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
                    vectors = C::steps(vectors, self);
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
            from += step[0][0];
            to += step[0][1];
            if block == count[0] {
                row += 1;
                if row == count[1] {
                    break;
                }
                block = 0;
                from = first[0] + row * step[1][0];
                to = first[1] + row * step[1][1];
            }
        }
    }
}

/// Makes a pass in code for its vectors.
///
/// # Safety
/// Those of `Pass::blocks`.
#[inline(always)]
unsafe fn compiled<C: PassCode>(pass: &Pass<'_>, src: *const u8, dst: *mut u8) {
    macro_rules! compiled {
        ($($set:ident $features:literal $vector:ident $family:ident, $size:ident $more:literal $(if $has:expr)?;)*) => {
            match const { C::VECTORS } {
                $(VectorSize::$size => {
                    /// # Safety
                    /// Those of `Pass::blocks`.
                    #[target_feature(enable = $more)]
                    unsafe fn compiled<C: PassCode, const N: usize>(
                        pass: &Pass<'_>,
                        src: *const u8,
                        dst: *mut u8,
                    ) {
                        // SAFETY: the caller vouches for the vectors, and this is compiled for the instructions.
                        unsafe { C::pass(pass).blocks::<C, machine::$vector, N>(src, dst) }
                    }
                    match const { C::REGISTER_BITS } {
                        0 => compiled::<C, 1>(pass, src, dst),
                        1 => compiled::<C, 2>(pass, src, dst),
                        2 => compiled::<C, 4>(pass, src, dst),
                        3 => compiled::<C, 8>(pass, src, dst),
                        _ => compiled::<C, 16>(pass, src, dst),
                    }
                })*
                // No processor of the architecture has others.
                _ if const { C::VECTORS as usize > VectorSize::Eight as usize } => {}
                _ => C::pass(pass).blocks::<C, u64, { 1 << FEW }>(src, dst),
            }
        };
    }
    // SAFETY: as of this function.
    unsafe { sets!(compiled) }
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
