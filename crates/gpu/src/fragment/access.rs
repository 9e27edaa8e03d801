//! A fragment in shared memory: the accesses that write and read it.

use super::{Fragment, FragmentError, Holder};
use crate::banks::{BankError, WarpAccess};
use layout_core::base::list::same_numbers;
use layout_core::base::width::native;
use layout_core::limits::Size;
use layout_core::{ArrayShape, Digits};

/// Whether a fragment is written to memory or read from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// From registers to memory: of several holders of an element, the first one writes.
    Store,
    /// From memory to registers: every holder reads.
    Load,
}

/// The accesses that write a fragment to a layout of shared memory, or read it: for each instruction the addresses of
/// the lanes.
///
/// Each instruction moves as many registers of a lane as lie side by side in memory, at most 16 bytes.
///
/// # Examples
/// ```
/// use layout_gpu::fragment::{Direction, Fragment, FragmentError, Instruction, Operand, SharedAccess};
///
/// const MMA: Instruction = Instruction::mma([16, 8, 16], 16);
/// const A: Fragment = FragmentError::or_panic(MMA.operand(Operand::A));
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
        let Ok(digits) = shared.digits() else { return Err(FragmentError::NUMBER) };
        refuse!(LAYOUT if bits == 0 || !bits.is_multiple_of(8));
        refuse!(DIMS if !same_numbers(fragment.dims(), digits.dims()));
        refuse!(REGISTERS if fragment.columns() > 1);
        let (fragment, bytes) = (*fragment, bits / 8);
        let mut access = SharedAccess { fragment, shared: digits, bytes, vector: 1 };
        while access.bytes_per_lane() < 16 && access.joins() {
            access.vector *= 2;
        }
        Ok(access)
    }

    /// Whether each two vectors of registers lie side by side, aligned.
    const fn joins(&self) -> bool {
        let (single, double) = (self.vector, 2 * self.vector);
        if !self.fragment.registers().is_multiple_of(double) {
            return false;
        }
        each!(for number in 0..self.fragment.holders_in_registers() / double {
            let first = self.fragment.nth_in_registers(number * double);
            let second = Holder { register: first.register + single, ..first };
            match (self.offset(first), self.offset(second)) {
                (None, None) => {}
                (Some(first), Some(second))
                    if first.is_multiple_of(double) && second == first + single => {}
                _ => return false,
            }
        });
        true
    }

    const fn offset(&self, holder: Holder) -> Option<Size> {
        self.shared.offset(some!(self.fragment.index(holder)).as_slice())
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
        let is_load = matches!(direction, Direction::Load);
        let mut addresses = [None; LANES];
        each!(for lane in 0..LANES {
            let holder = Holder::register(warp, lane as Size, register);
            let takes_part = is_load || self.fragment.is_first(holder);
            if takes_part && let Some(offset) = self.offset(holder) {
                addresses[lane] = Some(offset * self.bytes);
            }
        });
        addresses
    }
}

/// On NVIDIA's GPUs, whose warps have 32 lanes.
impl SharedAccess {
    /// The access of a warp in an instruction, whose bank conflicts can be counted.
    ///
    /// # Errors
    /// If a lane does not move 1, 2, 4, 8 or 16 bytes.
    pub const fn warp_access(
        &self,
        direction: Direction,
        instruction: Size,
    ) -> Result<WarpAccess, BankError> {
        let addresses = self.addresses(direction, instruction);
        WarpAccess::new(&addresses, native(self.bytes_per_lane()))
    }

    /// Wavefronts of all instructions: the round trip through shared memory between two fragments takes those of storing the
    /// one and of loading the other.
    ///
    /// # Errors
    /// If a lane does not move 1, 2, 4, 8 or 16 bytes.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::{Direction, Instruction, Operand, SharedAccess, Warps};
    ///
    /// // The result of a product, in words of two elements: each instruction writes to eight rows.
    /// let mma = Instruction::mma([16, 8, 16], 16);
    /// let result = mma.fragment(Operand::D, &[64, 64], Warps::ONE)?;
    /// let store = SharedAccess::new(&result, &"f16[64,64]".parse()?)?;
    /// assert_eq!((store.instructions(), store.wavefronts(Direction::Store)), (64, Ok(512)));
    /// let store = SharedAccess::new(&result, &"f16[64,64], swizzle = 128B".parse()?)?;
    /// assert_eq!(store.wavefronts(Direction::Store), Ok(64));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn wavefronts(&self, direction: Direction) -> Result<Size, BankError> {
        let mut wavefronts = 0;
        each!(for instruction in 0..self.instructions() {
            wavefronts += ok!(self.warp_access(direction, instruction)).wavefronts() as Size;
        });
        Ok(wavefronts)
    }
}

impl Fragment {
    /// Whether a holder is the first of an element.
    const fn is_first(&self, holder: Holder) -> bool {
        if let Some(index) = self.index(holder)
            && let Some(first) = self.holder(index.as_slice())
        {
            return same_numbers(&first.numbers(), &holder.numbers());
        }
        false
    }
}
