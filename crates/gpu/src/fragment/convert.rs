//! From one fragment to another: by shuffles within warps, or through shared memory.

use super::build::Builder;
use super::{Axis, Fragment, FragmentError, Holder};
use layout_core::base::list::{List, same_numbers};
use layout_core::base::width::{greatest, least};
use layout_core::limits::{MAX_DIMS, MAX_SIZE, Size};

/// How an array is converted from one fragment to another.
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

impl Fragment {
    /// How the array is converted from this fragment to another one.
    ///
    /// Between fragments without copies no exchange takes fewer shuffles; with copies of lanes there may be one that does.
    ///
    /// # Errors
    /// If a fragment is one of tensor memory, or of an array with other dimensions.
    ///
    /// # Examples
    /// The result of one product as the left factor of the next, as attention has it: nothing moves.
    /// ```
    /// use layout_gpu::fragment::{Conversion, Fragment, FragmentError, Instruction, Operand, Warps};
    ///
    /// const MMA: Instruction = Instruction::mma([16, 8, 16], 16);
    /// const D: Fragment = FragmentError::or_panic(MMA.fragment(Operand::D, &[16, 16], Warps::ONE));
    /// const A: Fragment = FragmentError::or_panic(MMA.operand(Operand::A));
    /// assert_eq!(D.conversion(&A), Ok(Conversion::Same));
    ///
    /// // Rows that each lane has loaded at once.
    /// let rows = Fragment::blocked(&[16, 16], &[1, 8], &[16, 2], &[1, 1], &[1, 0])?;
    /// assert_eq!(rows.conversion(&A), Ok(Conversion::Shuffles(8)));
    /// # Ok::<(), layout_gpu::fragment::FragmentError>(())
    /// ```
    pub const fn conversion(&self, to: &Fragment) -> Result<Conversion, FragmentError> {
        refuse!(DIMS if !same_numbers(self.dims(), to.dims()));
        refuse!(REGISTERS if self.columns() > 1 || to.columns() > 1);
        let mut moves_lanes = false;
        let mut moves_registers = to.registers() != self.registers();
        each!(for number in 0..to.holders_in_registers() {
            let holder = to.nth_in_registers(number);
            if let Some(index) = to.index(holder)
                && let Some(source) = self.near(index.as_slice(), holder)
            {
                if source.warp != holder.warp {
                    return Ok(Conversion::SharedMemory);
                }
                moves_lanes |= source.lane != holder.lane;
                moves_registers |= source.register != holder.register;
            }
        });
        if !moves_lanes {
            return Ok(if moves_registers { Conversion::Registers } else { Conversion::Same });
        }
        let Some(exchange) = self.exchange(to) else { return Ok(Conversion::SharedMemory) };
        let mut shuffles = 0;
        each!(for round in 0..rounds(&exchange) {
            shuffles += self.moves(to, &exchange, round) as Size;
        });
        Ok(Conversion::Shuffles(shuffles))
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
        let exchange = some!(self.exchange(to));
        let mut left = number;
        each!(for round in 0..rounds(&exchange) {
            if self.moves(to, &exchange, round) {
                if left == 0 {
                    return self.taken(to, &exchange, round, Holder { warp, lane, ..to.first });
                }
                left -= 1;
            }
        });
        None
    }

    /// Another fragment, of the array in four dimensions: what registers count there and lanes here, what lanes count there and
    /// registers here, what else registers count there, and the rest. `None` if digits do not divide one another.
    const fn exchange(&self, to: &Fragment) -> Option<Fragment> {
        let Ok(mut builder) = Builder::new(&[]) else { return None };
        builder.fragment.dims = List::of(&[MAX_SIZE; MAX_DIMS], 4);
        builder.fragment.first = to.first;
        let mut sizes = [1; MAX_DIMS];
        each!(for b in to.digits() {
            if b.is_copy() {
                builder = builder.place(b.axis, b.stride, (0, 0), b.size());
            }
            each!(for a in self.digits() {
                // What both count. These parts together are the dimension: the digits divide one another if in each part
                // the ends do.
                let weight = greatest(a.digit.weight, b.digit.weight);
                let end = least(a.digit.weight * a.size(), b.digit.weight * b.size());
                if a.digit.dim == b.digit.dim && weight < end {
                    if !end.is_multiple_of(weight) {
                        return None;
                    }
                    let (stride, size) = (b.stride * (weight / b.digit.weight), end / weight);
                    let dim = match (a.axis, b.axis) {
                        (Axis::Lane, Axis::Register) => 0,
                        (Axis::Register, Axis::Lane) => 1,
                        (_, Axis::Register) => 2,
                        _ => 3,
                    };
                    builder = builder.place(b.axis, stride, (dim, sizes[dim]), size);
                    sizes[dim] *= size;
                }
            });
        });
        builder.fragment.dims = List::of(&sizes, 4);
        match builder.finish() {
            Ok(exchange) => Some(exchange),
            Err(_) => None,
        }
    }

    /// Whether a lane takes from another one in a round.
    const fn moves(&self, to: &Fragment, exchange: &Fragment, round: Size) -> bool {
        let lanes = to.lanes();
        each!(for thread in 0..to.warps() * lanes {
            let (warp, lane) = (thread / lanes, thread % lanes);
            if let Some(shuffle) =
                self.taken(to, exchange, round, Holder { warp, lane, ..to.first })
                && shuffle.source_lane != lane
            {
                return true;
            }
        });
        false
    }

    /// What a lane takes in a round. Lanes that take from the same one begin with different turns, so that it gives them one
    /// register at a time.
    const fn taken(
        &self,
        to: &Fragment,
        exchange: &Fragment,
        round: Size,
        lane: Holder,
    ) -> Option<Shuffle> {
        let own = some!(exchange.index(lane));
        let &[_, first, _, rest] = own.as_slice() else { return None };
        let turns = turns(exchange);
        let turn = (first + round) % turns;
        let holder = some!(exchange.near(&[turn, first, round / turns, rest], lane));
        let index = some!(to.index(holder));
        let source = some!(self.near(index.as_slice(), Holder { register: 0, ..lane }));
        Some(Shuffle {
            source_lane: source.lane,
            source_register: source.register,
            register: holder.register,
        })
    }
}

/// Lanes that each lane takes from, one after the other.
const fn turns(exchange: &Fragment) -> Size {
    greatest(exchange.dims()[0], exchange.dims()[1])
}

const fn rounds(exchange: &Fragment) -> Size {
    turns(exchange) * exchange.dims()[2]
}
