use layout::shape::{Dim, Tiles};
use layout::{ArrayShape, ElementType, Plan};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Blocks of `depth` by `8·height` rows of 64 bytes, which are tiles of 8 rows (GOBs) in pieces of 16 bytes.
fn blocks(
    [width, height, depth]: [u32; 3],
    [block_height, block_depth]: [u32; 2],
    bytes_per_pixel: u32,
) -> Result<[ArrayShape; 2]> {
    let dims = [depth, height, width * bytes_per_pixel].map(|size| Dim::Static(size as usize));
    let rows = ArrayShape::new(ElementType::U8, &dims)?;
    let block = [block_depth as usize, 8 * block_height as usize, 64];
    let tiles = Tiles::of(&[&block, &[8, 32], &[2, 16]])?;
    Ok([rows, rows.with_tiles(&tiles)?])
}

pub fn swizzle_block_linear(
    dims: [u32; 3],
    source: &[u8],
    block: [u32; 2],
    bytes_per_pixel: u32,
) -> Result<Vec<u8>> {
    let [rows, blocks] = blocks(dims, block, bytes_per_pixel)?;
    let mut swizzled = Vec::new();
    Plan::new(&rows, &blocks)?.run_bytes(source, &mut swizzled, 0)?;
    Ok(swizzled)
}

pub fn deswizzle_block_linear(
    dims: [u32; 3],
    source: &[u8],
    block: [u32; 2],
    bytes_per_pixel: u32,
) -> Result<Vec<u8>> {
    let [rows, blocks] = blocks(dims, block, bytes_per_pixel)?;
    let mut pixels = Vec::new();
    Plan::new(&blocks, &rows)?.run_bytes(source, &mut pixels, 0)?;
    Ok(pixels)
}
