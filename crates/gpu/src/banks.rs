//! Bank conflicts: how many passes over the banks an access to shared memory takes.
//!
//! Shared memory of NVIDIA's GPUs has 32 banks of 4 bytes: word `w` (address / 4) is in bank `w % 32`. An access of a warp
//! runs in phases of consecutive lanes: one of 32 lanes for 1, 2 or 4 bytes a lane, two of 16 for 8 bytes, four of 8 for 16
//! bytes. If the active lanes of a phase touch different words of one bank, the phase takes a pass, a *wavefront*, for each of
//! these words; the bank with the most decides. Lanes that touch the same word share it. A phase without an active lane takes
//! no wavefront.
//!
//! * [`WarpAccess`] is the rule, for addresses.
//! * [`Access`] says which elements of an array the lanes access. The array gives the addresses, in any layout: swizzled,
//!   tiled, ragged, padded.
//! * [`assert_conflict_free`] stops the build at a conflict. The message says which lanes meet and what to write instead.
//! * [`search`] finds the swizzle and the padding with the fewest wavefronts.
//!
//! `ldmatrix` and `stmatrix` ([`Access::matrices`]) are accesses of 16 bytes. Phase `i` has the 8 row addresses of matrix `i`.
//!
//! # Examples
//! A warp reads a column of a tile of 32×32 floats. Rows are 128 bytes, so the whole column is in one bank:
//! ```
//! use layout::ArrayShape;
//! use layout_gpu::banks::{Access, search};
//!
//! let tile: ArrayShape = "f32[32,32]".parse()?;
//! let column = Access::parse("lane, 0", 4)?;
//! let row = Access::parse("0, lane", 4)?;
//! assert_eq!(column.addresses(&tile)?.wavefronts(), 32);
//! assert_eq!(column.addresses(&tile)?.conflicts(), 31);
//! assert_eq!(row.addresses(&tile)?.conflicts(), 0);
//!
//! // One more element in each row moves each row to the next bank.
//! let padded: ArrayShape = "f32[32,32]{1,0:PAD(32,33)}".parse()?;
//! assert_eq!(column.addresses(&padded)?.conflicts(), 0);
//!
//! // A swizzle takes no more memory: it XORs the column with the row.
//! let swizzled: ArrayShape = "f32[32,32], swizzle = elements<5,0,5>".parse()?;
//! assert_eq!(column.addresses(&swizzled)?.conflicts(), 0);
//! assert_eq!(row.addresses(&swizzled)?.conflicts(), 0);
//!
//! // The search finds both.
//! let found = search(&tile, &[column, row])?;
//! assert_eq!(found.swizzle.unwrap().shape, swizzled);
//! assert_eq!(found.padding.unwrap().shape, padded);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it counts
//! The rule is that of the CUDA programming guide; the phases are documented on NVIDIA's forum. Neither is measured here.
//! [`ideal`](WarpAccess::ideal) is the number of phases with an active lane: a phase touches at most 32 different words,
//! which are in 32 banks if they are placed well, so no placement takes fewer. [`conflicts`](WarpAccess::conflicts) are
//! the wavefronts above it, as Nsight Compute reports them.
//!
//! One exception is documented for compute capability 7.x and is not part of the rule: if for all active lanes `n` and
//! `n ^ 1`, or `n` and `n ^ 2`, have the same address, accesses of 8 and 16 bytes take half as many phases. So an
//! access that is repeated by neighbours may take fewer wavefronts than are counted here.

mod access;
mod check;
mod error;
mod lanes;
mod meeting;
mod search;
mod warp;

pub use access::{Access, Matrices};
pub use check::{assert_conflict_free, check_conflict_free};
pub use error::BankError;
pub use meeting::Meeting;
pub use search::{Remedy, Search, search};
pub use warp::{BANKS, LANES, Phase, WORD_BYTES, WarpAccess, Word};
