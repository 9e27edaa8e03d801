//! Kernels for GPUs in Rust, over arrays whose layouts are types: the host that fills the arrays uses the same types.
//!
//! What a thread does is a function of [`Thread`](thread::Thread), so that a loop over threads runs it on a processor
//! too: `tests/on_cpu.rs` compares the results with the library's copies. `entries` has the kernels themselves, which
//! only a GPU has.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_gpu_kernel, asm_experimental_arch, stdarch_nvptx))]
#![cfg_attr(target_arch = "amdgpu", feature(abi_gpu_kernel, stdarch_amdgpu))]

pub mod access;
pub mod arrays;
pub mod copy;
#[cfg(any(target_arch = "nvptx64", target_arch = "amdgpu"))]
pub mod entries;
pub mod product;
pub mod shared;
pub mod tensor;
pub mod thread;
pub mod transpose;
