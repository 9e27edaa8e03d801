//! The order of dimensions that costs least.

use alloc::vec::Vec;

use crate::fault::Fault;
use crate::shape::{ArrayShape, Swizzle, Tiles};
use crate::tpu::{Tpu, minor_dims::Orders};

/// Ranks the default TPU layouts for every order of dimensions by their bytes in memory, the cheapest
/// first; equals are ranked as the compiler prefers them.
///
/// One order represents all orders with the same two most minor dimensions, which take the same bytes,
/// since tiles cover only these two.
///
/// # Errors
/// Those of [`with_default_layout`](ArrayShape::with_default_layout).
///
/// # Examples
/// ```
/// use layout::ArrayShape;
/// use layout::tpu::{Tpu, advise};
///
/// let shape: ArrayShape = "s32[8388608,8,4]".parse()?;
/// let ranked = advise(&shape, Tpu::V5e).unwrap();
/// let text = |number: usize| (ranked[number].to_string(), ranked[number].bytes().unwrap());
/// assert_eq!(text(0), ("s32[8388608,8,4]{0,2,1:T(4,128)}".to_owned(), 1 << 30));
/// assert_eq!(text(4), ("s32[8388608,8,4]{2,1,0:T(8,128)}".to_owned(), 32 << 30));
/// # Ok::<(), layout::Error>(())
/// ```
#[inline]
pub fn advise(shape: &ArrayShape, tpu: Tpu) -> Result<Vec<ArrayShape>, Fault> {
    shape.with_default_layout(tpu)?;
    let mut orders = Orders::new(shape.rank());
    let mut ranked = Vec::new();
    while let Some(order) = orders.next() {
        // A swizzle may need the tiles.
        let mut plain = *shape.fields();
        (plain.minor_to_major, plain.tiles, plain.swizzle) = (order, Tiles::NONE, Swizzle::NONE);
        let tiled = plain.checked().and_then(|plain| plain.with_default_tiling(tpu));
        // Layouts that are too large are left out.
        ranked.extend(tiled.and_then(|tiled| tiled.with_swizzle(shape.swizzle())).ok());
    }
    ranked.sort_by_key(ArrayShape::bytes);
    Ok(ranked)
}
