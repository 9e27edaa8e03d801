//! Layouts of types, coordinates of a fixed rank, and sizes that are known at run time only.

mod device;

use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::std::tensor::layout::{Coords1d, Coords2d, Coords3d, CoordsDyn, Layout, LayoutExpand};
use device::Memory;
use layout::{ArrayShape, layout};
use layout_cubecl::{XlaLayout, XlaLayoutLaunch};

layout! {
    type Staged = U32[24,40]{1,0:T(8,16)};
    type Ragged = BF16[?,150]{1,0:T(8,128)(2,1)};
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

/// Writes the row-major number of each position, from 1 on.
#[cube(launch)]
fn number_2d(layout: XlaLayout<Coords2d>, out: &mut [u32]) {
    let position = (ABSOLUTE_POS_Y, ABSOLUTE_POS_X);
    let (offset, in_bounds) = layout.to_source_pos_checked(position);
    let (height, width) = layout.shape();
    let is_inside = ABSOLUTE_POS_Y < height && ABSOLUTE_POS_X < width;
    if in_bounds && is_inside {
        out[offset] = ABSOLUTE_POS_Y * width + ABSOLUTE_POS_X + 1;
    } else if in_bounds != is_inside {
        out[0] = 0xffff_ffff;
    }
}

/// The same the other way round.
#[cube(launch)]
fn slots_2d(layout: XlaLayout<Coords2d>, out: &mut [u32]) {
    let slot = ABSOLUTE_POS_X as usize;
    if slot < layout.slots() {
        let (position, is_element) = layout.to_pos_checked(slot);
        let (y, x) = position;
        let (_, width) = layout.shape();
        out[slot] = if is_element { y * width + x + 1 } else { 0u32.runtime() };
        if layout.is_padding(slot) == is_element {
            out[slot] = 0xffff_ffff;
        }
    }
}

fn check_2d(
    client: &Client,
    shape: &ArrayShape,
    dims: [usize; 2],
    layout: XlaLayoutLaunch<Coords2d>,
) {
    let known = shape.with_dims(&dims).unwrap();
    let slots = known.padded_elements().unwrap();
    let digits = known.digits().unwrap();
    let expected: Vec<_> = (0..slots)
        .map(|slot| match digits.index(slot) {
            Some(index) if index[0] < dims[0] && index[1] < dims[1] => {
                (index[0] * dims[1] + index[1] + 1) as u32
            }
            _ => 0,
        })
        .collect();
    let memory = Memory::of(client, &vec![0; slots]);
    // More units than positions: what is out of bounds is not written.
    let (width, height) = (dims[1] as u32 / 16 + 2, dims[0] as u32 + 3);
    let all = CubeCount::Static(width, height, 1);
    number_2d::launch(client, all, CubeDim::new_2d(16, 1), layout.clone(), memory.argument());
    assert_eq!(memory.read(), expected, "{shape} of {dims:?}: written");
    let all = CubeCount::Static(slots as u32 / 16 + 1, 1, 1);
    slots_2d::launch(client, all, CubeDim::new_2d(16, 1), layout, memory.argument());
    assert_eq!(memory.read(), expected, "{shape} of {dims:?}: read");
}

#[test]
fn sizes_at_run_time() {
    let Some(client) = device::client("sizes_at_run_time") else { return };
    let all_dims = [[1, 1], [3, 5], [8, 16], [13, 40], [24, 7], [0, 9], [5, 0]];
    let layouts = [
        "f32[?,?]{1,0}",
        "f32[?,?]{0,1}",
        "f32[?,?]{1,0:T(8,16)}",
        "f32[?,?]{0,1:T(8,16)}",
        "f32[?,?]{1,0:T(3,5)}",
        "f32[?,?]{1,0:T(4)}",
        "bf16[?,?]{1,0:T(8,16)(2,1)}",
        "bf16[?,?]{0,1:T(4,6)(4,2)}",
        "f32[?,?]{1,0:T(*,8)}",
        "f32[?,?]{1,0:T(*,6)(4)}",
        "f32[?,?]{1,0:T(8,16)L(1024)}",
        "f32[?,?]{1,0:L(6)}",
        "f32[<=24,<=40]{1,0:T(8,16)}",
        "f32[<=24,?]{0,1:T(3,4)}",
    ];
    for text in layouts {
        let shape: ArrayShape = text.parse().unwrap();
        for dims in all_dims {
            let layout = XlaLayoutLaunch::with_dims(&shape, &dims).unwrap();
            check_2d(&client, &shape, dims, layout);
        }
    }
    for rows in [1, 7, 20] {
        let sized = Ragged::with_dims([rows, 150]).unwrap();
        let layout = XlaLayoutLaunch::try_from(sized).unwrap();
        check_2d(&client, Ragged::SHAPE, [rows, 150], layout);
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
