//! Blocks of Pallas kernels for TPUs: whether the compiler accepts them, what they take in VMEM, and which would fit.
//!
//! A kernel of Pallas runs once for each step of a grid. For each step a *block* of each operand is copied into VMEM, into a
//! *window*, which has two buffers if the block changes between steps. [`Kernel`] holds what decides: the grid and the
//! [`Operand`]s, each with its block and with the index map that places it ([`BlockIndex`]).
//!
//! ```
//! use layout::ElementType::{BF16, F32};
//! use layout::tpu::Tpu;
//! use layout_hlo::pallas::{Kernel, Operand, axis, zero};
//!
//! // x[i, k] @ w[k, 0], summed over k in a scratch of f32.
//! let operands = [
//!     Operand::input(BF16, &[4096, 4096]).block(&[axis(0).block(256), axis(1).block(512)]),
//!     Operand::input(BF16, &[4096, 128]).block(&[axis(1).block(512), zero().block(128)]),
//!     Operand::output(BF16, &[4096, 128]).block(&[axis(0).block(256), zero().block(128)]),
//!     Operand::scratch(F32, &[256, 128]),
//! ];
//! let kernel = Kernel::new(Tpu::V5e, &[16, 8], &operands);
//! assert_eq!(kernel.refusal(), None);
//! // Two buffers of 256 · 512 · 2 bytes.
//! assert_eq!(kernel.window_bytes(0), 524_288);
//! assert_eq!(kernel.vmem_bytes(), 1_048_576);
//! assert!(kernel.bound_bytes() <= kernel.limit_bytes());
//!
//! let operands = [Operand::input(F32, &[4096, 4096]).block(&[axis(0).block(100), axis(1).block(512)])];
//! assert_eq!(
//!     Kernel::new(Tpu::V5e, &[41, 8], &operands).refusal().unwrap().to_string(),
//!     "input 0: its block has 100 rows, dimension 0, which is neither a multiple of 8 nor the whole 4096; \
//!      96 or 104 would be legal",
//! );
//! ```
//!
//! At compile time, [`block_bytes`] gives the bytes of one buffer, so that a tile set that does not fit is a compile error:
//!
//! ```
//! use layout::ElementType::{BF16, F32};
//! use layout::shape::Size;
//! use layout_hlo::pallas::block_bytes;
//!
//! const TILES: Size = 2 * block_bytes(BF16, &[512, 1024]) + block_bytes(F32, &[512, 512]);
//! const _: () = assert!(TILES <= 4 << 20, "the tiles do not fit");
//! # assert_eq!(TILES, 3 << 20);
//! ```
//!
//! # What is known, and what is not
//!
//! The rules were found from 8,049 kernels that libtpu 0.0.52 compiled for v4, v5e, v5p, v6e and v7x (JAX 0.10.2).
//!
//! | number | is |
//! |---|---|
//! | [`refusal`](Kernel::refusal) | what the compiler refuses about blocks and memory. Of what it refuses about bodies only sums and products are known ([`Body`]) |
//! | [`vmem_bytes`](Kernel::vmem_bytes) | windows and scratch, exact where operands stay in HBM and the body only moves data |
//! | [`bound_bytes`](Kernel::bound_bytes) | what no kernel of 3,600 that were compiled exceeds: all scratch, and more than bodies that compute were seen to spill. A body can compute more values at once than those had: name them in [`intermediates`](Kernel::intermediates), or compile to be sure |
//!
//! XLA may keep a small operand in VMEM; the kernel then reads it there, without a window, if
//! [`is_in_place`](Kernel::is_in_place) says that it can. Which operands XLA keeps there is its own decision, so
//! [`vmem_bytes`](Kernel::vmem_bytes) counts on none, except those that [`Operand::in_vmem`] says.

#[cfg(feature = "serde")]
mod answer;
mod block;
mod dots;
mod fit;
mod index;
mod kernel;
mod memory;
mod operand;
mod refusal;
mod rules;
mod window;

#[cfg(feature = "serde")]
pub use answer::KernelAnswer;
pub use block::{BlockDim, BlockSize};
pub use fit::largest_block;
pub use index::{BlockIndex, IndexError, MAX_AXES, axis, zero};
pub use kernel::{Body, DYNAMIC, Kernel};
pub use operand::{MemorySpace, Operand, OperandRole};
pub use refusal::{Legal, Reason, Refusal};
pub use window::{block_bytes, window};
