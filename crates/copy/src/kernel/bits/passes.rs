//! What vectors do to a block: the order of bits as they are read becomes that of the destination.
//!
//! The lowest bits of a number are those of a place in a vector. In a pass, some others are the number of a register.
//! An exchange of one of these with one in the vectors takes few operations, and brings the bit in. A pass has room
//! for three or four bits, so that most copies are one pass, from memory to memory; transposes are two.
//!
//! For example, 8×8 bytes are transposed in vectors of 32 bytes. An element's number has the bits `c0 c1 c2` of its column
//! and `r0 r1 r2` of its row. Lowest first, they stand so:
//!
//! ```text
//!                       place in a vector   register
//! as they are loaded    c0 c1 c2 r0 r1      r2         vector 0 has rows 0 to 3, vector 1 rows 4 to 7
//! r2 and c2 exchanged   c0 c1 r2 r0 r1      c2         the one bit that has to come in, and one that may go out
//! sorted                r0 r1 r2 c0 c1      c2         bytes are permuted in each vector
//! ```
//!
//! That is the order of the destination, so the vectors are stored: one pass, with one exchange between two registers.

use layout_core::each;

use crate::kernel::bits::block::BitBlock;
use crate::kernel::bits::lanes::{Lanes, Steps};
use crate::kernel::bits::order::Order;
use crate::kernel::bits::widths::Widths;
use crate::kernel::raw::{Ahead, COUNTED, End, Pass, REGISTER_BITS, Step, VectorSize};
use crate::kernel::walk::Grid;

/// Passes at most. Each brings in as many bits as a register's number has, and all bits of a place may have to come in: nine
/// bits (single bits in vectors of 64 bytes) by four take ⌈9/4⌉ = 3 passes, eight (vectors of 32 bytes) by three ⌈8/3⌉ = 3.
const PASSES: usize = 3;

/// The passes over a block.
#[derive(Clone)]
pub(super) struct Passes {
    steps: Steps,
    list: [PassPlan; PASSES],
    pub len: usize,
    pub vectors: VectorSize,
    /// Where the vectors of the first pass are in the source, and those of the last one in the destination, and whether
    /// they are contiguous there.
    memory: [End; 2],
    /// Which sides of memory passes load vectors from, and store them to.
    pub are_in_memory: [bool; 2],
}

/// One pass over a block.
#[derive(Clone, Copy)]
struct PassPlan {
    /// Its steps among those of all passes: the first, and where they end.
    steps: [u8; 2],
    /// Where vectors are in buffers: before, and after.
    ends: [End; 2],
}

impl Passes {
    /// All zeros: of all values the compiler writes these fastest.
    const NONE: Passes = Passes {
        steps: Steps::NONE,
        list: [PassPlan { steps: [0; 2], ends: [End::EMPTY; 2] }; PASSES],
        len: 0,
        vectors: VectorSize::Eight,
        memory: [End::EMPTY; 2],
        are_in_memory: [false; 2],
    };

    pub(super) const fn new(block: &BitBlock, widths: Widths) -> Passes {
        let mut passes = Passes::NONE;
        passes.vectors = block.vectors;
        let mut now = block.sides[0].order;
        while !passes.push(block, widths, &mut now) {}
        passes
    }

    /// Plans the next pass, before and after which the bits are in an order. Whether it is the last one.
    const fn push(&mut self, block: &BitBlock, widths: Widths, now: &mut Order) -> bool {
        let [src, dst] = &block.sides;
        let (narrow, places) = (widths.narrow(), block.places());
        let (mut registers, counted, is_last) = chosen(block, now);
        let first = self.steps.len;
        if self.len == 0 && widths.mirror(0) > 0 {
            self.steps.push(Step::Mirror(widths.src));
        }
        let mut lanes = Lanes {
            order: now.first(places),
            wanted: dst.order.first(places),
            registers,
            in_word: block.in_word,
            narrow,
            vectors: block.vectors,
            steps: &mut self.steps,
            first,
        };
        // Bits of no counter go out with the last pass, next to memory.
        let stays = if is_last { Order::EMPTY } else { src.order.first(src.none) };
        lanes.exchange(&stays);
        if is_last {
            lanes.sort();
            // Vectors that fill a line are stored one after another.
            lanes.renumber(&mut registers, &dst.order);
            // Elements are extended in their places.
            if let Some(step) = widths.extension() {
                lanes.steps.push(step);
            }
            if widths.mirror(1) > 0 {
                lanes.steps.push(Step::Mirror(widths.dst));
            }
        }
        let Lanes { order, registers: after, .. } = lanes;
        let pass = &mut self.list[self.len];
        pass.steps = [first as u8, self.steps.len as u8];
        place(&mut pass.ends[0], narrow, &now.strides(), &registers, &counted);
        if self.len == 0 {
            self.are_in_memory[0] = block.has_vectors(0)
                && place(&mut self.memory[0], widths.src, &src.strides, &registers, &counted);
        }
        if is_last {
            *now = dst.order;
            self.are_in_memory[1] = block.has_vectors(1)
                && place(&mut self.memory[1], widths.dst, &dst.strides, &after, &counted)
                && self.memory[1].begins_bytes();
        } else {
            *now = order;
            now.add_all(&after);
            now.add_all(&counted);
        }
        place(&mut pass.ends[1], narrow, &now.strides(), &after, &counted);
        self.len += 1;
        is_last
    }

    /// Whether one pass goes from memory to memory.
    pub(super) const fn are_one(&self) -> bool {
        self.len == 1 && self.are_in_memory[0] && self.are_in_memory[1]
    }

    /// A pass over blocks, from and to memory or a buffer.
    pub(super) const fn pass(
        &self,
        number: usize,
        in_memory: [bool; 2],
        blocks: &Grid,
    ) -> Pass<'_> {
        let PassPlan { steps, ends } = &self.list[number];
        let mut pass = Pass {
            vectors: self.vectors,
            steps: self.steps.range(*steps),
            tables: &self.steps.tables,
            ends: [&ends[0], &ends[1]],
            blocks: *blocks,
            ahead: Ahead::NONE,
        };
        each!(for side in 0..2 {
            if in_memory[side] {
                pass.ends[side] = &self.memory[side];
            } else {
                // All of a buffer is one block.
                pass.blocks.at[side] = 0;
                pass.blocks.step[0][side] = 0;
                pass.blocks.step[1][side] = 0;
            }
        });
        pass
    }
}

/// The bits that are not of places in vectors, before a pass: those of the registers' number, and those that
/// are counted; and whether the pass is the last one.
// Registers get the bits that have to come in (`coming`): those that the destination has among its places in a vector and
// the vectors do not have yet. If they are more than there is room for, the first passes take those of the higher places,
// and the last pass the lowest ones.
const fn chosen(block: &BitBlock, now: &Order) -> (Order, Order, bool) {
    let [src, dst] = &block.sides;
    let places = block.places();
    let here = now.first(places);
    let mut coming = Order::EMPTY;
    each!(for place in 0..places {
        let name = dst.order.at(place);
        if !here.has(name) {
            coming.push(name);
        }
    });
    let (count, others) = (coming.len(), now.len() - places);
    let most = least(block.vectors.register_bits(count), others);
    let room = largest(largest(most, src.none), 1);
    let later = count.saturating_sub(room).div_ceil(largest(most, 1));
    // Bits of no counter come in with the first pass, and go out with the last one, which has the lowest places.
    let rest = if later == 0 { 0 } else { room + most * (later - 1) };
    let taken = if src.none > 0 { [rest, count] } else { [0, least(count, most)] };
    let mut registers = Order::EMPTY;
    each!(for at in taken[0]..taken[1] {
        registers.push(coming.at(at));
    });
    let mut counted = Order::EMPTY;
    let by = if later == 0 { &dst.order } else { &src.order };
    each!(for at in 0..by.len() {
        let name = by.at(at);
        if !here.has(name) && !registers.has(name) {
            // Others that are free are registers too, as long as there is room.
            if registers.len() < most && !coming.has(name) {
                registers.push(name);
            } else {
                counted.push(name);
            }
        }
    });
    (registers, counted, later == 0)
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

const fn largest(a: usize, b: usize) -> usize {
    if a < b { b } else { a }
}

/// Says in `end` where vectors are, in slots of `bits` bits: bit `i` of an element's number counts `strides[i]` slots. False if
/// a bit of `counted` counts 0 slots.
const fn place(
    end: &mut End,
    bits: u32,
    strides: &[usize; COUNTED],
    registers: &Order,
    counted: &Order,
) -> bool {
    end.set_slot_bits(bits);
    each!(for at in 0..least(registers.len(), REGISTER_BITS) {
        end.push_register(strides[registers.at(at) as usize]);
    });
    each!(for at in 0..counted.len() {
        match strides[counted.at(at) as usize] {
            0 => return false,
            stride => end.push_counted(stride),
        }
    });
    true
}
