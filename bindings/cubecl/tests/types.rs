//! Layouts of types, and coordinates of a fixed rank.

mod device;

use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords1d, Coords2d, Coords3d, CoordsDyn, Layout, LayoutExpand};
use device::Memory;
use layout::layout;
use layout_cubecl::{XlaLayout, XlaLayoutLaunch};

layout! {
    type Staged = U32[24,40]{1,0:T(8,16)};
}

/// Copies row-major memory into the layout of a type, through shared memory of the same layout.
#[cube(launch)]
fn stage(rows: &[u32], tiles: &mut [u32]) {
    let layout = XlaLayout::<Coords2d>::of::<2, Staged>();
    let mut shared = Shared::new_slice(comptime!(Staged::PADDED_ELEMENTS));
    let x = UNIT_POS;
    for y in 0..24 {
        let position = (y, x);
        if layout.is_in_bounds(position) {
            shared[layout.to_source_pos(position)] = rows[(y * 40 + x) as usize];
        }
    }
    sync_cube();
    let mut slot = UNIT_POS as usize;
    while slot < layout.slots() {
        if !layout.is_padding(slot) {
            tiles[slot] = shared[slot];
        }
        slot += 64;
    }
}

#[test]
fn a_type_inside_a_kernel() {
    let Some(client) = device::client("a_type_inside_a_kernel") else { return };
    let rows: Vec<_> = (0..24 * 40).collect();
    let source = Memory::of(&client, &rows);
    let target = Memory::of(&client, &vec![u32::MAX; Staged::PADDED_ELEMENTS]);
    let (count, dim) = (CubeCount::new_single(), CubeDim::new_1d(64));
    stage::launch(&client, count, dim, source.argument(), target.argument());
    for (slot, value) in target.read().into_iter().enumerate() {
        let expected = Staged::index(slot).map_or(u32::MAX, |[y, x]| rows[y * 40 + x]);
        assert_eq!(value, expected, "slot {slot}");
    }
}

/// Writes the offsets of all positions in coordinates of one dimension, and of three.
#[cube(launch)]
fn offsets(
    row: XlaLayout<Coords1d>,
    cube: XlaLayout<Coords3d>,
    dynamic: XlaLayout<CoordsDyn>,
    out: &mut [u32],
) {
    let at = ABSOLUTE_POS;
    let x = at as u32;
    let position = (x / 35, x / 7 % 5, x % 7);
    let mut sequence = CoordsDyn::new();
    sequence.push(x / 35);
    sequence.push(x / 7 % 5);
    sequence.push(x % 7);
    let (y, z) = (row.shape() as u32, cube.shape().1);
    out[at * 4] = row.to_source_pos(at) as u32;
    out[at * 4 + 1] = cube.to_source_pos(position) as u32;
    out[at * 4 + 2] = dynamic.to_source_pos(sequence) as u32;
    out[at * 4 + 3] = y * 1000 + z;
}

#[test]
fn coordinates_of_other_ranks() {
    let Some(client) = device::client("coordinates_of_other_ranks") else { return };
    type Row = layout!(F32[105]{0:T(32)(4)});
    type Cube = layout!(F32[3,5,7]{0,2,1:T(2,4)(2)});
    let out = Memory::of(&client, &[0; 4 * 105]);
    offsets::launch(
        &client,
        CubeCount::Static(3, 1, 1),
        CubeDim::new_1d(35),
        XlaLayoutLaunch::of::<_, Row>(),
        XlaLayoutLaunch::of::<_, Cube>(),
        XlaLayoutLaunch::of::<_, Cube>(),
        out.argument(),
    );
    for (x, found) in out.read().chunks(4).enumerate() {
        let cube = Cube::offset([x / 35, x / 7 % 5, x % 7]) as u32;
        assert_eq!(found, [Row::offset([x]) as u32, cube, cube, 105_005], "{x}");
    }
}
