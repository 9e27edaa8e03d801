//! Layouts whose instructions are counted by `sass.py`: for each an offset, its inverse, and a kernel that copies a
//! row-major array into the layout. `by_hand.cu` has the same in CUDA C, and `cute.cu` with CuTe. On a processor it is a library
//! for `check.cpp`, which compares all three.

#![cfg_attr(any(target_arch = "nvptx64", target_arch = "amdgpu"), no_std, feature(abi_gpu_kernel))]
#![cfg_attr(
    any(target_arch = "nvptx64", target_arch = "amdgpu"),
    allow(improper_gpu_kernel_arg, reason = "pointers to structures of numbers are pointers")
)]
#![cfg_attr(
    not(any(target_arch = "nvptx64", target_arch = "amdgpu")),
    allow(dead_code, reason = "a processor has functions and no kernels")
)]
#![allow(unsafe_code, reason = "kernels get pointers")]
#![allow(missing_docs, reason = "the names of layouts and kernels")]

mod case;

use case::case;

case! { row_major, 2, u32: F32[4096,4096] }
case! { column_major, 2, u32: F32[4096,4096]{0,1} }
case! { t8x128, 2, u32: F32[4096,4096]{1,0:T(8,128)} }
case! { t8x128_2x1, 2, u16: BF16[4096,4096]{1,0:T(8,128)(2,1)} }
case! { t16x128_2x1, 2, u16: BF16[4096,4096]{1,0:T(16,128)(2,1)} }
case! { t32x128_4x1, 2, u8: S8[4096,4096]{1,0:T(32,128)(4,1)} }
case! { t4x8_2x1, 2, u16: F16[1024,768]{1,0:T(4,8)(2,1)} }
case! { t16x16, 2, u32: F32[1024,1024]{1,0:T(16,16)} }
case! { t2x2, 2, u32: F32[3,5]{1,0:T(2,2)} }
case! { t8x128_ragged, 2, u32: F32[300,500]{1,0:T(8,128)} }
case! { t8x128_2x1_ragged, 2, u16: BF16[1001,300]{1,0:T(8,128)(2,1)} }
case! { t6x100, 2, u32: F32[300,500]{1,0:T(6,100)} }
case! { t3x128, 2, u16: BF16[300,384]{1,0:T(3,128)} }
case! { column_t8x128, 2, u32: F32[4096,1000]{0,1:T(8,128)} }
case! { t1024, 1, u32: F32[100000]{0:T(1024)} }
case! { t1024_128_2x1, 1, u16: BF16[100000]{0:T(1024)(128)(2,1)} }
case! { batch, 3, u32: F32[16,512,1024]{2,1,0:T(8,128)} }
case! { batch_in_tile, 3, u32: F32[16,512,1024]{2,0,1:T(8,128)} }
case! { batch_ragged, 3, u16: BF16[7,300,500]{2,1,0:T(8,128)(2,1)} }
case! { combined, 3, u32: F32[7,5,256]{2,1,0:T(*,8,128)} }
case! { nhwc, 4, u32: F32[8,56,56,64]{3,2,1,0:T(8,128)} }
case! { batch_in_lanes, 4, u32: F32[8,56,56,64]{0,3,2,1:T(8,128)} }
case! { heads, 4, u16: BF16[4,16,2048,64]{2,3,1,0:T(8,128)(2,1)} }
case! { rows_unknown(m, n), 2, u32: F32[?,1024]{1,0:T(8,128)} }
case! { sizes_unknown(m, n), 2, u32: F32[?,?]{1,0:T(8,128)} }
case! { batch_unknown(b, m, n), 3, u16: BF16[?,?,?]{2,1,0:T(8,128)(2,1)} }
// Under swizzles, as tiles in shared memory are.
case! { rows_128b, 2, u16: F16[64,64]{1,0}, swizzle = 128B }
case! { rows_32b, 2, u8: S8[48,32]{1,0}, swizzle = 32B }
case! { atoms_of_32b, 2, u32: F32[64,32]{1,0}, swizzle = 128B_ATOM_32B }
case! { square, 2, u32: F32[32,32]{1,0}, swizzle = elements<5,0,5> }
case! { panels_64b, 2, u16: BF16[128,96]{1,0:T(128,32)}, swizzle = 64B }
case! { stages_128b, 3, u16: BF16[4,128,64]{2,1,0}, swizzle = 128B }
case! { swizzled_ragged, 2, u32: F32[60,100]{1,0:T(4,32)L(1024)}, swizzle = 128B }
case! { swizzled_unknown(m, n), 2, u16: F16[?,64]{1,0:T(8,64)}, swizzle = 128B }
