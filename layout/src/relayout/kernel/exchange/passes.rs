//! What vectors do to a block: the order of bits as they are read becomes that of the destination.
//!
//! The lowest bits of a number are those of a place in a vector. In a pass, some others are the number of a register.
//! An exchange of one of these with one in the vectors takes few operations, and brings the bit in. A pass has room
//! for three or four bits, so that most copies are one pass, from memory to memory; transposes are two.

use layout_core::each;

use crate::relayout::kernel::exchange::block::{BitBlock, Order, Side};
use crate::relayout::kernel::exchange::lanes::{Lanes, Steps};
use crate::relayout::kernel::exchange::widths::Widths;
use crate::relayout::kernel::raw::{End, REGISTER_BITS, Step, Tables, VectorSize};

/// Passes at most. Three are enough for nine bits of a place in a vector with four of a register's number, and for eight
/// with three.
const PASSES: usize = 3;

/// The passes over a block.
pub(super) struct Passes {
    steps: Steps,
    list: [Stage; PASSES],
    len: usize,
    pub vectors: VectorSize,
    /// Where the vectors of the first pass are in the source, and those of the last one in the destination, and whether
    /// they are contiguous there.
    memory: [End; 2],
    are_in_memory: [bool; 2],
}

/// One of them.
#[derive(Clone, Copy)]
struct Stage {
    /// Its steps among those of all passes: the first, and where they end.
    steps: [u8; 2],
    /// Where vectors are in buffers: before, and after.
    ends: [End; 2],
}

impl Passes {
    pub(super) const fn new(block: &BitBlock, widths: Widths, streams: bool) -> Passes {
        let narrow = widths.narrow();
        let [src, dst] = &block.sides;
        let places = block.places();
        let vectors = block.vectors;
        let stage = Stage { steps: [0; 2], ends: [End::EMPTY; 2] };
        let mut passes = Passes {
            steps: Steps::NONE,
            list: [stage; PASSES],
            len: 0,
            vectors,
            memory: [End::EMPTY; 2],
            are_in_memory: [false; 2],
        };
        let wanted = dst.order.first(places);
        let mut now = src.order;
        loop {
            let Chosen { mut registers, counted, is_last } =
                Chosen::new(block, &now, passes.len, streams);
            let here = now.first(places);
            let first = passes.steps.len();
            let (steps, in_word) = (&mut passes.steps, block.in_word);
            let mut lanes = Lanes::new(here, wanted, registers, in_word, narrow, vectors, steps);
            // Bits of no counter go out with the last pass, next to memory.
            let stays = if is_last { Order::EMPTY } else { src.order.first(src.none as usize) };
            if !lanes.zip(&stays) {
                lanes.exchange(&stays);
            }
            if is_last {
                lanes.sort();
                // Vectors that fill a line are stored one after another.
                lanes.renumber(&mut registers, &dst.order);
                // Elements are extended in their places.
                if let Some(step) = widths.extension() {
                    lanes.push(step);
                }
            }
            let stage = &mut passes.list[passes.len];
            stage.ends[0].set_slot_bits(narrow);
            in_buffer(&mut stage.ends[0], &now, &registers, &counted);
            if passes.len == 0 {
                passes.memory[0].set_slot_bits(widths.src);
                passes.are_in_memory[0] =
                    in_memory(&mut passes.memory[0], block, src, &registers, &counted);
            }
            let Lanes { order, registers: after, .. } = lanes;
            if is_last {
                now = dst.order;
                passes.memory[1].set_slot_bits(widths.dst);
                passes.are_in_memory[1] =
                    in_memory(&mut passes.memory[1], block, dst, &after, &counted);
            } else {
                now = order;
                now.add_all(&after);
                now.add_all(&counted);
            }
            stage.ends[1].set_slot_bits(narrow);
            in_buffer(&mut stage.ends[1], &now, &after, &counted);
            stage.steps = [first as u8, passes.steps.len() as u8];
            passes.len += 1;
            if is_last {
                return passes;
            }
        }
    }

    /// How many there are.
    pub(super) const fn len(&self) -> usize {
        self.len
    }

    pub(super) fn steps(&self, number: usize) -> &[Step] {
        let [first, end] = self.list[number].steps;
        self.steps.range(first.into()..end.into())
    }

    pub(super) fn tables(&self) -> &Tables {
        self.steps.tables()
    }

    /// Where vectors are on a side of a pass: in memory, if they are contiguous there, or in a buffer.
    pub(super) fn end(&self, number: usize, side: usize, in_memory: bool) -> Option<&End> {
        match in_memory {
            true if self.are_in_memory[side] => Some(&self.memory[side]),
            true => None,
            false => Some(&self.list[number].ends[side]),
        }
    }
}

/// The bits that are not of places in vectors, in a pass.
struct Chosen {
    /// Those of the registers' number.
    registers: Order,
    /// Those that are counted.
    counted: Order,
    is_last: bool,
}

impl Chosen {
    const fn new(block: &BitBlock, now: &Order, passes: usize, streams: bool) -> Chosen {
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
        // The last of several passes has room for whole lines, if they are to go around the cache.
        let is_one = passes == 0 && count <= most;
        let lines = if streams && !is_one { block.vectors.line_bits() } else { 0 };
        let room = largest(largest(most.saturating_sub(lines), src.none as usize), 1);
        let later = count.saturating_sub(room).div_ceil(largest(most, 1));
        // Bits of no counter come in with the first pass, and go out with the last one, which has the lowest places.
        let rest = if later == 0 { 0 } else { room + most * (later - 1) };
        let taken = if src.none > 0 { [rest, count] } else { [0, least(count, most)] };
        let mut registers = Order::EMPTY;
        each!(for at in taken[0]..taken[1] {
            registers.push(coming.at(at));
        });
        let by = if later == 0 { &dst.order } else { &src.order };
        // Others that are free, as long as there is room.
        each!(for at in 0..by.len() {
            let name = by.at(at);
            if registers.len() < most && !here.has(name) && !coming.has(name) {
                registers.push(name);
            }
        });
        let mut counted = Order::EMPTY;
        each!(for at in 0..by.len() {
            let name = by.at(at);
            if !here.has(name) && !registers.has(name) {
                counted.push(name);
            }
        });
        Chosen { registers, counted, is_last: later == 0 }
    }
}

const fn least(a: usize, b: usize) -> usize {
    if a < b { a } else { b }
}

const fn largest(a: usize, b: usize) -> usize {
    if a < b { b } else { a }
}

/// Where vectors are in a buffer, its bits in an order.
const fn in_buffer(end: &mut End, order: &Order, registers: &Order, counted: &Order) {
    each!(for at in 0..registers.len() {
        if let Some(place) = order.find(registers.at(at)) {
            end.push_register(1 << place);
        }
    });
    each!(for at in 0..counted.len() {
        if let Some(place) = order.find(counted.at(at)) {
            end.push_counted(1 << place);
        }
    });
}

/// Where vectors are in the memory of a side, if they are contiguous there.
const fn in_memory(
    end: &mut End,
    block: &BitBlock,
    side: &Side,
    registers: &Order,
    counted: &Order,
) -> bool {
    if (side.run as usize) < block.places() || side.missing > 0 {
        return false;
    }
    each!(for at in 0..least(registers.len(), REGISTER_BITS) {
        end.push_register(side.strides[registers.at(at) as usize]);
    });
    each!(for at in 0..counted.len() {
        match side.strides[counted.at(at) as usize] {
            0 => return false,
            stride => end.push_counted(stride),
        }
    });
    true
}
