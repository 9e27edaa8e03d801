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

#[cfg(target_arch = "nvptx64")]
#[unsafe(no_mangle)]
pub unsafe extern "gpu-kernel" fn product(
    a: *const f32,
    b: *const f32,
    c: *mut f32,
    rows: u32,
    depth: u32,
    columns: u32,
) {
    use crate::product::{PER_THREAD, Product};
    use crate::thread::wait_for_block;
    let product = Product::new(rows, depth, columns);
    let shared = crate::shared::Block::memory();
    let mut sums = [0.0; PER_THREAD];
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
