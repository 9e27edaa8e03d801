//! Where the vectors of a pass lie.

use crate::kernel::raw::size::REGISTER_BITS;
use crate::kernel::raw::vector::Vector;

const REGISTERS: usize = 1 << REGISTER_BITS;

/// Bits that are counted at most, and that a number in a block has.
pub(crate) const COUNTED: usize = 17;

/// What counts up through sums of strides, one for each bit of a number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sums {
    /// What is added when the number's lowest set bit becomes this one: the bits below it turn to zero.
    deltas: [usize; COUNTED],
    len: usize,
    sum: usize,
}

impl Sums {
    pub(crate) const EMPTY: Sums = Sums { deltas: [0; COUNTED], len: 0, sum: 0 };

    pub(crate) const fn push(&mut self, stride: usize) {
        self.deltas[self.len] = stride.wrapping_sub(self.sum);
        self.sum = self.sum.saturating_add(stride);
        self.len += 1;
    }

    /// What is added from the number before `number` on.
    #[inline(always)]
    pub(crate) fn delta(&self, number: usize) -> usize {
        self.deltas[number.trailing_zeros() as usize % COUNTED]
    }

    /// Bits up to which each number adds this to the one before.
    #[inline(always)]
    pub(crate) fn even(&self, delta: usize) -> usize {
        self.deltas[..self.len].iter().take_while(|of_bit| **of_bit == delta).count()
    }

    /// How many numbers there are.
    #[inline(always)]
    pub(crate) const fn count(&self) -> usize {
        1 << self.len
    }
}

/// Where the vectors of a pass lie in memory, in slots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct End {
    /// Bits of a slot, and the bits of the number of one in its byte.
    bits: u32,
    in_byte: u32,
    /// Where the vector of each register is.
    registers: [usize; REGISTERS],
    bytes: [usize; REGISTERS],
    /// Bits of a register's number.
    register_bits: usize,
    /// The bits of a register's number that have a stride.
    strided: usize,
    groups: Sums,
    /// The sum of all strides.
    span: usize,
    /// All strides or-ed together, to test their alignment.
    any: usize,
}

impl End {
    /// Zeros alone, which take least time to write.
    pub(crate) const EMPTY: End = End {
        bits: 0,
        in_byte: 0,
        registers: [0; REGISTERS],
        bytes: [0; REGISTERS],
        register_bits: 0,
        strided: 0,
        groups: Sums::EMPTY,
        span: 0,
        any: 0,
    };

    /// Slots have 1, 2, 4 or 8 bits.
    pub(crate) const fn set_slot_bits(&mut self, bits: u32) {
        (self.bits, self.in_byte) = (bits, 3 - bits.trailing_zeros());
    }

    /// The next bit of a register's number. Vectors where a bit without a stride is set are not in memory: they are zeros,
    /// and are not stored.
    pub(crate) const fn push_register(&mut self, stride: usize) {
        let bit = self.register_bits;
        self.register_bits += 1;
        if stride == 0 {
            return;
        }
        self.cover(stride);
        layout_core::each!(for low in 0..1 << bit {
            let slot = self.registers[low].saturating_add(stride);
            self.registers[low | 1 << bit] = slot;
            self.bytes[low | 1 << bit] = self.byte(slot);
        });
        self.strided |= 1 << bit;
    }

    /// The next bit that is counted.
    pub(crate) const fn push_counted(&mut self, stride: usize) {
        self.cover(stride);
        self.groups.push(stride);
    }

    const fn cover(&mut self, stride: usize) {
        self.span = self.span.saturating_add(stride);
        self.any |= stride;
    }

    /// Slots from a block's beginning to that of its last vector at most.
    pub(super) const fn span(&self) -> usize {
        self.span
    }

    /// Whether all vectors begin with bytes where a block does.
    pub(crate) const fn begins_bytes(&self) -> bool {
        self.begins_byte(self.any)
    }

    /// Whether a slot is the first of a byte.
    pub(super) const fn begins_byte(&self, slot: usize) -> bool {
        slot & ((1 << self.in_byte) - 1) == 0
    }

    /// Bits of a register's number.
    pub(super) const fn register_bits(&self) -> usize {
        self.register_bits
    }

    /// Whether a register's vector is in memory.
    #[inline(always)]
    pub(super) fn has(&self, number: usize) -> bool {
        number & !self.strided == 0
    }

    /// Bytes from the first register's vector to that of another one, where all begin with bytes.
    #[inline(always)]
    pub(super) fn bytes(&self, number: usize) -> usize {
        self.bytes[number]
    }

    #[inline(always)]
    pub(super) const fn group_count(&self) -> usize {
        self.groups.count()
    }

    /// Slots from the group before to this one.
    #[inline(always)]
    pub(super) fn group(&self, number: usize) -> usize {
        self.groups.delta(number)
    }

    /// The byte of a slot.
    #[inline(always)]
    pub(super) const fn byte(&self, slot: usize) -> usize {
        slot >> self.in_byte
    }

    /// Loads a register's vector, which may begin within a byte.
    ///
    /// # Safety
    /// The processor has the vector's instructions, and a vector and one more byte are readable at the slot's.
    #[inline(always)]
    pub(super) unsafe fn load_shifted<V: Vector>(
        &self,
        from: *const u8,
        first: usize,
        number: usize,
    ) -> V {
        let slot = first.wrapping_add(self.registers[number]);
        let shift = (slot as u32 & ((1 << self.in_byte) - 1)) * self.bits;
        // SAFETY: the caller vouches for the bytes and the instructions.
        unsafe {
            let from = from.add(self.byte(slot));
            let next = V::load(from.add(1)).up(8 - shift);
            V::load(from).down(shift).select(u64::MAX >> shift, next)
        }
    }
}
