//! The crate `tegra_swizzle`: surfaces of textures in blocks, and back.

use std::rc::Rc;

use tegra_swizzle::swizzle::{deswizzle_block_linear, swizzle_block_linear, swizzled_mip_size};
use tegra_swizzle::{BlockHeight, SwizzleError, block_height_mip0};

use crate::{Function, making, numbers, ours};

const OURS: &str = include_str!("../ours/tegra_swizzle.rs");

/// Width, height, depth, and bytes of an element.
const SURFACES: [[u32; 4]; 13] = [
    [16, 16, 1, 4],
    [32, 32, 1, 16],
    [128, 128, 1, 4],
    [128, 128, 1, 16],
    [312, 575, 1, 12],
    [512, 512, 1, 4],
    [256, 256, 1, 16],
    [1024, 1024, 1, 4],
    [1920, 1080, 1, 4],
    [16, 16, 16, 4],
    [64, 64, 64, 4],
    [1024, 1024, 1, 16],
    [4096, 4096, 1, 4],
];

type Theirs = fn(u32, u32, u32, &[u8], BlockHeight, u32) -> Result<Vec<u8>, SwizzleError>;
type Ours = fn([u32; 3], &[u8], [u32; 2], u32) -> Result<Vec<u8>, Box<dyn std::error::Error>>;

pub fn functions() -> Vec<Function> {
    let layout = "`U8[D,H,W·n]` → `{2,1,0:T(d,8·h,64)(8,32)(2,16)}`";
    let mut swizzle = Function::new("`swizzle_block_linear`", layout, 143, OURS);
    let mut deswizzle = Function::new("`deswizzle_block_linear`", "back", 143, OURS);
    for surface in SURFACES {
        let [width, height, depth, bytes] = surface;
        let linear = surface.map(|size| size as usize).iter().product();
        let blocks = swizzled_mip_size(width, height, depth, block_height_mip0(height), bytes);
        let ours = ours::tegra_swizzle::swizzle_block_linear;
        case(&mut swizzle, surface, [linear, linear], swizzle_block_linear, ours);
        let ours = ours::tegra_swizzle::deswizzle_block_linear;
        case(&mut deswizzle, surface, [linear, blocks], deswizzle_block_linear, ours);
    }
    vec![swizzle, deswizzle]
}

/// A surface of `size` bytes, of which a side reads `length`.
fn case(
    function: &mut Function,
    surface: [u32; 4],
    [size, length]: [usize; 2],
    theirs: Theirs,
    ours: Ours,
) {
    let [width, height, depth, bytes] = surface;
    let block_height = block_height_mip0(height);
    let block = [block_height as u32, block_depth(depth)];
    function.case(name(surface), size, move || {
        let from = Rc::new(numbers::<u8>(length));
        let again = from.clone();
        let theirs =
            move || theirs(width, height, depth, &from, block_height, bytes).expect("a surface");
        let ours = move || ours([width, height, depth], &again, block, bytes).expect("a surface");
        [making(theirs, |bytes| bytes), making(ours, |bytes| bytes)]
    });
}

fn name([width, height, depth, bytes]: [u32; 4]) -> String {
    let depth = if depth == 1 { String::new() } else { format!("×{depth}") };
    format!("{width}×{height}{depth} {bytes} B")
}

/// Slices of a block, which the crate chooses by itself.
fn block_depth(depth: u32) -> u32 {
    match depth + depth / 2 {
        16.. => 16,
        8.. => 8,
        4.. => 4,
        2.. => 2,
        _ => 1,
    }
}
