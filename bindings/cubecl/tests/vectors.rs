//! Memory of vectors.

mod device;

use cubecl::prelude::*;
use cubecl::std::tensor::launch::ViewArg;
use cubecl::std::tensor::layout::Coords2d;
use cubecl::std::tensor::{View, ViewMut};
use device::Memory;
use layout::ArrayShape;
use layout_cubecl::{XlaLayout, XlaLayoutLaunch};

/// Copies vectors from one layout into another one.
#[cube(launch)]
fn copy<N: Size>(
    source: View<'_, Vector<u32, N>, Coords2d>,
    mut target: ViewMut<'_, Vector<u32, N>, Coords2d>,
    #[comptime] along: usize,
) {
    let size = source.vector_size() as u32;
    let position = if comptime!(along == 1) {
        (ABSOLUTE_POS_Y, ABSOLUTE_POS_X * size)
    } else {
        (ABSOLUTE_POS_Y * size, ABSOLUTE_POS_X)
    };
    let value = source.read_checked(position);
    target.write_checked(position, value);
}

/// The row of the first element of each vector in memory.
#[cube(launch)]
fn first_rows(layout: XlaLayout<Coords2d>, out: &mut [u32]) {
    let slot = ABSOLUTE_POS_X as usize;
    if slot < layout.slots() {
        let (position, is_element) = layout.to_pos_checked(slot);
        out[slot] = if is_element { position.0 } else { 0xffff_ffffu32.runtime() };
    }
}

#[test]
fn vectors_of_elements() {
    let Some(client) = device::client("vectors_of_elements") else { return };
    // The second one has elements contiguous along the same dimension.
    for (source, target, along, sizes) in [
        ("u32[24,40]{1,0}", "u32[24,40]{1,0:T(8,16)}", 1, &[1, 2, 4][..]),
        ("u32[10,152]{1,0:T(8,128)}", "u32[10,152]{1,0:T(6,100)}", 1, &[1, 2, 4]),
        ("u32[24,40]{0,1:T(8,16)}", "u32[24,40]{0,1}", 0, &[1, 2, 4]),
        ("u32[10,18]{1,0:T(8,16)(2,2)}", "u32[10,18]{1,0}", 1, &[1, 2]),
        ("u32[10,16]{1,0:T(*,8)}", "u32[10,16]{1,0:T(*,4)(2,4)}", 1, &[1, 2, 4]),
    ] {
        let shapes: [ArrayShape; 2] = [source, target].map(|text| text.parse().unwrap());
        let [rows, columns] = [0, 1].map(|dim| shapes[0].dims()[dim].size().unwrap());
        let digits = shapes.map(|shape| shape.digits().unwrap());
        let slots = shapes.map(|shape| shape.padded_elements().unwrap());
        let numbers: Vec<_> = (0..slots[0] as u32).map(|slot| slot + 1).collect();
        let expected: Vec<_> = (0..slots[1])
            .map(|slot| {
                let index = digits[1].index(slot);
                index.map_or(0, |index| numbers[digits[0].offset(&index).unwrap()])
            })
            .collect();
        for &size in sizes {
            let memory = [Memory::of(&client, &numbers), Memory::of(&client, &vec![0; slots[1]])];
            let layout = |at: usize| {
                let layout = XlaLayoutLaunch::<Coords2d>::try_from(&shapes[at]).unwrap();
                layout.with_vector_size(size).unwrap()
            };
            let view = |at: usize| {
                ViewArg::new_array::<XlaLayout<Coords2d>>(memory[at].argument(), layout(at))
            };
            let units = CubeCount::Static(columns as u32 / 8 + 1, rows as u32 / 4 + 1, 1);
            copy::launch(&client, units, CubeDim::new_2d(8, 4), size, view(0), view(1), along);
            assert_eq!(memory[1].read(), expected, "{source} to {target} by {size}");

            let out = Memory::of(&client, &vec![0; slots[1] / size]);
            let (count, dim) = device::units(slots[1] / size);
            first_rows::launch(&client, count, dim, layout(1), out.argument());
            for (vector, row) in out.read().into_iter().enumerate() {
                let index = digits[1].index(vector * size);
                let expected = index.map_or(u32::MAX, |index| index[0] as u32);
                assert_eq!(row, expected, "{target} {vector}");
            }
        }
    }
}
