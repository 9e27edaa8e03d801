//! The kernels, under the names by which a host finds them.

#![allow(
    clippy::missing_safety_doc,
    reason = "what the pointers are is said of the functions that each one calls"
)]

use crate::arrays::{Packed, PackedRagged, Tiled, TiledRagged};
use crate::copy;
use crate::thread::this;

/// Kernels that copy to a layout and back.
macro_rules! copies {
    ($($layout:ty, $element:ty: $to:ident $from:ident;)*) => {$(
        #[unsafe(no_mangle)]
        pub unsafe extern "gpu-kernel" fn $to(src: *const $element, dst: *mut $element) {
            // SAFETY: The host launches it with such pointers, and blocks for all slots.
            unsafe { copy::to_tiles::<$layout, $element>(this(), src, dst, Default::default()) }
        }

        #[unsafe(no_mangle)]
        pub unsafe extern "gpu-kernel" fn $from(src: *const $element, dst: *mut $element) {
            // SAFETY: The host launches it with such pointers, and blocks for all elements.
            unsafe { copy::from_tiles::<$layout, $element>(this(), src, dst) }
        }
    )*};
}

copies! {
    Tiled, f32: to_tiled from_tiled;
    TiledRagged, f32: to_tiled_ragged from_tiled_ragged;
    Packed, u16: to_packed from_packed;
    PackedRagged, u16: to_packed_ragged from_packed_ragged;
}

/// The kernels with shared memory.
#[cfg(target_arch = "nvptx64")]
mod shared {
    use crate::arrays::{HalfSquare, Square};
    use crate::shared::Block;
    use crate::thread::{this, wait_for_block};
    use crate::{product, tensor, transpose};

    /// Kernels that transpose arrays of so many elements in a word.
    macro_rules! transposes {
        ($($square:ty, $n:literal: $name:ident;)*) => {$(
            #[unsafe(no_mangle)]
            pub unsafe extern "gpu-kernel" fn $name(src: *const u32, dst: *mut u32, rows: u32, columns: u32) {
                let shared = Block::squares();
                // SAFETY: The host launches it with such pointers and sizes; between load and use there is a wait.
                unsafe {
                    transpose::load::<$square, $n>(this(), [rows, columns], src, &shared);
                    wait_for_block();
                    transpose::store::<$square, $n>(this(), [rows, columns], &shared, dst);
                }
            }
        )*};
    }

    transposes! {
        Square, 1: transpose;
        HalfSquare, 2: transpose_halves;
    }

    #[unsafe(no_mangle)]
    pub unsafe extern "gpu-kernel" fn product(
        a: *const f32,
        b: *const f32,
        c: *mut f32,
        rows: u32,
        depth: u32,
        columns: u32,
    ) {
        let product = product::Product::new(rows, depth, columns);
        let shared = Block::squares();
        let mut sums = [0.0; product::PER_THREAD];
        for step in 0..product.steps() {
            // SAFETY: The host launches it with such pointers and sizes; between loads and uses there is a wait.
            unsafe {
                product.load(this(), step, [a, b], &shared);
                wait_for_block();
                product.add(this(), &shared, &mut sums);
                wait_for_block();
            }
        }
        // SAFETY: As above.
        unsafe { product.store(this(), &sums, c) }
    }

    #[unsafe(no_mangle)]
    pub unsafe extern "gpu-kernel" fn tensor_product(
        a: *const u16,
        b: *const u16,
        c: *mut f32,
        rows: u32,
        depth: u32,
        columns: u32,
    ) {
        let product = tensor::Product::new(rows, depth, columns);
        let shared = Block::operands();
        let mut sums = tensor::Sums::default();
        // SAFETY: The host launches it with such pointers and sizes; between copies and uses there are waits.
        unsafe {
            product.copy(this(), 0, [a, b], &shared);
            shared.end_copies();
            for step in 0..product.steps() {
                // Past the last step these are zeros.
                product.copy(this(), step + 1, [a, b], &shared);
                shared.end_copies();
                shared.wait_for_copies();
                wait_for_block();
                product.add(this(), step, &shared, &mut sums);
                wait_for_block();
            }
            product.store(this(), &sums, c);
        }
    }
}
