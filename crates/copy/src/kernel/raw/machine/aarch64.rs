//! AArch64: NEON's vectors of 16 bytes. `stnp` asks for stores around the cache, but Rust has no intrinsic for it; what asking
//! for memory gains was not measured.

pub(in super::super) use core::arch::aarch64::uint8x16_t;
use core::arch::aarch64::*;
use core::mem::{transmute, transmute_copy};

use crate::kernel::raw::vector::Vector;

without_streams!();

pub(in super::super) use core::arch::aarch64::uint8x16_t as Smallest;

/// The instruction sets: see `machine/x86_64.rs`.
macro_rules! sets {
    ($then:ident) => {
        $then! { Neon "neon" uint8x16_t all, Sixteen "neon"; }
    };
}
pub(in crate::kernel) use sets;

/// An operation on vectors of other elements.
macro_rules! of {
    ($operation:ident $($vector:expr),+) => {
        transmute_copy(&$operation($(transmute_copy(&$vector)),+))
    };
}

/// Two operations on two vectors, by the bytes of an element.
macro_rules! by_width {
    ($w:expr, $a:expr, $b:expr; $($width:literal $one:ident $two:ident)+) => {
        match $w {
            $($width => (of!($one $a, $b), of!($two $a, $b)),)+
            _ => unreachable!(),
        }
    };
}

impl Vector for uint8x16_t {
    const BYTES: usize = 16;
    // SAFETY: a vector is its bytes.
    const ZERO: Self = unsafe { transmute([0u8; 16]) };
    const SHUFFLES: bool = true;

    functions! {
        fn load(from: *const u8) -> Self { vld1q_u8(from) }
        fn store(self, to: *mut u8) { vst1q_u8(to, self) }
        fn up(self, shift: u32) -> Self { of!(vshlq_u64 self, vdupq_n_s64(shift.into())) }
        fn down(self, shift: u32) -> Self { of!(vshlq_u64 self, vdupq_n_s64(-i64::from(shift))) }
        fn minus(self, other: Self) -> Self { of!(vsubq_u64 self, other) }
        fn select(self, mask: u64, other: Self) -> Self { of!(vbslq_u64 vdupq_n_u64(mask), self, other) }

        fn bytes(self, table: &[u8; 16]) -> Self { vqtbl1q_u8(self, vld1q_u8(table.as_ptr())) }

        fn zip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            by_width!(W, self, other; 1 vzip1q_u8 vzip2q_u8 2 vzip1q_u16 vzip2q_u16 4 vzip1q_u32 vzip2q_u32
                8 vzip1q_u64 vzip2q_u64)
        }

        fn unzip_lanes<const W: usize>(self, other: Self) -> (Self, Self) {
            by_width!(W, self, other; 1 vuzp1q_u8 vuzp2q_u8 2 vuzp1q_u16 vuzp2q_u16 4 vuzp1q_u32 vuzp2q_u32
                8 vuzp1q_u64 vuzp2q_u64)
        }
    }
}
