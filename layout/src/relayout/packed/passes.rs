//! What vectors do to a block: the order of bits as they are read becomes that of the destination.
//!
//! The lowest bits of a number are those of a place in a vector. In a pass, some others are the number of a register.
//! An exchange of one of these with one in the vectors takes few operations, and brings the bit in. A pass has room
//! for three or four bits, so that most copies are one pass, from memory to memory; transposes are two.

use crate::relayout::kernel::raw::{End, Vectors};
use crate::relayout::packed::Widths;
use crate::relayout::packed::block::{BitBlock, Order};
use crate::relayout::packed::lanes::{Lanes, Steps};

/// Passes at most. Three are enough for nine bits of a place in a vector with four of a register's number, and for eight
/// with three.
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
    pub(super) fn new(block: &BitBlock, widths: Widths, streams: bool) -> Passes {
        let narrow = widths.narrow();
        let [src, dst] = &block.sides;
        let places = block.places();
        let nothing = in_buffer(narrow, &Order::EMPTY, &Order::EMPTY, &Order::EMPTY);
        let stage = Stage { steps: Steps::NONE, ends: [nothing; 2] };
        let vectors = block.vectors;
        let mut passes = Passes { list: [stage; PASSES], len: 0, vectors, memory: [None; 2] };
        let mut now = src.order;
        loop {
            let Chosen { mut registers, counted, is_last } =
                Chosen::new(block, &now, passes.len, streams);
            let wanted = &dst.order.names()[..places];
            let here = &now.names()[..places];
            let mut lanes = Lanes::new(here, wanted, registers, block.in_word, narrow, vectors);
            // Bits of no counter go out with the last pass, next to memory.
            let staying = if is_last { 0 } else { src.none.into() };
            lanes.exchange(|name| src.order.names()[..staying].contains(&name));
            if is_last {
                lanes.sort();
                // Vectors that fill a line are stored one after another.
                lanes.renumber(&mut registers, |name| dst.order.place(name));
                // Elements are extended in their places.
                lanes.steps.extend(widths.extension());
            }
            if passes.len == 0 {
                passes.memory[0] = in_memory(block, widths, 0, &registers, &counted);
            }
            let before = in_buffer(narrow, &now, &registers, &counted);
            let registers = lanes.registers;
            if is_last {
                now = dst.order;
                passes.memory[1] = in_memory(block, widths, 1, &registers, &counted);
            } else {
                now = Order::EMPTY;
                for names in [lanes.order(), registers.names(), counted.names()] {
                    now.extend(names.iter().copied());
                }
            }
            let ends = [before, in_buffer(narrow, &now, &registers, &counted)];
            passes.list[passes.len] = Stage { steps: lanes.steps, ends };
            passes.len += 1;
            if is_last {
                return passes;
            }
        }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn steps(&self, number: usize) -> &Steps {
        &self.list[number].steps
    }

    /// Where vectors are on a side of a pass: in memory, if they are contiguous there, or in a buffer.
    pub(super) fn end(&self, number: usize, side: usize, in_memory: bool) -> Option<&End> {
        match in_memory {
            true => self.memory[side].as_ref(),
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
    fn new(block: &BitBlock, now: &Order, passes: usize, streams: bool) -> Chosen {
        let [src, dst] = &block.sides;
        let (here, others) = now.names().split_at(block.places());
        let mut coming = Order::EMPTY;
        let wanted = dst.order.names()[..block.places()].iter().copied();
        coming.extend(wanted.filter(|name| !here.contains(name)));
        let count = coming.names().len();
        let most = block.vectors.register_bits(count).min(others.len());
        // The last of several passes has room for whole lines, if they are to go around the cache.
        let is_one = passes == 0 && count <= most;
        let lines = if streams && !is_one { block.vectors.line_bits() } else { 0 };
        let room = most.saturating_sub(lines).max(src.none.into()).max(1);
        let later = count.saturating_sub(room).div_ceil(most.max(1));
        // Bits of no counter come in with the first pass, and go out with the last one, which has the lowest places.
        let rest = if later == 0 { 0 } else { room + most * (later - 1) };
        let taken = if src.none > 0 { rest..count } else { 0..count.min(most) };
        let mut registers = Order::EMPTY;
        registers.extend(coming.names()[taken].iter().copied());
        let by = if later == 0 { dst } else { src };
        let others = by.order.names().iter().copied().filter(|name| others.contains(name));
        let free = others.clone().filter(|name| !coming.names().contains(name));
        let room = most - registers.names().len();
        registers.extend(free.take(room));
        let mut counted = Order::EMPTY;
        counted.extend(others.filter(|name| !registers.names().contains(name)));
        Chosen { registers, counted, is_last: later == 0 }
    }
}

/// Where vectors are in a buffer, its bits in an order.
fn in_buffer(narrow: u32, order: &Order, registers: &Order, counted: &Order) -> End {
    let stride = |name: &u8| 1 << order.place(*name);
    let registers = registers.names().iter().map(|name| Some(stride(name)));
    End::new(narrow, registers, counted.names().iter().map(stride))
}

/// Where vectors are in the memory of a side, if they are contiguous there.
fn in_memory(
    block: &BitBlock,
    widths: Widths,
    side: usize,
    registers: &Order,
    counted: &Order,
) -> Option<End> {
    let bits = [widths.src, widths.dst][side];
    let side = &block.sides[side];
    let stride = |name: &u8| side.strides[usize::from(*name)];
    let is_contiguous = usize::from(side.run) >= block.places() && side.missing == 0;
    if !is_contiguous || counted.names().iter().any(|name| stride(name).is_none()) {
        return None;
    }
    let registers = registers.names().iter().map(stride);
    Some(End::new(bits, registers, counted.names().iter().filter_map(stride)))
}
