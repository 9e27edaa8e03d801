//! Kernels that go through a layout, against the library's offsets: every element, every slot, and what is out of
//! bounds.

mod device;
mod layouts;

use cubecl::client::Client;
use cubecl::prelude::*;
use cubecl::std::tensor::ViewMut;
use cubecl::std::tensor::launch::ViewArg;
use cubecl::std::tensor::layout::{CoordsDyn, Layout, LayoutExpand};
use device::{Memory, units, unravel};
use layout::{ArrayShape, layout};
use layout_cubecl::{XlaLayout, XlaLayoutLaunch};

#[cube]
fn ravel(index: &CoordsDyn, shape: &CoordsDyn) -> u32 {
    let mut number = 0u32;
    #[unroll]
    for i in 0..shape.len() {
        number = number * shape[i] + index[i];
    }
    number
}

layout! {
    type Ragged = BF16[?,150]{1,0:T(8,128)(2,1)};
}

/// Writes the number of each element through a view, from 1 on.
#[cube(launch)]
fn write_elements(mut memory: ViewMut<'_, u32, CoordsDyn>, elements: u32) {
    let number = ABSOLUTE_POS as u32;
    if number < elements {
        let index = unravel(number, &memory.shape());
        memory.write(index, number + 1);
    }
}

/// The number of the element in each slot, from 1 on; 0 for padding, and `PAST_END` for what is not a slot.
#[cube(launch)]
fn read_slots(layout: XlaLayout<CoordsDyn>, out: &mut [u32]) {
    let slot = ABSOLUTE_POS;
    if slot < out.len() {
        let (index, is_element) = layout.to_pos_checked(slot);
        out[slot] = if is_element {
            ravel(&index, &layout.shape()) + 1
        } else if layout.is_padding(slot) {
            0u32.runtime()
        } else {
            PAST_END.runtime()
        };
    }
}

const PAST_END: u32 = u32::MAX;

/// The offset of each position of a larger array, and whether it is in bounds.
#[cube(launch)]
fn check_positions(layout: XlaLayout<CoordsDyn>, positions: &[u32], out: &mut [u32]) {
    let shape = layout.shape();
    let rank = shape.len();
    let at = ABSOLUTE_POS;
    if at * 2 < out.len() {
        let mut position = CoordsDyn::new();
        #[unroll]
        for i in 0..rank {
            position.push(positions[at * rank + i]);
        }
        let in_bounds = layout.is_in_bounds(position.clone());
        let (offset, is_checked) = layout.to_source_pos_checked(position);
        out[at * 2] = offset as u32;
        out[at * 2 + 1] = u32::cast_from(in_bounds) + 2 * u32::cast_from(is_checked);
    }
}

#[test]
fn every_element_slot_and_position() {
    let Some(client) = device::client("every_element_slot_and_position") else { return };
    let layouts = layouts::layouts(60);
    let mut slots = 0;
    for shape in &layouts {
        let layout = XlaLayoutLaunch::<CoordsDyn>::try_from(shape).unwrap();
        let dims: Vec<_> = shape.dims().iter().map(|dim| dim.size().unwrap()).collect();
        check(&client, shape, &dims, &layout);
        slots += shape.padded_elements().unwrap();
    }
    println!("{} layouts of {slots} slots on {}", layouts.len(), client.name());
}

#[test]
fn sizes_at_run_time() {
    let Some(client) = device::client("sizes_at_run_time") else { return };
    let all_dims = [[1, 1], [3, 5], [8, 16], [13, 40], [24, 7], [0, 9], [5, 0]];
    let layouts = include_str!("layouts/with_sizes_at_run_time.txt");
    for text in layouts.lines() {
        let shape: ArrayShape = text.parse().unwrap();
        for dims in all_dims {
            let layout = XlaLayoutLaunch::with_dims(&shape, &dims).unwrap();
            check(&client, &shape, &dims, &layout);
        }
    }
    for rows in [1, 7, 20] {
        let sized = Ragged::with_dims([rows, 150]).unwrap();
        let layout = XlaLayoutLaunch::try_from(sized).unwrap();
        check(&client, Ragged::SHAPE, &[rows, 150], &layout);
    }
}

fn check(client: &Client, shape: &ArrayShape, dims: &[usize], layout: &XlaLayoutLaunch<CoordsDyn>) {
    let known = shape.with_dims(dims).unwrap();
    let slots = known.padded_elements().unwrap();
    let digits = known.digits().unwrap();
    // Dimensions may be smaller than their bounds.
    let is_inside = |index: &[usize]| index.iter().zip(dims).all(|(i, size)| i < size);
    let number = |index: &[usize]| {
        1 + index.iter().zip(dims).fold(0, |number, (i, size)| number * size + i) as u32
    };
    let in_slot = |slot| {
        let index = digits.index(slot).filter(|index| is_inside(index));
        index.map_or(0, |index| number(&index))
    };
    let mut expected: Vec<_> = (0..slots).map(in_slot).collect();
    let elements = dims.iter().product();
    if elements > 0 {
        assert_eq!(write(client, slots, elements, layout), expected, "{known} {dims:?}: written");
    }
    expected.resize(slots + 70, PAST_END);
    assert_eq!(read(client, expected.len(), layout), expected, "{known} {dims:?}: read");

    let positions = positions(dims);
    let found = find(client, &positions, layout);
    for (position, [found, in_bounds]) in positions.iter().zip(found) {
        let offset = digits.offset(position).filter(|_| is_inside(position));
        assert_eq!(in_bounds, if offset.is_some() { 3 } else { 0 }, "{known}: {position:?}");
        assert!(offset.is_none_or(|offset| found as usize == offset), "{known}: {position:?}");
    }
}

/// Positions in and around an array, and far away from it.
fn positions(dims: &[usize]) -> Vec<Vec<usize>> {
    const FAR: [usize; 3] = [0x7fff_ffff, 0x8000_0000, 0xffff_ffff];
    let mut positions = vec![vec![]];
    for &size in dims {
        let near = [0, size / 2, size.saturating_sub(1), size, size + 1];
        let longer = |position: &Vec<usize>| near.map(|at| [&position[..], &[at]].concat());
        positions = positions.iter().flat_map(longer).collect();
        positions.sort();
        positions.dedup();
        positions.truncate(4000);
    }
    for far in FAR {
        for dim in 0..dims.len() {
            let mut position = vec![0; dims.len()];
            position[dim] = far;
            positions.push(position);
        }
        positions.push(vec![far; dims.len()]);
    }
    positions
}

fn write(
    client: &Client,
    slots: usize,
    elements: usize,
    layout: &XlaLayoutLaunch<CoordsDyn>,
) -> Vec<u32> {
    let memory = Memory::of(client, &vec![0; slots]);
    let (count, dim) = units(elements);
    let view = ViewArg::new_array::<XlaLayout<CoordsDyn>>(memory.argument(), layout.clone());
    write_elements::launch(client, count, dim, view, elements as u32);
    memory.read()
}

fn read(client: &Client, slots: usize, layout: &XlaLayoutLaunch<CoordsDyn>) -> Vec<u32> {
    let out = Memory::of(client, &vec![0x5555_5555; slots]);
    let (count, dim) = units(slots);
    read_slots::launch(client, count, dim, layout.clone(), out.argument());
    out.read()
}

/// Of each position the offset and what is in bounds.
fn find(
    client: &Client,
    positions: &[Vec<usize>],
    layout: &XlaLayoutLaunch<CoordsDyn>,
) -> Vec<[u32; 2]> {
    let flat: Vec<_> = positions.iter().flatten().map(|&i| i as u32).collect();
    let flat = Memory::of(client, &flat);
    let out = Memory::of(client, &vec![0x5555_5555; 2 * positions.len()]);
    let (count, dim) = units(2 * positions.len());
    let (flat, buffer) = (flat.argument(), out.argument());
    check_positions::launch(client, count, dim, layout.clone(), flat, buffer);
    out.read().chunks(2).map(|pair| [pair[0], pair[1]]).collect()
}
