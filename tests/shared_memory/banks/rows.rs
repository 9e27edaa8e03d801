//! Rows of `conflicts.jsonl`: wavefronts by a brute force, and accesses and layouts of programs that Triton compiled to PTX.

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::Size;
use layout_gpu::banks::{Access, WarpAccess};
use layout_gpu::shared::{triton_nvmma_shared, triton_offset_bases, triton_swizzled_shared};
use layout_tests::lists::array;
use serde_json::Value;

use crate::shared::{mode, number, numbers, rows};

/// The addresses of a warp: of each lane, or of lane 0 with what each bit of the lane XORs it with.
fn addresses(row: &Value) -> [Size; 32] {
    if row["lanes"].is_null() {
        return numbers(&row["address"]).try_into().unwrap();
    }
    let lanes = numbers(&row["lanes"]);
    let bits = |lane: usize| (0..5).filter(move |bit| lane >> bit & 1 == 1);
    std::array::from_fn(|lane| bits(lane).fold(lanes[0], |at, bit| at ^ lanes[bit + 1]))
}

/// Compares the wavefronts of each phase and of all; the most of a phase.
fn assert_wavefronts(at: &[Option<Size>; 32], bytes: &Value, phases: &Value, all: &Value) -> Size {
    let access = WarpAccess::new(at, native(number(bytes))).unwrap();
    let found = (0..access.phases()).map(|phase| access.phase(phase).wavefronts() as Size);
    let found = found.collect::<Vec<_>>();
    let expected = (numbers(phases), number(all));
    assert_eq!((found, access.wavefronts() as Size), expected, "{at:?}");
    expected.0.into_iter().max().unwrap()
}

fn list<'a>(row: &'a Value, name: &str) -> &'a [Value] {
    row[name].as_array().unwrap()
}

#[test]
fn every_row_has_the_wavefronts_of_the_rule() {
    let brute = rows("conflicts", "brute");
    for row in &brute {
        let mut at = addresses(row).map(Some);
        if !row["active"].is_null() {
            let active = numbers(&row["active"]);
            (0..32).filter(|lane| !active.contains(lane)).for_each(|lane| at[native(lane)] = None);
        }
        assert_wavefronts(&at, &row["access_bytes"], &row["phase_max"], &row["wavefronts"]);
    }
    let (mut agreeing, mut instructions) = (0, 0);
    for row in rows("conflicts", "triton") {
        let each = list(&row, "accesses").iter().zip(list(&row, "wavefronts"));
        let each = each.map(|(of, all)| {
            instructions += 1;
            assert_wavefronts(&addresses(of).map(Some), &of["bytes"], &of["phase_max"], all)
        });
        // Elsewhere it counts accesses of 8 and 16 bytes as narrower ones, and is too high.
        let (most, said) = (each.max().unwrap(), number(&row["triton_bank_conflicts"]));
        assert!(said >= most - 1 && (said == most - 1) == (row["agrees"] == true), "{row}");
        agreeing += usize::from(row["agrees"] == true);
    }
    assert_eq!((brute.len(), agreeing, instructions), (750, 292, 2740));
}

#[test]
fn layouts_of_tritons_programs_have_the_addresses_of_their_ptx() {
    let mut compared = 0;
    for row in rows("conflicts", "triton") {
        let Some(shape) = layout(&row) else { continue };
        let digits = shape.digits().unwrap();
        let (bits, lanes) = (number(&row["element_bits"]), lanes(&row));
        for instruction in list(&row, "accesses") {
            let addresses = addresses(instruction);
            // The registers decide which element lane 0 has; it is that of its address.
            let first = digits.index(addresses[0] * 8 / bits).unwrap();
            let index = lanes.map(|[y, x]| Some([first[0] ^ y, first[1] ^ x]));
            // Triton permutes registers where a lane's bytes have its elements in another order.
            let bytes = number(&instruction["bytes"]).min(ordered_bytes(&row["shared"], bits));
            let found = Access::new(&index, native(bytes)).unwrap().addresses(&shape);
            let found = found.unwrap_or_else(|error| panic!("{row}: {shape}: {error}"));
            assert_eq!(*found.addresses(), addresses.map(Some), "{row}: {shape}");
        }
        compared += 1;
    }
    // In the others a bit of the offset is an XOR of several bits of coordinates.
    assert_eq!(compared, 242);
}

/// Coordinates of each lane, by which those of lane 0 are XORed.
fn lanes(row: &Value) -> [[Size; 2]; 32] {
    let blocked = &row["distributed"]["blocked"];
    std::array::from_fn(|lane| {
        let mut at = [0; 2];
        if blocked.is_null() {
            let bases = list(&row["distributed"]["linear"], "lanes").iter().map(numbers);
            for (_, basis) in bases.enumerate().filter(|(bit, _)| lane >> bit & 1 == 1) {
                at = [at[0] ^ basis[0], at[1] ^ basis[1]];
            }
            return at;
        }
        let mut left = lane as Size;
        for dim in numbers(&blocked["order"]).into_iter().map(native) {
            let [size, threads] =
                ["size_per_thread", "threads_per_warp"].map(|name| number(&blocked[name][dim]));
            // Where the array is smaller, lanes have copies.
            at[dim] = left % threads * size % number(&row["shape"][dim]);
            left /= threads;
        }
        at
    })
}

/// Bytes of elements that are surely in the order of one dimension.
fn ordered_bytes(shared: &Value, element_bits: Size) -> Size {
    let swizzled = &shared["swizzled"];
    if !shared["linear"].is_null() {
        element_bits / 8
    } else if !swizzled.is_null() && number(&swizzled["max_phase"]) > 1 {
        number(&swizzled["vec"]) * element_bits / 8
    } else {
        Size::MAX
    }
}

/// The layout by the functions of this library, if it has any: each bit of the offset is one of a coordinate.
fn layout(row: &Value) -> Option<ArrayShape> {
    let sizes = numbers(&row["shape"]);
    let plain = array(&format!("u{}[{},{}]", row["element_bits"], sizes[0], sizes[1]));
    let (kind, of) = row["shared"].as_object().unwrap().iter().next().unwrap();
    match kind.as_str() {
        "linear" => {
            let bases = list(of, "offset_bases").iter().map(numbers).collect::<Vec<_>>();
            triton_offset_bases(&plain, &bases).ok()
        }
        "swizzled" => {
            let [vec, per_phase, max_phase] =
                ["vec", "per_phase", "max_phase"].map(|name| number(&of[name]));
            let order = numbers(&of["order"]).into_iter().map(native).collect::<Vec<_>>();
            Some(triton_swizzled_shared(&plain, vec, per_phase, max_phase, &order).unwrap())
        }
        _ => {
            let swizzle = mode(number(&of["swizzle_bytes"]));
            Some(triton_nvmma_shared(&plain, swizzle, of["transposed"] == true).unwrap())
        }
    }
}
