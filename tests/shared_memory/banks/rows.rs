//! Rows of `conflicts.jsonl`: wavefronts, and the layouts of Triton's programs.

use layout::__private::core::native;
use layout::ArrayShape;
use layout::shape::Size;
use layout_gpu::banks::{Access, WarpAccess};
use layout_gpu::shared::{triton_nvmma_shared, triton_offset_bases, triton_swizzled_shared};
use layout_tests::data::json;
use layout_tests::lists::array;
use serde::Deserialize;

use crate::shared::mode;

/// A row of `conflicts.jsonl`: of a brute force by the rule of banks, or of a program that Triton compiled to PTX.
#[derive(Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
enum Row {
    Brute(Brute),
    Triton(Triton),
}

#[derive(Deserialize)]
struct Brute {
    pattern: String,
    access_bytes: usize,
    address: [Size; 32],
    active: Option<Vec<usize>>,
    phase_max: Vec<usize>,
    wavefronts: usize,
}

#[derive(Deserialize)]
struct Triton {
    element_bits: Size,
    shape: [Size; 2],
    distributed: Distributed,
    shared: Shared,
    triton_bank_conflicts: usize,
    agrees: bool,
    wavefronts: Vec<usize>,
    accesses: Vec<Instruction>,
}

/// An instruction of a warp.
#[derive(Deserialize)]
struct Instruction {
    bytes: usize,
    /// The address of lane 0, and what each bit of the lane XORs it with.
    lanes: Option<[Size; 6]>,
    /// The addresses themselves, where they are not of this form.
    address: Option<[Size; 32]>,
    phase_max: Vec<usize>,
}

/// Which elements the lanes have, relative to those of lane 0.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Distributed {
    Linear { lanes: [[Size; 2]; 5] },
    Blocked { size_per_thread: [Size; 2], threads_per_warp: [Size; 2], order: [usize; 2] },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Shared {
    /// The coordinates of the element whose offset has one bit.
    Linear {
        offset_bases: Vec<[Size; 2]>,
    },
    Swizzled {
        vec: Size,
        per_phase: Size,
        max_phase: Size,
        order: [usize; 2],
    },
    Nvmma {
        swizzle_bytes: Size,
        transposed: bool,
    },
}

fn all_active(addresses: [Size; 32]) -> [Option<Size>; 32] {
    addresses.map(Some)
}

fn by_phase(access: &WarpAccess) -> Vec<usize> {
    (0..access.phases()).map(|phase| access.phase(phase).wavefronts()).collect()
}

#[test]
fn every_row_has_the_wavefronts_of_the_rule() {
    let (mut brute, mut agreeing, mut instructions, mut wrong) = (0, 0, 0, Vec::new());
    for (number, row) in json::<Row>("swizzle/conflicts.jsonl").iter().enumerate() {
        match row {
            Row::Brute(row) => {
                let mut addresses = all_active(row.address);
                if let Some(active) = &row.active {
                    for lane in (0..32).filter(|lane| !active.contains(lane)) {
                        addresses[lane] = None;
                    }
                }
                let access = WarpAccess::new(&addresses, row.access_bytes).unwrap();
                let found = (by_phase(&access), access.wavefronts());
                if found != (row.phase_max.clone(), row.wavefronts) {
                    wrong.push(format!("row {number}, {}: {found:?}", row.pattern));
                }
                brute += 1;
            }
            Row::Triton(row) => {
                let mut most = 0;
                for (instruction, &wavefronts) in row.accesses.iter().zip(&row.wavefronts) {
                    let addresses = all_active(instruction.addresses());
                    let access = WarpAccess::new(&addresses, instruction.bytes).unwrap();
                    let found = (by_phase(&access), access.wavefronts());
                    if found != (instruction.phase_max.clone(), wavefronts) {
                        wrong.push(format!("row {number}: {found:?}"));
                    }
                    most = most.max(found.0.into_iter().max().unwrap());
                    instructions += 1;
                }
                // Elsewhere it counts accesses of 8 and 16 bytes as narrower ones, and is too high.
                if row.agrees {
                    assert_eq!(row.triton_bank_conflicts, most - 1, "row {number}");
                    agreeing += 1;
                } else {
                    assert!(row.triton_bank_conflicts > most - 1, "row {number}");
                }
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!((brute, agreeing, instructions), (750, 292, 2740));
}

#[test]
fn layouts_of_tritons_programs_have_the_addresses_of_their_ptx() {
    let mut compared = 0;
    for (number, row) in json::<Row>("swizzle/conflicts.jsonl").iter().enumerate() {
        let Row::Triton(row) = row else { continue };
        let Some(shape) = row.shared.layout(row) else { continue };
        let digits = shape.digits().unwrap();
        let lanes = row.distributed.lanes(row.shape);
        for instruction in &row.accesses {
            let addresses = instruction.addresses();
            // The registers decide which element lane 0 has; it is that of its address.
            let first = digits.index(addresses[0] * 8 / row.element_bits).unwrap();
            let index = lanes.map(|[y, x]| Some([first[0] ^ y, first[1] ^ x]));
            // Triton permutes registers where a lane's bytes have its elements in another order.
            let bytes = instruction.bytes.min(row.shared.ordered_bytes(row.element_bits));
            let access = Access::new(&index, bytes).unwrap();
            let found = access.addresses(&shape);
            let found = found.unwrap_or_else(|error| panic!("row {number}: {shape}: {error}"));
            assert_eq!(*found.addresses(), all_active(addresses), "row {number}: {shape}");
        }
        compared += 1;
    }
    // In the others a bit of the offset is an XOR of several bits of coordinates.
    assert_eq!(compared, 242);
}

impl Instruction {
    fn addresses(&self) -> [Size; 32] {
        let linear = || {
            let lanes = self.lanes.expect("a row has addresses");
            let xor = |lane: usize| (0..5).filter(move |bit| lane >> bit & 1 == 1);
            std::array::from_fn(|lane| xor(lane).fold(lanes[0], |at, bit| at ^ lanes[bit + 1]))
        };
        self.address.unwrap_or_else(linear)
    }
}

impl Distributed {
    /// Coordinates of each lane, by which those of lane 0 are XORed.
    fn lanes(&self, shape: [Size; 2]) -> [[Size; 2]; 32] {
        std::array::from_fn(|lane| match self {
            Distributed::Linear { lanes } => {
                let mut at = [0; 2];
                for (_, basis) in lanes.iter().enumerate().filter(|(bit, _)| lane >> bit & 1 == 1) {
                    at = [at[0] ^ basis[0], at[1] ^ basis[1]];
                }
                at
            }
            Distributed::Blocked { size_per_thread, threads_per_warp, order } => {
                let (mut at, mut left) = ([0; 2], lane as Size);
                for &dim in order {
                    // Where the array is smaller, lanes have copies.
                    let step = left % threads_per_warp[dim] * size_per_thread[dim];
                    at[dim] = step % shape[dim];
                    left /= threads_per_warp[dim];
                }
                at
            }
        })
    }
}

impl Shared {
    /// Bytes of elements that are surely in the order of one dimension.
    fn ordered_bytes(&self, element_bits: Size) -> usize {
        match self {
            Shared::Linear { .. } => native(element_bits / 8),
            Shared::Swizzled { vec, max_phase: 2.., .. } => native(vec * element_bits / 8),
            _ => usize::MAX,
        }
    }

    /// The layout by the functions of this library, if it has any.
    fn layout(&self, row: &Triton) -> Option<ArrayShape> {
        let [rows, columns] = row.shape;
        let plain = array(&format!("u{}[{rows},{columns}]", row.element_bits));
        match *self {
            // Each bit of the offset is one of a coordinate, or else there is no such layout.
            Shared::Linear { ref offset_bases } => triton_offset_bases(&plain, offset_bases).ok(),
            Shared::Swizzled { vec, per_phase, max_phase, order } => {
                Some(triton_swizzled_shared(&plain, vec, per_phase, max_phase, &order).unwrap())
            }
            Shared::Nvmma { swizzle_bytes, transposed } => {
                Some(triton_nvmma_shared(&plain, mode(swizzle_bytes), transposed).unwrap())
            }
        }
    }
}
