//! From one fragment to another: by shuffles within warps, or through shared memory.

use super::{Axis, Fragment, FragmentError, Holder, MAX_FRAGMENT_DIGITS};
use crate::base::limits::Size;
use crate::base::list::same_numbers;

/// What takes an array from one fragment to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Conversion {
    /// Nothing: every holder has its element already.
    Same,
    /// Each lane has its elements already, in other registers.
    Registers,
    /// Lanes of a warp exchange elements: this many instructions that move one register of each lane
    /// (`shfl.sync.idx`, `ds_bpermute_b32`). [`Fragment::shuffle`] has each of them.
    Shuffles(Size),
    /// Elements move between warps, or the digits of the fragments do not divide one another: one writes the array to
    /// shared memory and the other reads it. [`SharedAccess`](super::SharedAccess) has the addresses.
    SharedMemory,
}

/// What a lane does in a shuffle: it takes a register of another lane (or its own) into one of its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shuffle {
    /// The lane that it takes from.
    pub source_lane: Size,
    /// The register that the other lane gives; all that take from it in this shuffle take this one.
    pub source_register: Size,
    /// The register where it goes.
    pub register: Size,
}

/// Parts of the number along an axis.
#[derive(Clone, Copy)]
struct Parts {
    /// Stride and values of each.
    parts: [(Size, Size); MAX_FRAGMENT_DIGITS],
    count: usize,
    /// Values of all together.
    values: Size,
}

impl Parts {
    const NONE: Parts = Parts { parts: [(1, 1); MAX_FRAGMENT_DIGITS], count: 0, values: 1 };

    const fn push(&mut self, stride: Size, size: Size) {
        self.parts[self.count] = (stride, size);
        self.count += 1;
        self.values *= size;
    }

    /// Their values in a number, as one number.
    const fn value_in(&self, number: Size) -> Size {
        let (mut value, mut unit) = (0, 1);
        each!(for i in 0..self.count {
            let (stride, size) = self.parts[i];
            value += number / stride % size * unit;
            unit *= size;
        });
        value
    }

    /// The number in which they have these values, and the rest is 0.
    const fn number_of(&self, mut value: Size) -> Size {
        let mut number = 0;
        each!(for i in 0..self.count {
            let (stride, size) = self.parts[i];
            number += value % size * stride;
            value /= size;
        });
        number
    }
}

/// Which values change places, as parts of the second fragment's numbers.
struct Exchange {
    /// What lanes count in the first fragment and registers in the second one.
    to_registers: Parts,
    /// The reverse.
    to_lanes: Parts,
    /// What registers count in both.
    kept: Parts,
}

impl Exchange {
    /// `None` if digits do not divide one another.
    const fn new(from: &Fragment, to: &Fragment) -> Option<Exchange> {
        const NONE: Parts = Parts::NONE;
        let mut exchange = Exchange { to_registers: NONE, to_lanes: NONE, kept: NONE };
        each!(for a in from.digits() {
            each!(for b in to.digits() {
                let (low, high) = (a.digit.weight, b.digit.weight);
                let weight = if low > high { low } else { high };
                let (a_end, b_end) = (low * a.size(), high * b.size());
                let end = if a_end < b_end { a_end } else { b_end };
                let meet = low > 0 && high > 0 && a.digit.dim == b.digit.dim && weight < end;
                if meet {
                    let divides = weight.is_multiple_of(low)
                        && weight.is_multiple_of(high)
                        && end.is_multiple_of(weight)
                        && a_end.is_multiple_of(end)
                        && b_end.is_multiple_of(end);
                    if !divides || exchange.kept.count + 1 == MAX_FRAGMENT_DIGITS {
                        return None;
                    }
                    let (stride, size) = (b.stride * (weight / high), end / weight);
                    match (a.axis, b.axis) {
                        (Axis::Lane, Axis::Register) => exchange.to_registers.push(stride, size),
                        (Axis::Register, Axis::Lane) => exchange.to_lanes.push(stride, size),
                        (_, Axis::Register) => exchange.kept.push(stride, size),
                        _ => {}
                    }
                }
            });
        });
        Some(exchange)
    }

    /// Lanes that each lane takes from, one after the other.
    const fn turns(&self) -> Size {
        let (takers, givers) = (self.to_lanes.values, self.to_registers.values);
        if takers > givers { takers } else { givers }
    }

    const fn rounds(&self) -> Size {
        self.turns() * self.kept.values
    }
}

impl Fragment {
    /// What takes the array from this fragment to another one.
    ///
    /// Between fragments without copies no exchange takes fewer shuffles; with copies of lanes there may be one that does.
    ///
    /// # Errors
    /// If a fragment is one of tensor memory, or of an array with other dimensions.
    ///
    /// # Examples
    /// The result of one product as the left factor of the next, as attention has it: nothing moves.
    /// ```
    /// use layout::gpu::fragment::{Conversion, Fragment, Instruction, Operand, Warps};
    ///
    /// const MMA: Instruction = Instruction::mma([16, 8, 16], 16);
    /// const D: Fragment = Fragment::required(MMA.fragment(Operand::D, &[16, 16], Warps::ONE));
    /// const A: Fragment = Fragment::required(MMA.operand(Operand::A));
    /// assert_eq!(D.conversion(&A), Ok(Conversion::Same));
    ///
    /// // Rows that each lane has loaded at once.
    /// let rows = Fragment::blocked(&[16, 16], &[1, 8], &[16, 2], &[1, 1], &[1, 0])?;
    /// assert_eq!(rows.conversion(&A), Ok(Conversion::Shuffles(8)));
    /// # Ok::<(), layout::gpu::fragment::FragmentError>(())
    /// ```
    pub const fn conversion(&self, to: &Fragment) -> Result<Conversion, FragmentError> {
        if !same_numbers(self.dims(), to.dims()) {
            return Err(FragmentError::DIMS);
        }
        if self.columns() > 1 || to.columns() > 1 {
            return Err(FragmentError::REGISTERS);
        }
        let mut moves_lanes = false;
        let mut moves_registers = to.registers() != self.registers();
        let (warps, lanes, registers) = (to.warps(), to.lanes(), to.registers());
        each!(for number in 0..warps * lanes * registers {
            let (warp, rest) = (number / registers / lanes, number % (lanes * registers));
            let holder = Holder::register(warp, rest / registers, rest % registers);
            if let Some(index) = to.index(holder)
                && let Some(source) = self.near(index.as_slice(), holder)
            {
                if source.warp != warp {
                    return Ok(Conversion::SharedMemory);
                }
                moves_lanes |= source.lane != holder.lane;
                moves_registers |= source.register != holder.register;
            }
        });
        if !moves_lanes {
            return Ok(if moves_registers { Conversion::Registers } else { Conversion::Same });
        }
        let Some(exchange) = Exchange::new(self, to) else { return Ok(Conversion::SharedMemory) };
        let mut shuffles = 0;
        each!(for round in 0..exchange.rounds() {
            shuffles += self.moves(to, &exchange, round) as Size;
        });
        Ok(Conversion::Shuffles(shuffles))
    }

    /// Whether a lane takes from another one in a round.
    const fn moves(&self, to: &Fragment, exchange: &Exchange, round: Size) -> bool {
        let lanes = to.lanes();
        each!(for thread in 0..to.warps() * lanes {
            let lane = thread % lanes;
            if let Some(shuffle) = self.taken(to, exchange, round, [thread / lanes, lane])
                && shuffle.source_lane != lane
            {
                return true;
            }
        });
        false
    }

    /// What a lane does in a shuffle that takes the array to another fragment; the first is 0. `None` if the lane takes
    /// nothing in it, and if there are not as many [`Shuffles`](Conversion::Shuffles).
    ///
    /// In the shuffles, lanes take what others have. What a lane has itself, and copies in its own registers, it moves
    /// without them.
    pub const fn shuffle(
        &self,
        to: &Fragment,
        number: Size,
        warp: Size,
        lane: Size,
    ) -> Option<Shuffle> {
        let exchange = some!(Exchange::new(self, to));
        let mut left = number;
        each!(for round in 0..exchange.rounds() {
            if self.moves(to, &exchange, round) {
                if left == 0 {
                    return self.taken(to, &exchange, round, [warp, lane]);
                }
                left -= 1;
            }
        });
        None
    }

    /// What a lane takes in a round. Lanes that take from the same one begin with different turns, so that it gives them one
    /// register at a time.
    const fn taken(
        &self,
        to: &Fragment,
        exchange: &Exchange,
        round: Size,
        [warp, lane]: [Size; 2],
    ) -> Option<Shuffle> {
        let turns = exchange.turns();
        let turn = (exchange.to_lanes.value_in(lane) + round) % turns;
        if turn >= exchange.to_registers.values {
            return None;
        }
        let high = exchange.kept.number_of(round / turns);
        let register = exchange.to_registers.number_of(turn) + high;
        let index = some!(to.index(Holder::register(warp, lane, register)));
        let source = some!(self.near(index.as_slice(), Holder::register(warp, lane, 0)));
        Some(Shuffle { source_lane: source.lane, source_register: source.register, register })
    }
}
