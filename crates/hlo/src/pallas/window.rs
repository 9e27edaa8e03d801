//! The layout of a block in VMEM.

use layout_core::limits::MAX_DIMS;
use layout_core::tpu::Tpu;
use layout_core::{ArrayShape, ElementType, Fault, Size};
use layout_core::{Dim, TileDim};

/// Elements in a row of a tile.
pub(super) const LANES: Size = 128;

/// The layout of one buffer of a block in VMEM: the tiles that the block's sizes have by default, whatever the tiles of the
/// array. In one dimension the tile is shorter than that of arrays in HBM. `pred` is `s32` there.
///
/// # Errors
/// If there are too many dimensions, if the block is too large, or if its elements have no default layout.
///
/// # Examples
/// ```
/// use layout::ElementType::{BF16, F32};
/// use layout_hlo::pallas::window;
///
/// assert_eq!(window(BF16, &[3, 200]).unwrap().to_string(), "bf16[3,200]{1,0:T(4,128)(2,1)}");
/// // In HBM: T(1024).
/// assert_eq!(window(F32, &[640]).unwrap().to_string(), "f32[640]{0:T(128)}");
/// ```
pub const fn window(element: ElementType, dims: &[Size]) -> Result<ArrayShape, Fault> {
    let element = if matches!(element, ElementType::PRED) { ElementType::S32 } else { element };
    // One more than the most is refused, as is any larger number.
    let rank = if dims.len() > MAX_DIMS { MAX_DIMS + 1 } else { dims.len() };
    let unknown = [Dim::Unbounded; MAX_DIMS + 1];
    let shape = ok!(ok!(ArrayShape::new(element, unknown.split_at(rank).0)).with_dims(dims));
    // The tiles are the same in all generations that have kernels.
    match shape.with_default_tiling(Tpu::V5e) {
        Ok(shape) if rank == 1 && !shape.tiles().is_empty() => {
            let bits = shape.element_bits();
            let length = TileDim::Size(LANES * if bits < 32 { 32 / bits } else { 1 });
            shape.with_tiles(&shape.tiles().with_dim(0, 0, length))
        }
        shape => shape,
    }
}

/// Bytes of one buffer of a block in VMEM, padding included; a squeezed dimension counts as 1. What is too large for any memory
/// has [`Size::MAX`] bytes.
///
/// # Examples
/// ```
/// use layout::ElementType::{BF16, S8};
/// use layout_hlo::pallas::block_bytes;
///
/// const _: () = assert!(block_bytes(BF16, &[256, 512]) == 262_144);
/// // 4 rows in the tile, not the 32 that an array of many rows has.
/// assert_eq!(block_bytes(S8, &[1, 128]), 512);
/// ```
pub const fn block_bytes(element: ElementType, dims: &[Size]) -> Size {
    match window(element, dims) {
        Ok(shape) => match shape.bytes() {
            Some(bytes) => bytes,
            None => Size::MAX,
        },
        Err(_) => Size::MAX,
    }
}
