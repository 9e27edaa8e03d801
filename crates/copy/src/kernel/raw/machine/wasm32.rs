//! WebAssembly: the vectors of 16 bytes of `simd128`. It has no words for stores around the cache and for asking for memory.

pub(in super::super) use core::arch::wasm32::v128;
use core::arch::wasm32::*;

use crate::kernel::raw::vector::Vector;

without_streams!();

pub(in super::super) use core::arch::wasm32::v128 as Smallest;

/// The instruction sets: see `machine/x86_64.rs`.
macro_rules! sets {
    ($then:ident) => {
        $then! { Simd128 "simd128" v128 all, Sixteen "simd128"; }
    };
}
pub(in crate::kernel) use sets;

impl Vector for v128 {
    const BYTES: usize = 16;
    const ZERO: Self = u64x2(0, 0);
    const SHUFFLES: bool = true;

    functions! {
        fn load(from: *const u8) -> Self { v128_load(from.cast()) }
        fn store(self, to: *mut u8) { v128_store(to.cast(), self) }
        fn up(self, shift: u32) -> Self { u64x2_shl(self, shift) }
        fn down(self, shift: u32) -> Self { u64x2_shr(self, shift) }
        fn minus(self, other: Self) -> Self { u64x2_sub(self, other) }
        fn select(self, mask: u64, other: Self) -> Self { v128_bitselect(self, other, u64x2_splat(mask)) }

        fn bytes(self, table: &[u8; 16]) -> Self { i8x16_swizzle(self, v128_load(table.as_ptr().cast())) }

        fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            let (a, b) = (self, other);
            match W {
                1 => (
                    i8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b),
                    i8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b),
                ),
                2 => (
                    i16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b),
                    i16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b),
                ),
                4 => (i32x4_shuffle::<0, 4, 1, 5>(a, b), i32x4_shuffle::<2, 6, 3, 7>(a, b)),
                _ => (i64x2_shuffle::<0, 2>(a, b), i64x2_shuffle::<1, 3>(a, b)),
            }
        }

        fn unzip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            let (a, b) = (self, other);
            match W {
                1 => (
                    i8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(a, b),
                    i8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(a, b),
                ),
                2 => (
                    i16x8_shuffle::<0, 2, 4, 6, 8, 10, 12, 14>(a, b),
                    i16x8_shuffle::<1, 3, 5, 7, 9, 11, 13, 15>(a, b),
                ),
                4 => (i32x4_shuffle::<0, 2, 4, 6>(a, b), i32x4_shuffle::<1, 3, 5, 7>(a, b)),
                _ => self.zip_lanes::<8>(other),
            }
        }
    }
}
