//! The differences of neighbours along the rows of an image that lies in 8×128 tiles, on the host and on the GPU. One
//! type, `Image`, says where its elements are in both.

use std::process::ExitCode;

use layout::types::RowMajorOf;
use layout::{Buffer, Padding, View, code, layout, relayout};
use wgpu_example::Gpu;

layout! {
    /// 300 rows of 500: neither is a multiple of the tile, so there is padding.
    type Image = F32[300,500]{1,0:T(8,128)};
}

/// The image as a program has it, row after row.
type Rows = RowMajorOf<Image>;

/// The functions of the type, and a kernel that calls them.
const SHADER: [&str; 2] = [code!(Image, Wgsl, "image"), include_str!("difference.wgsl")];

/// Slots of a tile, which a workgroup takes.
const TILE: usize = 8 * 128;

fn main() -> ExitCode {
    let gpu = match Gpu::find() {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("SKIPPED: no Vulkan device: {error}");
            println!("The shader would be:\n\n{}", SHADER.concat());
            return ExitCode::SUCCESS;
        }
    };
    match differences(&gpu) {
        Ok(count) => {
            println!("{count} differences on {} are those of the host", gpu.name());
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Computes them in both places; the number of those that are equal, which is all.
fn differences(gpu: &Gpu) -> Result<usize, String> {
    let rows = (0..Rows::PADDED_ELEMENTS).map(|i| (i * i % 1009) as f32 / 8.0).collect::<Vec<_>>();

    // Upload: from rows to tiles.
    let mut tiles = Buffer::<Image, f32>::zeroed();
    relayout::<Rows, Image, f32>(&rows, tiles.as_mut_slice(), Padding::Zero)
        .map_err(|error| error.to_string())?;
    let groups = [(Image::PADDED_ELEMENTS / TILE) as u32, 1, 1];
    let bytes = bytemuck::cast_slice(tiles.as_slice());
    let answer = gpu.run(&SHADER.concat(), &[bytes], Image::BYTES, groups)?;

    // Read back: the answer has the same layout.
    let answer = bytemuck::pod_collect_to_vec::<u8, f32>(&answer);
    let found = View::<Image, f32>::new(&answer).map_err(|error| error.to_string())?;
    let host = View::<Rows, f32>::new(&rows).map_err(|error| error.to_string())?;
    let mut count = 0;
    for row in 0..Image::DIMS[0] {
        for column in 0..Image::DIMS[1] {
            let next = if column + 1 < Image::DIMS[1] { host[[row, column + 1]] } else { 0.0 };
            let expected = next - host[[row, column]];
            let found = found[[row, column]];
            if found != expected {
                return Err(format!("[{row}, {column}] is {found}, and {expected} on the host"));
            }
            count += 1;
        }
    }
    if let Some(slot) =
        (0..Image::PADDED_ELEMENTS).find(|&slot| Image::is_padding(slot) && answer[slot] != 0.0)
    {
        return Err(format!("the padding at {slot} is {}", answer[slot]));
    }
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::{Gpu, Image, differences};

    #[test]
    fn the_gpu_says_what_the_host_says() {
        match Gpu::find() {
            Ok(gpu) => assert_eq!(differences(&gpu), Ok(Image::ELEMENTS)),
            Err(error) => println!("SKIPPED: no Vulkan device: {error}"),
        }
    }
}
