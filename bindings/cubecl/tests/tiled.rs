//! Against cubecl-std's own tiled layout, where it can say the layout: tiles that divide the array and one another.

mod device;

use cubecl::prelude::*;
use cubecl::server::Handle;
use cubecl::std::tensor::View;
use cubecl::std::tensor::launch::ViewArg;
use cubecl::std::tensor::layout::CoordsDyn;
use cubecl::std::tensor::layout::tiled_view::{TileSpec, TiledViewLayout};
use device::{Memory, units, unravel};
use layout::ArrayShape;
use layout_cubecl::{XlaLayout, XlaLayoutLaunch};

/// Whether two views have the same element everywhere.
#[cube(launch)]
fn compare(ours: View<'_, u32, CoordsDyn>, theirs: View<'_, u32, CoordsDyn>, out: &mut [u32]) {
    let at = ABSOLUTE_POS;
    if at * 2 < out.len() {
        let index = unravel(at as u32, &ours.shape());
        out[at * 2] = ours.read(index.clone());
        out[at * 2 + 1] = theirs.read(index);
    }
}

#[test]
fn as_the_tiled_layout_of_cubecl() {
    let Some(client) = device::client("as_the_tiled_layout_of_cubecl") else { return };
    // The array, the tiled axes, and the tiles, each a part of the one before.
    for (dims, start, tiles) in [
        (&[16, 32][..], 0, &[&[8, 16][..]][..]),
        (&[24, 40], 0, &[&[6, 10]]),
        (&[24, 40], 0, &[&[12, 20], &[6, 10]]),
        (&[16, 256], 0, &[&[8, 128], &[2, 1]]),
        (&[32, 32], 0, &[&[16, 16], &[8, 4], &[2, 2]]),
        (&[3, 16, 32], 1, &[&[8, 16]]),
        (&[2, 3, 12, 8], 2, &[&[6, 4], &[3, 2]]),
        (&[5, 24], 1, &[&[8], &[2]]),
        (&[4, 6, 8], 0, &[&[2, 3, 4]]),
    ] {
        let rank = dims.len();
        let levels: Vec<_> = tiles.iter().map(|tile| format!("({})", list(tile))).collect();
        let order: Vec<_> = (0..rank).rev().collect();
        let text = format!("u32[{}]{{{}:T{}}}", list(dims), list(&order), levels.concat());
        let shape: ArrayShape = text.parse().unwrap();
        let slots = shape.padded_elements().unwrap();

        // Counts of tiles, then each level within the one before.
        let mut physical = dims[..start].to_vec();
        let mut outer = dims[start..].to_vec();
        for tile in tiles {
            physical.extend(outer.iter().zip(*tile).map(|(outer, inner)| outer / inner));
            outer = tile.to_vec();
        }
        physical.extend(outer);
        let mut strides = vec![1; physical.len()];
        for i in (1..physical.len()).rev() {
            strides[i - 1] = strides[i] * physical[i];
        }

        let numbers: Vec<_> = (0..slots as u32).collect();
        let memory = Memory::of(&client, &numbers);
        let layout = XlaLayoutLaunch::try_from(&shape).unwrap();
        let theirs = tensor(&memory.handle, &strides, &physical);
        let ours = ViewArg::new_array::<XlaLayout<CoordsDyn>>(memory.argument(), layout);
        let spec =
            TileSpec { start_axis: start as u8, num_tiled: rank - start, levels: tiles.len() };
        let theirs = ViewArg::new_tensor::<TiledViewLayout>(theirs, spec);
        let out = Memory::of(&client, &vec![u32::MAX; 2 * slots]);
        let (count, dim) = units(slots);
        compare::launch(&client, count, dim, ours, theirs, out.argument());

        let mut seen = vec![false; slots];
        for (at, pair) in out.read().chunks(2).enumerate() {
            assert_eq!(pair[0], pair[1], "{text}: element {at}");
            seen[pair[0] as usize] = true;
        }
        assert!(seen.iter().all(|&seen| seen), "{text}");
    }
}

#[allow(unsafe_code, reason = "cubecl has no other way")]
fn tensor(handle: &Handle, strides: &[usize], shape: &[usize]) -> TensorArg {
    // SAFETY: the strides are those of contiguous memory of this shape, of which the buffer was made.
    unsafe { TensorArg::from_raw_parts(handle.clone(), strides.into(), shape.into()) }
}

fn list(numbers: &[usize]) -> String {
    numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(",")
}
