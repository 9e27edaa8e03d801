//! The differences of neighbours along the rows of an image that lies in 8×128 tiles, on the host and on the GPU. One
//! type, `Image`, says where its elements are in both.

use std::error::Error;

use layout::{Buffer, View, layout};
use layout_gpu::code;
use wgpu_example::Gpu;

layout! {
    /// 300 rows of 500: neither is a multiple of the tile, so there is padding.
    type Image = F32[300,500]{1,0:T(8,128)};
}

/// The functions of the type, and a kernel that calls them.
const SHADER: [&str; 2] = [code!(Image, Wgsl, "image"), include_str!("difference.wgsl")];

/// Slots of a tile, which a workgroup takes.
const TILE: usize = 8 * 128;

fn main() -> Result<(), Box<dyn Error>> {
    let gpu = match Gpu::find() {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("SKIPPED: no Vulkan device: {error}");
            println!("The shader would be:\n\n{}", SHADER.concat());
            return Ok(());
        }
    };

    // Upload: from rows to tiles.
    let rows = (0..Image::ELEMENTS).map(|i| (i * i % 1009) as f32 / 8.0).collect::<Vec<_>>();
    let tiles = Buffer::<Image, f32>::from_row_major(&rows)?;
    let groups = [(Image::PADDED_ELEMENTS / TILE) as u32, 1, 1];
    let bytes = bytemuck::cast_slice(tiles.as_slice());
    let answer = gpu.run(&SHADER.concat(), &[bytes], Image::BYTES, groups)?;

    // Read back: the answer has the same layout.
    let answer = bytemuck::pod_collect_to_vec::<u8, f32>(&answer);
    let (found, host) = (View::<Image, f32>::new(&answer)?, tiles.as_view());
    for ([row, column], _) in Image::indices_row_major() {
        let next = host.get([row, column + 1]).copied().unwrap_or(0.0);
        let expected = next - host[[row, column]];
        let found = found[[row, column]];
        if found != expected {
            let fault = format!("[{row}, {column}] is {found}, and {expected} on the host");
            return Err(fault.into());
        }
    }
    let mut padding = (0..Image::PADDED_ELEMENTS).filter(|&slot| Image::is_padding(slot));
    if let Some(slot) = padding.find(|&slot| answer[slot] != 0.0) {
        return Err(format!("the padding at {slot} is {}", answer[slot]).into());
    }
    println!("{} differences on {} are those of the host", Image::ELEMENTS, gpu.name());
    Ok(())
}
