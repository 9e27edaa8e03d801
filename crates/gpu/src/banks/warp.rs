//! The rule of bank conflicts, for the addresses of a warp.

use crate::banks::error::BankError;
use crate::banks::meeting::Meeting;
use layout_core::base::subslice;
use layout_core::base::width::native;
use layout_core::limits::Size;

/// Lanes of a warp.
pub const LANES: usize = 32;
/// Banks of shared memory.
pub const BANKS: usize = 32;
/// Bytes of a word: what a bank gives to a wavefront.
pub const WORD_BYTES: usize = 4;

/// An access of a warp to shared memory: the byte address of each lane, or none.
///
/// # Examples
/// ```
/// use layout::shape::Size;
/// use layout_gpu::banks::WarpAccess;
///
/// // Lane 0 reads 4 bytes at address 0, lane 1 at 128: words 0 and 32, which are both in bank 0.
/// let mut addresses = [None; 32];
/// (addresses[0], addresses[1]) = (Some(0), Some(128));
/// let access = WarpAccess::new(&addresses, 4).unwrap();
/// assert_eq!((access.wavefronts(), access.ideal(), access.conflicts()), (2, 1, 1));
/// let meeting = access.meeting().unwrap();
/// assert_eq!((meeting.bank, meeting.lanes, meeting.words), (0, [0, 1], [0, 32]));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
// Counted by the documented rule alone: 32 banks, phases of consecutive lanes, distinct words. The exception
// for pairs of lanes on compute capability 7.x is documented and not counted.
pub struct WarpAccess {
    bytes: usize,
    addresses: [Option<Size>; LANES],
}

/// The words that the lanes of one phase touch, by bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    words: [[Word; LANES]; BANKS],
    counts: [usize; BANKS],
}

/// A word that lanes of a phase touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its address divided by 4.
    pub number: Size,
    /// A bit for each lane that touches it, the lowest for lane 0.
    pub lanes: u32,
}

impl WarpAccess {
    /// An access of 1, 2, 4, 8 or 16 bytes a lane. Lanes without an address are not active.
    ///
    /// # Errors
    /// If a lane cannot access this many bytes at once, or if an address is not a multiple of them.
    pub const fn new(
        addresses: &[Option<Size>; LANES],
        bytes: usize,
    ) -> Result<WarpAccess, BankError> {
        if !matches!(bytes, 1 | 2 | 4 | 8 | 16) {
            return Err(BankError::Bytes { bytes });
        }
        each!(for lane in 0..LANES {
            if let Some(address) = addresses[lane]
                && !address.is_multiple_of(bytes as Size)
            {
                return Err(BankError::Misaligned { lane, address, bytes });
            }
        });
        Ok(WarpAccess { bytes, addresses: *addresses })
    }

    /// The address of each lane in bytes; `None` if it is not active.
    pub const fn addresses(&self) -> &[Option<Size>; LANES] {
        &self.addresses
    }

    /// Lanes of a phase, which are consecutive.
    const fn lanes_of_phase(&self) -> usize {
        match self.bytes {
            16 => 8,
            8 => 16,
            _ => 32,
        }
    }

    /// Number of phases: 1, or 2 for 8 bytes a lane, or 4 for 16 bytes.
    pub const fn phases(&self) -> usize {
        LANES / self.lanes_of_phase()
    }

    /// The words of a phase; none if the phase does not exist.
    pub const fn phase(&self, phase: usize) -> Phase {
        let none = Word { number: 0, lanes: 0 };
        let mut touched = Phase { words: [[none; LANES]; BANKS], counts: [0; BANKS] };
        each!(for lane in 0..LANES {
            if lane / self.lanes_of_phase() == phase
                && let Some(address) = self.addresses[lane]
            {
                let first = address / WORD_BYTES as Size;
                let count = self.bytes.div_ceil(WORD_BYTES) as Size;
                each!(for word in first..first + count {
                    touched.touch(word, lane);
                });
            }
        });
        touched
    }

    /// Passes over the banks that the access takes: the sum over its phases.
    pub const fn wavefronts(&self) -> usize {
        let mut sum = 0;
        each!(for phase in 0..self.phases() {
            sum += self.phase(phase).wavefronts();
        });
        sum
    }

    /// The fewest wavefronts of any placement of these words: one for each phase with an active lane.
    pub const fn ideal(&self) -> usize {
        let mut active = 0u32;
        each!(for lane in 0..LANES {
            if self.addresses[lane].is_some() {
                active |= 1 << (lane / self.lanes_of_phase());
            }
        });
        active.count_ones() as usize
    }

    /// Wavefronts above the [ideal](Self::ideal).
    pub const fn conflicts(&self) -> usize {
        self.wavefronts() - self.ideal()
    }

    /// The first two lanes that meet in the bank with the most words; `None` if there are no conflicts.
    pub const fn meeting(&self) -> Option<Meeting> {
        let mut found = None;
        let mut most = 1;
        each!(for phase in 0..self.phases() {
            let phase = self.phase(phase);
            each!(for bank in 0..BANKS {
                let words = phase.words(bank);
                if words.len() > most {
                    most = words.len();
                    let lanes = [words[0].first_lane(), words[1].first_lane()];
                    found =
                        Some(Meeting { bank, lanes, words: [words[0].number, words[1].number] });
                }
            });
        });
        found
    }
}

impl Phase {
    const fn touch(&mut self, number: Size, lane: usize) {
        let bank = native(number % BANKS as Size);
        let mut place = 0;
        while place < self.counts[bank] && self.words[bank][place].number != number {
            place += 1;
        }
        // Each lane has at most one word in a bank.
        if place == self.counts[bank] {
            self.words[bank][place].number = number;
            self.counts[bank] += 1;
        }
        self.words[bank][place].lanes |= 1 << lane;
    }

    /// The different words that lanes touch in a bank, in the order of the lanes; none if the bank does not exist.
    pub const fn words(&self, bank: usize) -> &[Word] {
        if bank < BANKS { subslice(&self.words[bank], 0, self.counts[bank]) } else { &[] }
    }

    /// Wavefronts of the phase: the most different words in one bank.
    pub const fn wavefronts(&self) -> usize {
        let mut most = 0;
        each!(for &count in &self.counts {
            if count > most {
                most = count;
            }
        });
        most
    }
}

impl Word {
    /// The first lane that touches it.
    pub const fn first_lane(&self) -> usize {
        self.lanes.trailing_zeros() as usize
    }
}
