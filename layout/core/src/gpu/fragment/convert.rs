//! From one fragment to another: by shuffles within warps, or through shared memory.

use super::{Axis, Fragment, FragmentError, Holder, MAX_FRAGMENT_DIGITS};
use crate::analysis::digits::Digits;
use crate::base::limits::Size;
use crate::shape::array::ArrayShape;

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
    /// shared memory and the other reads it. [`SharedAccess`] has the addresses.
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

/// Whether a fragment is written to memory or read from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From registers to memory: of several holders of an element, the first one writes.
    Store,
    /// From memory to registers: every holder reads.
    Load,
}

const REGISTERS: FragmentError = FragmentError::Instruction {
    takes: "conversions are between registers: `tcgen05.ld` and `tcgen05.st` copy tensor memory, see `Fragment::tcgen05_ld`",
};

/// Values that one digit counts in both fragments.
#[derive(Clone, Copy)]
struct Piece {
    from: Axis,
    to: Axis,
    to_stride: Size,
    size: Size,
}

/// Which values change places: what lanes count and registers will, the reverse, and what else registers will count.
struct Exchange {
    to_registers: Pieces,
    to_lanes: Pieces,
    kept: Pieces,
    /// Lanes of the first fragment that hold the same, and none of `to_lanes`' values chooses among them.
    copies: Pieces,
    /// Copies that are shared out among the values of `to_lanes`.
    shares: Size,
}

#[derive(Clone, Copy)]
struct Pieces {
    pieces: [Piece; MAX_FRAGMENT_DIGITS],
    count: usize,
    /// Their values together.
    values: Size,
}

impl Pieces {
    const NONE: Pieces = {
        let piece = Piece { from: Axis::Register, to: Axis::Register, to_stride: 1, size: 1 };
        Pieces { pieces: [piece; MAX_FRAGMENT_DIGITS], count: 0, values: 1 }
    };

    const fn push(&mut self, piece: Piece) {
        self.values *= piece.size;
        self.pieces[self.count] = piece;
        self.count += 1;
    }

    /// Their values at a number along the axis, as one number.
    const fn value_at(&self, number: Size) -> Size {
        let (mut value, mut unit) = (0, 1);
        each!(for i in 0..self.count {
            let Piece { to_stride, size, .. } = self.pieces[i];
            value += number / to_stride % size * unit;
            unit *= size;
        });
        value
    }

    /// The number along the axis where they have these values.
    const fn number_of(&self, value: Size) -> Size {
        let (mut number, mut left) = (0, value);
        each!(for i in 0..self.count {
            let Piece { to_stride, size, .. } = self.pieces[i];
            number += left % size * to_stride;
            left /= size;
        });
        number
    }
}

impl Exchange {
    /// `None` if digits do not divide one another.
    const fn new(from: &Fragment, to: &Fragment) -> Option<Exchange> {
        const NONE: Pieces = Pieces::NONE;
        let mut exchange =
            Exchange { to_registers: NONE, to_lanes: NONE, kept: NONE, copies: NONE, shares: 1 };
        let mut chosen = [false; MAX_FRAGMENT_DIGITS];
        let mut count = 0;
        each!(for a in from.digits() {
            each!(for b in to.digits() {
                let (low, high) = (&a.digit, &b.digit);
                let meet = !a.is_copy() && !b.is_copy() && low.dim == high.dim;
                let weight = if low.weight > high.weight { low.weight } else { high.weight };
                let (a_end, b_end) = (low.weight * a.size(), high.weight * b.size());
                let end = if a_end < b_end { a_end } else { b_end };
                if meet && weight < end {
                    let divides = weight.is_multiple_of(low.weight)
                        && weight.is_multiple_of(high.weight)
                        && end.is_multiple_of(weight)
                        && a_end.is_multiple_of(end)
                        && b_end.is_multiple_of(end);
                    if !divides || count == MAX_FRAGMENT_DIGITS {
                        return None;
                    }
                    count += 1;
                    let to_stride = b.stride * (weight / high.weight);
                    let piece = Piece { from: a.axis, to: b.axis, to_stride, size: end / weight };
                    match (piece.from, piece.to) {
                        (Axis::Lane, Axis::Register) => exchange.to_registers.push(piece),
                        (Axis::Register, Axis::Lane) => match from.copies_of(&piece) {
                            Some(digit) => chosen[digit] = true,
                            None => exchange.to_lanes.push(piece),
                        },
                        (_, Axis::Register) => exchange.kept.push(piece),
                        _ => {}
                    }
                }
            });
        });
        each!(for i in 0..from.count {
            let digit = &from.digits[i];
            if digit.is_copy() && matches!(digit.axis, Axis::Lane) && !chosen[i] {
                let (to_stride, size) = (digit.stride, digit.size());
                exchange.copies.push(Piece { from: Axis::Lane, to: Axis::Lane, to_stride, size });
            }
        });
        let (lanes, turns) = (exchange.to_lanes.values, exchange.to_registers.values);
        while 2 * exchange.shares * turns <= lanes
            && exchange.copies.values.is_multiple_of(2 * exchange.shares)
            && lanes.is_multiple_of(2 * exchange.shares)
        {
            exchange.shares *= 2;
        }
        Some(exchange)
    }

    /// Lanes that each lane takes from, one after the other.
    const fn turns(&self) -> Size {
        let (a, b) = (self.to_registers.values, self.to_lanes.values / self.shares);
        if a > b { a } else { b }
    }

    const fn rounds(&self) -> Size {
        self.turns() * self.kept.values
    }
}

impl Fragment {
    /// What takes the array from this fragment to another one.
    ///
    /// The shuffles move each value that changes its lane once, so that no lane gives more than one register at a time.
    ///
    /// # Errors
    /// If a fragment is one of tensor memory, or of an array with other dimensions.
    ///
    /// # Examples
    /// The result of one product as the left factor of the next, as attention has it: nothing moves.
    /// ```
    /// use layout::gpu::fragment::{Conversion, Fragment, Instruction, Operand, Warps};
    ///
    /// const MMA: Instruction = Instruction::required(Instruction::mma([16, 8, 16], 16));
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
        if self.rank != to.rank {
            return Err(FragmentError::Rank { given: to.rank, takes: self.rank });
        }
        each!(for dim in 0..self.rank {
            if self.dims[dim] != to.dims[dim] {
                return Err(FragmentError::Size {
                    dim,
                    size: to.dims[dim],
                    multiple: self.dims[dim],
                });
            }
        });
        if self.columns() > 1 || to.columns() > 1 {
            return Err(REGISTERS);
        }
        let (warps, lanes, registers) = (to.warps(), to.lanes(), to.registers());
        let mut moves_lanes = false;
        let mut moves_registers = registers != self.registers();
        each!(for warp in 0..warps {
            each!(for lane in 0..lanes {
                each!(for register in 0..registers {
                    let holder = Holder::register(warp, lane, register);
                    if let Some(source) = self.source(to, holder) {
                        if source.warp != warp {
                            return Ok(Conversion::SharedMemory);
                        }
                        moves_lanes |= source.lane != lane;
                        moves_registers |= source.register != register;
                    }
                });
            });
        });
        Ok(if moves_lanes {
            match Exchange::new(self, to) {
                Some(exchange) => Conversion::Shuffles(self.moving_rounds(to, &exchange)),
                None => Conversion::SharedMemory,
            }
        } else if moves_registers {
            Conversion::Registers
        } else {
            Conversion::Same
        })
    }

    /// The digit of copies that a piece of the lanes chooses from, so that lanes which differ in the piece take from
    /// different lanes.
    const fn copies_of(&self, piece: &Piece) -> Option<usize> {
        each!(for i in 0..self.count {
            let digit = &self.digits[i];
            let is_inside = piece.to_stride >= digit.stride
                && piece.to_stride.is_multiple_of(digit.stride)
                && digit.end().is_multiple_of(piece.to_stride * piece.size);
            if digit.is_copy() && matches!(digit.axis, Axis::Lane) && is_inside {
                return Some(i);
            }
        });
        None
    }

    /// The nearest holder of the element that a holder of another fragment has.
    const fn source(&self, to: &Fragment, holder: Holder) -> Option<Holder> {
        self.near(some!(to.index(holder)).as_slice(), holder)
    }

    /// Rounds in which a lane takes from another one.
    const fn moving_rounds(&self, to: &Fragment, exchange: &Exchange) -> Size {
        let mut moving = 0;
        each!(for round in 0..exchange.rounds() {
            moving += self.moves(to, exchange, round) as Size;
        });
        moving
    }

    const fn moves(&self, to: &Fragment, exchange: &Exchange, round: Size) -> bool {
        let (warps, lanes) = (to.warps(), to.lanes());
        each!(for warp in 0..warps {
            each!(for lane in 0..lanes {
                if let Some(shuffle) = self.taken(to, exchange, round, warp, lane)
                    && shuffle.source_lane != lane
                {
                    return true;
                }
            });
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
                    return self.taken(to, &exchange, round, warp, lane);
                }
                left -= 1;
            }
        });
        None
    }

    /// What a lane takes in a round. The lanes that take from one lane in different turns begin with different ones, so that
    /// it gives them one register at a time.
    const fn taken(
        &self,
        to: &Fragment,
        exchange: &Exchange,
        round: Size,
        warp: Size,
        lane: Size,
    ) -> Option<Shuffle> {
        let turns = exchange.turns();
        let value = exchange.to_lanes.value_at(lane);
        let from = (value / exchange.shares + round) % turns;
        if from >= exchange.to_registers.values {
            return None;
        }
        let register =
            exchange.to_registers.number_of(from) + exchange.kept.number_of(round / turns);
        let index = some!(to.index(Holder::register(warp, lane, register)));
        let mut near = lane;
        if exchange.shares > 1 {
            let copies = &exchange.copies;
            near -= copies.number_of(copies.value_at(lane));
            near += copies.number_of(value % exchange.shares);
        }
        let source = some!(self.near(index.as_slice(), Holder::register(warp, near, 0)));
        Some(Shuffle { source_lane: source.lane, source_register: source.register, register })
    }
}

/// The accesses that write a fragment to a layout of shared memory, or read it: for each instruction the addresses of
/// the lanes.
///
/// Each instruction moves as many registers of a lane as lie side by side in memory, at most 16 bytes.
///
/// # Examples
/// ```
/// use layout::gpu::fragment::{Direction, Fragment, Instruction, Operand, SharedAccess};
///
/// const MMA: Instruction = Instruction::required(Instruction::mma([16, 8, 16], 16));
/// const A: Fragment = Fragment::required(MMA.operand(Operand::A));
/// let tile = "f16[16,16], swizzle = 32B".parse()?;
/// let store = SharedAccess::new(&A, &tile)?;
/// // Pairs of registers, 4 bytes.
/// assert_eq!((store.bytes_per_lane(), store.instructions()), (4, 4));
/// let addresses: [Option<usize>; 32] = store.addresses(Direction::Store, 0);
/// assert_eq!(addresses[4], Some(32));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct SharedAccess {
    fragment: Fragment,
    shared: Digits,
    bytes: Size,
    /// Registers of an instruction.
    vector: Size,
}

impl SharedAccess {
    /// Accesses of a fragment to an array in a layout. The base of the array is aligned to 16 bytes.
    ///
    /// # Errors
    /// If the array has other dimensions than the fragment, sizes that are not known, or elements that are not whole bytes; or
    /// if the fragment is one of tensor memory.
    pub const fn new(
        fragment: &Fragment,
        shared: &ArrayShape,
    ) -> Result<SharedAccess, FragmentError> {
        let bits = shared.element_bits();
        let digits = match shared.digits() {
            Ok(digits) if bits.is_multiple_of(8) && bits > 0 => digits,
            _ => return Err(FragmentError::Number),
        };
        if digits.rank() != fragment.rank {
            return Err(FragmentError::Rank { given: digits.rank(), takes: fragment.rank });
        }
        each!(for dim in 0..fragment.rank {
            if digits.dim(dim) != fragment.dims[dim] {
                let (size, multiple) = (digits.dim(dim), fragment.dims[dim]);
                return Err(FragmentError::Size { dim, size, multiple });
            }
        });
        if fragment.columns() > 1 {
            return Err(REGISTERS);
        }
        let mut access =
            SharedAccess { fragment: *fragment, shared: digits, bytes: bits / 8, vector: 1 };
        while access.bytes * access.vector < 16 && access.pairs(access.vector) {
            access.vector *= 2;
        }
        Ok(access)
    }

    /// Whether twice as many registers lie side by side, aligned.
    const fn pairs(&self, vector: Size) -> bool {
        let (warps, lanes, registers) =
            (self.fragment.warps(), self.fragment.lanes(), self.fragment.registers());
        if !registers.is_multiple_of(2 * vector) {
            return false;
        }
        each!(for warp in 0..warps {
            each!(for lane in 0..lanes {
                each!(for pair in 0..registers / (2 * vector) {
                    let first = self.offset(warp, lane, 2 * vector * pair);
                    let second = self.offset(warp, lane, 2 * vector * pair + vector);
                    match (first, second) {
                        (None, None) => {}
                        (Some(first), Some(second))
                            if first.is_multiple_of(2 * vector) && second == first + vector => {}
                        _ => return false,
                    }
                });
            });
        });
        true
    }

    const fn offset(&self, warp: Size, lane: Size, register: Size) -> Option<Size> {
        let index = some!(self.fragment.index(Holder::register(warp, lane, register)));
        self.shared.offset(index.as_slice())
    }

    /// Bytes that each lane moves in an instruction.
    pub const fn bytes_per_lane(&self) -> Size {
        self.bytes * self.vector
    }

    /// Instructions of all warps together.
    pub const fn instructions(&self) -> Size {
        self.fragment.warps() * (self.fragment.registers() / self.vector)
    }

    /// The byte address of each lane in an instruction, from the base of the array; `None` for a lane that does not take part.
    /// Instructions are counted warp by warp. `LANES` is the number of lanes of a warp.
    pub const fn addresses<const LANES: usize>(
        &self,
        direction: Direction,
        instruction: Size,
    ) -> [Option<Size>; LANES] {
        let each_warp = self.fragment.registers() / self.vector;
        let (warp, register) = (instruction / each_warp, instruction % each_warp * self.vector);
        let mut addresses = [None; LANES];
        each!(for lane in 0..LANES {
            let holder = Holder::register(warp, lane as Size, register);
            if let Some(index) = self.fragment.index(holder)
                && let Some(first) = self.fragment.holder(index.as_slice())
                && let Some(offset) = self.shared.offset(index.as_slice())
            {
                let is_first =
                    first.warp == warp && first.lane == holder.lane && first.register == register;
                if is_first || matches!(direction, Direction::Load) {
                    addresses[lane] = Some(offset * self.bytes);
                }
            }
        });
        addresses
    }
}
