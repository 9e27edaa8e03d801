//! What vectors do to a block: the order of bits as they are read becomes that of the destination.
//!
//! The lowest bits of a number are those of a place in a vector. In a pass, some others are the number of a register.
//! An exchange of one of these with one in the vectors takes few operations, and brings the bit in. A pass has room
//! for three or four bits, so that most copies are one pass, from memory to memory; transposes are two.

use crate::relayout::kernel::raw::{End, Step, Vectors};
use crate::relayout::packed::block::{Block, Order};
use crate::relayout::packed::lanes::{Lanes, Steps};
use crate::relayout::packed::{Extend, Widths};

/// Passes at most: nine bits of a place in a vector, and three of a register's number.
const PASSES: usize = 3;

/// The passes over a block.
pub(super) struct Passes {
    list: [Stage; PASSES],
    len: usize,
    pub vectors: Vectors,
    /// Where the vectors of the first pass are in the source, and those of the last one in the destination, if they
    /// are contiguous there.
    memory: [Option<End>; 2],
}

/// One of them.
#[derive(Clone, Copy)]
struct Stage {
    steps: Steps,
    /// Where vectors are in buffers: before, and after.
    ends: [End; 2],
}

impl Passes {
    pub(super) fn new(block: &Block, widths: Widths) -> Passes {
        let narrow = widths.narrow();
        let [src, dst] = &block.sides;
        let vectors = block.vectors;
        let count = block.in_word + vectors.byte_bits() - 3;
        let wanted = &dst.order.names()[..count];
        let nothing = End::new(narrow, [].into_iter(), [].into_iter());
        let stage = Stage { steps: Steps::NONE, ends: [nothing; 2] };
        let mut passes = Passes { list: [stage; PASSES], len: 0, vectors, memory: [None; 2] };
        let mut now = src.order;
        loop {
            let (here, others) = now.names().split_at(count);
            let mut coming = Order::EMPTY;
            coming.extend(wanted.iter().copied().filter(|name| !here.contains(name)));
            let most = vectors.register_bits(coming.names().len()).min(others.len());
            let later = coming.names().len().saturating_sub(1) / most.max(1);
            // Bits of no counter come in with the first pass, and go out with the last one, next to memory.
            let taken = match src.none > 0 {
                true => most * later..coming.names().len(),
                false => 0..coming.names().len().min(most),
            };
            let mut registers = Order::EMPTY;
            registers.extend(coming.names()[taken].iter().copied());
            let by = if later == 0 { dst } else { src };
            let free = by.order.names().iter().copied();
            let free = free.filter(|name| others.contains(name) && !coming.names().contains(name));
            let room = most - registers.names().len();
            registers.extend(free.take(room));
            let mut counted = Order::EMPTY;
            let is_counted = |name: &u8| others.contains(name) && !registers.names().contains(name);
            counted.extend(by.order.names().iter().copied().filter(is_counted));

            let in_buffer = |order: &Order, registers: &Order| {
                let stride = |name: &u8| 1 << order.place(*name);
                End::new(
                    narrow,
                    registers.names().iter().map(|name| Some(stride(name))),
                    counted.names().iter().map(stride),
                )
            };
            let in_memory = |side: usize, registers: &Order| {
                let of_side = &block.sides[side];
                let are_counted = |name: &u8| of_side.strides[usize::from(*name)].is_some();
                if usize::from(of_side.run) < count
                    || of_side.missing > 0
                    || !counted.names().iter().all(are_counted)
                {
                    return None;
                }
                let stride = |name: &u8| of_side.strides[usize::from(*name)];
                Some(End::new(
                    [widths.src, widths.dst][side],
                    registers.names().iter().map(stride),
                    counted.names().iter().filter_map(stride),
                ))
            };
            let before = in_buffer(&now, &registers);
            if passes.len == 0 {
                passes.memory[0] = in_memory(0, &registers);
            }
            let mut lanes = Lanes::new(here, wanted, registers, block.in_word, narrow, vectors);
            let leaving = if later > 0 { src.none } else { 0 };
            lanes.exchange(|name| src.order.names()[..leaving.into()].contains(&name));
            if later == 0 {
                lanes.sort();
                match widths.extend {
                    _ if !widths.is_extended() => {}
                    Extend::Zeros => {}
                    Extend::One => lanes.steps.push(Step::Keep(u64::MAX / 0xff)),
                    Extend::Sign => lanes.steps.push(Step::Signs(widths.src)),
                }
            }
            let registers = lanes.registers;
            let mut next = Order::EMPTY;
            if later == 0 {
                next = dst.order;
                passes.memory[1] = in_memory(1, &registers);
            } else {
                let lanes = lanes.order().iter();
                next.extend(lanes.chain(registers.names()).chain(counted.names()).copied());
            }
            let ends = [before, in_buffer(&next, &registers)];
            passes.list[passes.len] = Stage { steps: lanes.steps, ends };
            passes.len += 1;
            if later == 0 {
                return passes;
            }
            now = next;
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn steps(&self, number: usize) -> &[Step] {
        self.list[number].steps.list()
    }

    /// Where vectors are on a side of a pass: in memory, if they are contiguous there, or in a buffer.
    pub(super) fn end(&self, number: usize, side: usize, in_memory: bool) -> Option<&End> {
        match in_memory {
            true => self.memory[side].as_ref(),
            false => Some(&self.list[number].ends[side]),
        }
    }
}
