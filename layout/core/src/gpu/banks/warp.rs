//! The rule of bank conflicts, for the addresses of a warp.

use crate::base::limits::Size;
use crate::base::text::part;
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
/// let access = WarpAccess::new(4, &addresses).unwrap();
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
        bytes: usize,
        addresses: &[Option<Size>; LANES],
    ) -> Result<WarpAccess, BankError> {
        ok!(check_bytes(bytes));
        each!(for lane in 0..LANES {
            if let Some(address) = addresses[lane]
                && address % bytes as Size != 0
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

    /// Number of phases: 1, 2 or 4. The lanes of a phase are consecutive.
    pub const fn phases(&self) -> usize {
        match self.bytes {
            16 => 4,
            8 => 2,
            _ => 1,
        }
    }

    /// Whether a lane is active and touches a word.
    pub const fn touches(&self, lane: usize, word: Size) -> bool {
        if lane >= LANES {
            return false;
        }
        match self.first_word(lane) {
            Some(first) => first <= word && word - first < self.words_of_lane(),
            None => false,
        }
    }

    const fn first_word(&self, lane: usize) -> Option<Size> {
        match self.addresses[lane] {
            Some(address) => Some(address / WORD_BYTES as Size),
            None => None,
        }
    }

    const fn words_of_lane(&self) -> Size {
        self.bytes.div_ceil(WORD_BYTES) as Size
    }

    /// The words of a phase; none if there is no such phase.
    pub const fn phase(&self, phase: usize) -> Phase {
        let mut touched = Phase { words: [[0; LANES]; BANKS], counts: [0; BANKS] };
        if phase >= self.phases() {
            return touched;
        }
        let lanes = LANES / self.phases();
        each!(for lane in phase * lanes..(phase + 1) * lanes {
            if let Some(first) = self.first_word(lane) {
                each!(for word in 0..self.words_of_lane() {
                    // An address is a multiple of the bytes, so that the last word exists.
                    touched.touch(first + word);
                });
            }
        });
        touched
    }

    /// Passes over the banks that the access takes: the sum over its phases.
    pub const fn wavefronts(&self) -> usize {
        let mut wavefronts = 0;
        each!(for phase in 0..self.phases() {
            wavefronts += self.phase(phase).wavefronts();
        });
        wavefronts
    }

    /// The fewest wavefronts of any placement of these words: one for each phase with an active lane.
    pub const fn ideal(&self) -> usize {
        let mut ideal = 0;
        let lanes = LANES / self.phases();
        each!(for phase in 0..self.phases() {
            each!(for lane in phase * lanes..(phase + 1) * lanes {
                if self.addresses[lane].is_some() {
                    ideal += 1;
                    break;
                }
            });
        });
        ideal
    }

    /// Wavefronts above the [ideal](Self::ideal).
    pub const fn conflicts(&self) -> usize {
        self.wavefronts() - self.ideal()
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
                    let first = number * (LANES / self.phases());
                    let lanes = [self.lane_of(first, words[0]), self.lane_of(first, words[1])];
                    found = Some(Meeting { phase: number, bank, lanes, words });
                }
            });
        });
        found
    }

    /// The first lane from `first` on that touches a word.
    const fn lane_of(&self, first: usize, word: Size) -> usize {
        each!(for lane in first..LANES {
            if self.touches(lane, word) {
                return lane;
            }
        });
        LANES
    }
}

/// There are accesses of 1, 2, 4, 8 and 16 bytes.
pub(super) const fn check_bytes(bytes: usize) -> Result<(), BankError> {
    if matches!(bytes, 1 | 2 | 4 | 8 | 16) { Ok(()) } else { Err(BankError::Bytes(bytes)) }
}

impl Phase {
    const fn touch(&mut self, word: Size) {
        let bank = (word % BANKS as Size) as usize;
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
