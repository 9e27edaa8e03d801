//! The rule of bank conflicts, for the addresses of a warp.

use crate::base::limits::Size;
use crate::base::text::part;
use crate::base::width::native;
use crate::gpu::banks::error::BankError;

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
/// use layout::Size;
/// use layout::gpu::banks::WarpAccess;
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
pub struct WarpAccess {
    bytes: usize,
    addresses: [Option<Size>; LANES],
}

/// The words that the lanes of one phase touch, bank by bank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phase {
    words: [[Size; LANES]; BANKS],
    counts: [usize; BANKS],
}

/// Two lanes that touch different words of one bank in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    /// The phase, the first is 0.
    pub phase: usize,
    /// The bank.
    pub bank: usize,
    /// The lanes.
    pub lanes: [usize; 2],
    /// Their words: addresses divided by 4.
    pub words: [Size; 2],
}

impl WarpAccess {
    /// An access of 1, 2, 4, 8 or 16 bytes a lane. Lanes without an address are not active.
    ///
    /// # Errors
    /// If there is no access of this many bytes, or if an address is not a multiple of them.
    pub const fn new(
        addresses: &[Option<Size>; LANES],
        bytes: usize,
    ) -> Result<WarpAccess, BankError> {
        if !matches!(bytes, 1 | 2 | 4 | 8 | 16) {
            return Err(BankError::Bytes(bytes));
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

    /// Bytes that a lane accesses.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }

    /// The address of each lane in bytes; `None` if it is not active.
    pub const fn addresses(&self) -> &[Option<Size>; LANES] {
        &self.addresses
    }

    /// Lanes of a phase, which are consecutive: 32, or 16 for 8 bytes a lane, or 8 for 16 bytes.
    pub const fn lanes_of_phase(&self) -> usize {
        match self.bytes {
            16 => 8,
            8 => 16,
            _ => 32,
        }
    }

    /// Number of phases: 1, 2 or 4.
    pub const fn phases(&self) -> usize {
        LANES / self.lanes_of_phase()
    }

    /// Whether a lane is active and touches a word.
    pub const fn touches(&self, lane: usize, word: Size) -> bool {
        lane < LANES && {
            let [first, end] = self.words(lane);
            first <= word && word < end
        }
    }

    /// The first word of a lane, and the one past its last.
    const fn words(&self, lane: usize) -> [Size; 2] {
        match self.addresses[lane] {
            Some(address) => {
                let first = address / WORD_BYTES as Size;
                [first, first + self.bytes.div_ceil(WORD_BYTES) as Size]
            }
            None => [0, 0],
        }
    }

    /// The words of a phase; none if there is no such phase.
    pub const fn phase(&self, phase: usize) -> Phase {
        let mut touched = Phase { words: [[0; LANES]; BANKS], counts: [0; BANKS] };
        each!(for lane in 0..LANES {
            if lane / self.lanes_of_phase() == phase {
                let [first, end] = self.words(lane);
                each!(for word in first..end {
                    touched.touch(word);
                });
            }
        });
        touched
    }

    /// Passes over the banks that the access takes: the sum over its phases.
    pub const fn wavefronts(&self) -> usize {
        self.count().0
    }

    /// The fewest wavefronts of any placement of these words: one for each phase with an active lane.
    pub const fn ideal(&self) -> usize {
        self.count().1
    }

    /// Wavefronts above the [ideal](Self::ideal).
    pub const fn conflicts(&self) -> usize {
        let (wavefronts, ideal) = self.count();
        wavefronts - ideal
    }

    /// The wavefronts, and the phases that have any.
    pub(super) const fn count(&self) -> (usize, usize) {
        let (mut wavefronts, mut phases) = (0, 0);
        each!(for phase in 0..self.phases() {
            let of_phase = self.phase(phase).wavefronts();
            wavefronts += of_phase;
            phases += (of_phase > 0) as usize;
        });
        (wavefronts, phases)
    }

    /// The first two lanes that meet in the bank with the most words; `None` if there are no conflicts.
    pub const fn meeting(&self) -> Option<Meeting> {
        let mut found = None;
        let mut most = 1;
        each!(for number in 0..self.phases() {
            let phase = self.phase(number);
            each!(for bank in 0..BANKS {
                if phase.counts[bank] > most {
                    most = phase.counts[bank];
                    let words = [phase.words[bank][0], phase.words[bank][1]];
                    let lanes = [self.lane_of(number, words[0]), self.lane_of(number, words[1])];
                    found = Some(Meeting { phase: number, bank, lanes, words });
                }
            });
        });
        found
    }

    /// The first lane of a phase that touches a word.
    const fn lane_of(&self, phase: usize, word: Size) -> usize {
        let mut lane = phase * self.lanes_of_phase();
        while lane < LANES && !self.touches(lane, word) {
            lane += 1;
        }
        lane
    }
}

impl Phase {
    const fn touch(&mut self, word: Size) {
        let bank = native(word % BANKS as Size);
        each!(for i in 0..self.counts[bank] {
            if self.words[bank][i] == word {
                return;
            }
        });
        // Each lane has at most one word in a bank.
        self.words[bank][self.counts[bank]] = word;
        self.counts[bank] += 1;
    }

    /// The different words that lanes touch in a bank, in the order of the lanes; none if there is no such bank.
    pub const fn words(&self, bank: usize) -> &[Size] {
        if bank < BANKS { part(&self.words[bank], 0, self.counts[bank]) } else { &[] }
    }

    /// Wavefronts of the phase: the most different words in one bank.
    pub const fn wavefronts(&self) -> usize {
        let mut most = 0;
        each!(for bank in 0..BANKS {
            if self.counts[bank] > most {
                most = self.counts[bank];
            }
        });
        most
    }
}
