//! Descriptors of shared memory and of instructions.

use std::collections::BTreeMap;

use layout::shape::analysis::DimDigit;
use layout::shape::{Size, Swizzle};
use layout::{ArrayShape, ElementType};
use layout_gpu::descriptor::{Descriptor, DescriptorError, Factor, InstructionDescriptor, Major};
use layout_gpu::shared::{mma_tile, triton_nvmma_shared};
use layout_notation::digit_order::DigitOrder;
use layout_tests::cute::Text;
use serde_json::Value;

use crate::shared::{
    array, cubecl_tile, cute_atom, element, mode, number, numbers, rows, tvm_tile,
};

/// Fields of rows that differ from ours because the instruction ignores them, counted by what they are.
type Ignored = BTreeMap<String, usize>;

fn hex(value: &Value) -> u64 {
    u64::from_str_radix(value.as_str().unwrap().trim_start_matches("0x"), 16).unwrap()
}

/// Both distances by the names that rows have, with the bits where a descriptor has them.
fn distances(ours: &Descriptor) -> [(&'static str, Size, u32); 2] {
    let Descriptor { leading_byte_offset, stride_byte_offset, .. } = *ours;
    [
        ("leading_byte_offset", leading_byte_offset, 16),
        ("stride_byte_offset", stride_byte_offset, 32),
    ]
}

/// Where a descriptor of a row starts, in bytes. All other bits are ours, but for those that the instruction ignores.
fn assert_bits(ours: &Descriptor, row: u64, who: &str, ignored: &mut Ignored) -> u32 {
    let mut differ = (ours.bits ^ row) & !0x3FFF;
    let major = ours.major;
    for (name, distance, at) in distances(ours) {
        let field = 0x3FFF << at;
        if distance == 0 && differ & field != 0 {
            *ignored.entry(format!("{who}: {name}, {major}-major")).or_default() += 1;
            differ &= !field;
        }
    }
    assert_eq!(differ, 0, "{who}: {row:#x} is not {ours:x?}");
    ((row & 0x3FFF) << 4) as u32
}

/// An operand of Triton: how it is stored, and the dimension of K.
fn triton_operand(row: &Value, name: &str) -> (ArrayShape, usize) {
    let operand = &row[name];
    let plain = array(element(&row["dtype"]), &numbers(&operand["shape"]));
    // A is stored [M,K], B is [K,N].
    let k_dim = if name == "a" { 1 } else { 0 };
    let transposed = (operand["major"] == "K") != (k_dim == 1);
    let tile = triton_nvmma_shared(&plain, mode(number(&operand["swizzle_bytes"])), transposed);
    (tile.unwrap_or_else(|error| panic!("{row}: {error}")), k_dim)
}

/// Every instruction of a program reads the block and step that its place among them says.
fn assert_program(row: &Value, a: &Descriptor, b: &Descriptor, ignored: &mut Ignored) {
    let who = row["kind"].as_str().unwrap();
    let instructions = row["instructions"].as_array().unwrap();
    let (steps, blocks) = (a.steps, b.blocks);
    assert_eq!(steps, b.steps, "{row}");
    assert_eq!(instructions.len(), a.blocks * blocks * steps, "{row}");
    let mut bases = [None; 2];
    for (i, instruction) in instructions.iter().enumerate() {
        let places = [(a, "a", i / steps / blocks), (b, "b", i / steps % blocks)];
        for ((ours, name, block), base) in places.into_iter().zip(&mut bases) {
            let bits = hex(&instruction[name]);
            let start = assert_bits(ours, bits, who, ignored);
            let base = *base.get_or_insert(start);
            let found = ours.at_start(base, block, i % steps).unwrap();
            assert_eq!(found & 0x3FFF, bits & 0x3FFF, "{row}: {name} of instruction {i}");
        }
    }
}

#[test]
fn triton_wgmma() {
    let mut ignored = Ignored::new();
    let mut suspects = 0;
    for row in rows("descriptors", "triton_wgmma_descriptor") {
        let n = number(&row["instr_n"]);
        let (a, a_k) = triton_operand(&row, "a");
        let a = Descriptor::wgmma(&a, Factor::A(64), a_k).unwrap();
        let (b, b_k) = triton_operand(&row, "b");
        let b = Descriptor::wgmma(&b, Factor::B(n), b_k);
        if row.get("suspect").is_some() {
            // Triton gives the unswizzled rows the descriptor of another layout. They are not canonical: no descriptor.
            assert_eq!(row["b"]["swizzle_bytes"], 0, "{row}");
            assert!(matches!(b, Err(DescriptorError::Moved { .. })) || n == 8, "{row}: {b:?}");
            suspects += 1;
            continue;
        }
        assert_program(&row, &a, &b.unwrap(), &mut ignored);
    }
    assert_eq!(suspects, 4);
    assert_eq!(ignored, Ignored::new());
}

#[test]
fn triton_tcgen05() {
    let mut ignored = Ignored::new();
    for row in rows("descriptors", "triton_tcgen05_descriptor") {
        let instruction = number(&row["instructions"][0]["instruction_descriptor"]) as u32;
        let (n, m) = ((instruction >> 17 & 63) << 3, (instruction >> 24 & 31) << 4);
        let (n, m) = (n as Size, m as Size);
        let (a, a_k) = triton_operand(&row, "a");
        let a = Descriptor::tcgen05(&a, Factor::A(m), a_k).unwrap();
        let (b, b_k) = triton_operand(&row, "b");
        let b = Descriptor::tcgen05(&b, Factor::B(n), b_k).unwrap();
        assert_program(&row, &a, &b, &mut ignored);

        let of = element(&row["dtype"]);
        let ours = InstructionDescriptor {
            majors: [a.major, b.major],
            ..InstructionDescriptor::new(m, n, [of; 2], ElementType::F32)
        };
        for instruction in row["instructions"].as_array().unwrap() {
            let bits = ours.bits().unwrap() as Size;
            assert_eq!(bits, number(&instruction["instruction_descriptor"]), "{row}");
        }
    }
    assert_eq!(ignored, Ignored::new());
}

#[test]
fn cute_umma() {
    let mut ignored = Ignored::new();
    for row in rows("descriptors", "cute_umma_descriptor") {
        let mnk = numbers(&row["mnk"]);
        for (name, mn) in [("a", mnk[0]), ("b", mnk[1])] {
            let operand = &row[name];
            // `S<3,4,3> o 0 o ((64,16),1,4,1):((64,1),0,16,0)`: rows and K of an instruction, then steps.
            let text = operand["smem_layout"].as_str().unwrap();
            let modes = Text::new(text.rsplit(' ').next().unwrap());
            let k_of_step = modes.dims()[0] / mn;
            let k = k_of_step * modes.dims()[2];
            let major = operand["major"].as_str().unwrap();
            let suffix = match &text[..text.find(' ').unwrap()] {
                "S<0,4,3>" => "INTER",
                "S<1,4,3>" => "SW32",
                "S<2,4,3>" => "SW64",
                "S<3,4,3>" => "SW128",
                "S<2,5,2>" => "SW128_32B",
                other => panic!("{other}"),
            };
            let (contiguous, swizzle) = cute_atom(&format!("{major}_{suffix}"));
            let operand_of_row = array(element(&row["dtype"]), &[mn, k]);
            let tile = mma_tile(&operand_of_row, contiguous, swizzle).unwrap();
            let plain = tile.with_swizzle(Swizzle::NONE).unwrap().digits().unwrap();
            for i in 0..mn {
                for j in 0..k {
                    let expected = modes.offset(&[i + mn * (j % k_of_step), 0, j / k_of_step]);
                    assert_eq!(plain.offset(&[i, j]), Some(expected), "{row}");
                }
            }

            let rows = if name == "a" { Factor::A(mn) } else { Factor::B(mn) };
            let ours = Descriptor::tcgen05(&tile, rows, 1).unwrap();
            assert_eq!(ours.major.name(), major, "{row}");
            let start = assert_bits(&ours, hex(&operand["raw_hex"]), "CuTe", &mut ignored);
            // Steps of descriptors, in 16 bytes.
            let steps = Text::new(operand["fragment"].as_str().unwrap());
            assert_eq!(ours.steps, steps.dims()[2], "{row}");
            for i in 0..ours.steps {
                let after = steps.offset(&[0, 0, i]) as u64;
                let expected = hex(&operand["raw_hex"]) + after;
                let found = ours.at_start(start, 0, i).unwrap();
                assert_eq!(found & 0x3FFF, expected & 0x3FFF, "{row}");
            }
        }
    }
    // Of K-major operands with a swizzle CuTe writes 1.
    assert_eq!(ignored, Ignored::from([("CuTe: leading_byte_offset, K-major".into(), 26)]));
}

/// The tile of a row of Mosaic, and the dimension of K: `tiled_shape` has the numbers of tiles, then the sizes of one.
fn mosaic_tile(row: &Value, factor: [Size; 2]) -> (ArrayShape, usize) {
    let k_dim = if row["operand"] == "a" { 1 } else { 0 };
    let sizes = numbers(&row["tiled_shape"]);
    let mut digits = [0, 1, 2, 3].map(|i| {
        let weight = if i < 2 { sizes[i + 2] } else { 1 };
        DimDigit { dim: i % 2, weight, size: Some(sizes[i]) }
    });
    let strides = numbers(&row["tiled_strides_elements"]);
    let mut order = [0, 1, 2, 3];
    order.sort_by_key(|i| std::cmp::Reverse((strides[*i], sizes[*i])));
    // What is most major may have more tiles.
    for i in 0..2 {
        digits[i].size = digits[i].size.map(|size| size * factor[i]);
    }
    let order = DigitOrder::new(2, &order.map(|i| digits[i])).unwrap();
    let dims = [sizes[0] * sizes[2] * factor[0], sizes[1] * sizes[3] * factor[1]];
    let tile = order.layout(&array(element(&row["dtype"]), &dims)).unwrap();
    (tile.with_swizzle(mode(number(&row["swizzle_bytes"]))).unwrap(), k_dim)
}

#[test]
fn mosaic_operands() {
    let mut ignored = Ignored::new();
    let mut refused = BTreeMap::<&str, usize>::new();
    let mut steps_by_rows = 0;
    for row in rows("descriptors", "mosaic_mma_descriptor") {
        let (tile, k_dim) = mosaic_tile(&row, [1, 1]);
        let (mn, k) = (number(&row["mn"]), number(&row["k"]));
        assert_eq!(tile.dims()[k_dim], k, "{row}");
        assert_eq!(tile.dims()[1 - k_dim], mn, "{row}");
        let is_wgmma = row["for"] == "wgmma";
        let read = if is_wgmma { Descriptor::wgmma } else { Descriptor::tcgen05 };
        let rows = match row["operand"].as_str().unwrap() {
            "a" if is_wgmma => Factor::A(64),
            "a" => Factor::A(mn.min(128)),
            _ => Factor::B(mn),
        };
        let ours = read(&tile, rows, k_dim);
        // What the hardware does not take has the distances all the same: those of `tcgen05` and as many rows of B.
        let (ours, is_legal) = match ours {
            Ok(ours) => (ours, true),
            Err(error) => {
                let (why, has_distances) = match error {
                    DescriptorError::Size { dim, .. } if dim == k_dim => ("K below a step", false),
                    DescriptorError::Size { .. } => ("rows of A", true),
                    DescriptorError::MnMajor { .. } => ("MN-major for wgmma", true),
                    other => panic!("{row}: {other}"),
                };
                *refused.entry(why).or_default() += 1;
                if !has_distances {
                    continue;
                }
                (Descriptor::tcgen05(&tile, Factor::B(mn), k_dim).unwrap(), false)
            }
        };
        assert_eq!(ours.major.name(), row["contiguous"], "{row}");
        let bits = hex(&row["descriptor_without_address"]);
        if is_legal {
            assert_eq!(assert_bits(&ours, bits, "Mosaic", &mut ignored), 0, "{row}");
        }
        for (name, distance, at) in distances(&ours) {
            let expected = number(&row[name]);
            assert_eq!(bits >> at & 0x3FFF, expected as u64 >> 4, "{row}");
            if distance > 0 {
                assert_eq!(distance, expected, "{row}: {name}");
            } else if expected != 0 && !is_legal {
                *ignored.entry(format!("Mosaic, refused: {name}")).or_default() += 1;
            }
        }
        let strides = numbers(&row["k_step_byte_strides"]);
        let group = numbers(&row["k_step_tiling"]).first().copied();
        let (sizes, of_tiles) =
            (numbers(&row["tiled_shape"]), numbers(&row["tiled_strides_elements"]));
        let is_by_rows = row["operand"] == "b" && row["contiguous"] == "K" && sizes[0] > 1;
        for step in 0..ours.steps {
            let first = step * 32 / tile.element_type().bytes();
            let (tile_of_k, in_tile) = (first / sizes[2 + k_dim], first % sizes[2 + k_dim]);
            let elements = tile_of_k * of_tiles[k_dim] + in_tile * of_tiles[2 + k_dim];
            let bytes = elements * tile.element_type().bytes();
            assert_eq!(ours.start(0, step), Ok(bytes as u32), "{row}");
            let of_row = match group {
                Some(group) => step / group * strides[0] + step % group * strides[1],
                None => step * strides[0],
            };
            if is_by_rows {
                // The tiles of its own buffer are elsewhere: it steps from tile to tile of N in place of K.
                assert_eq!(strides[0], of_tiles[1] * tile.element_type().bytes(), "{row}");
            } else {
                assert_eq!(of_row, bytes, "{row}");
            }
        }
        steps_by_rows += usize::from(is_by_rows);
        // Where the next group of rows, or of K, would begin.
        for (dim, name) in [(1 - k_dim, "mn_group_byte_stride"), (k_dim, "k_group_byte_stride")] {
            let mut factor = [1, 1];
            factor[dim] = 2;
            let (twice, _) = mosaic_tile(&row, factor);
            let mut index = [0, 0];
            index[dim] = tile.dims()[dim].size().unwrap();
            let plain = twice.with_swizzle(Swizzle::NONE).unwrap().digits().unwrap();
            let bytes = plain.offset(&index).unwrap() * tile.element_type().bytes();
            assert_eq!(bytes, number(&row[name]), "{row}: {name}");
        }
    }
    // Mosaic always gives the distance of the next tile, also where the instruction stays in one.
    let expected = [
        ("Mosaic: leading_byte_offset, MN-major", 15),
        ("Mosaic: stride_byte_offset, MN-major", 9),
        ("Mosaic, refused: leading_byte_offset", 4),
        ("Mosaic, refused: stride_byte_offset", 11),
    ];
    assert_eq!(ignored, expected.map(|(what, count)| (what.to_owned(), count)).into());
    let expected = [("K below a step", 4), ("MN-major for wgmma", 24), ("rows of A", 7)];
    assert_eq!(refused, BTreeMap::from(expected));
    assert_eq!(steps_by_rows, 26);
}

#[test]
fn mosaic_instructions() {
    for row in rows("descriptors", "mosaic_tcgen05_instruction_descriptor") {
        let of = element(&row["input"]);
        let sums = match row["accumulator"].as_str().unwrap() {
            "int32" => ElementType::S32,
            other => element(&other.into()),
        };
        let major = |name: &str| if row[name] == 1 { Major::Mn } else { Major::K };
        let (m, n) = (number(&row["m"]), number(&row["n"]));
        let ours = InstructionDescriptor {
            majors: ["transpose_a", "transpose_b"].map(major),
            ..InstructionDescriptor::new(m, n, [of; 2], sums)
        };
        assert_eq!(ours.bits().map(|bits| bits as Size), Ok(number(&row["value"])), "{row}");
    }
}

#[test]
fn cubecl_operands() {
    let mut ignored = Ignored::new();
    for row in rows("descriptors", "cubecl_wgmma_tile") {
        let tile = cubecl_tile(&row).unwrap();
        let ours = Descriptor::wgmma(&tile, Factor::B(number(&row["rows"])), 1).unwrap();
        assert_eq!(ours.major.name(), row["major"], "{row}");
        assert_eq!(ours.alignment, number(&row["alignment"]), "{row}");
        for (name, distance, _) in distances(&ours) {
            if distance > 0 {
                assert_eq!(distance, number(&row[name]), "{row}: {name}");
            } else {
                *ignored.entry(format!("{name}, {}-major", ours.major)).or_default() += 1;
            }
        }
        let steps = numbers(&row["step_byte_offsets"]);
        assert_eq!(ours.steps, steps.len(), "{row}");
        for (step, expected) in steps.into_iter().enumerate() {
            assert_eq!(ours.start(0, step), Ok(expected as u32), "{row}");
        }
        let k = number(&row["k"]);
        assert_eq!(number(&row["k_step"]) * ours.steps, k, "{row}");
    }
    // cubecl always gives both: 16 for lines that a swizzle holds, and where the one next panel or group would be.
    let expected = [
        ("leading_byte_offset, K-major", 40),
        ("leading_byte_offset, MN-major", 3),
        ("stride_byte_offset, K-major", 6),
    ];
    assert_eq!(ignored, expected.map(|(what, count)| (what.to_owned(), count)).into());
}

/// What the hardware reads by a descriptor is the element of the tile, wherever the tile begins: the offsets of the
/// canonical layouts of the facts, and the XOR of addresses.
#[test]
fn descriptors_read_the_tile() {
    let mut checked = 0;
    for of in [ElementType::F8E5M2, ElementType::F16, ElementType::F32] {
        for dims in [[64, 64], [128, 64], [64, 128], [8, 128], [24, 256]] {
            for mode_number in 0..4 {
                for k_dim in [0, 1] {
                    let Ok(tile) = tvm_tile(&array(of, &dims), mode_number) else { continue };
                    checked += usize::from(assert_read(&tile, k_dim));
                }
            }
        }
    }
    assert!(checked > 60, "{checked}");
}

/// Whether there is a descriptor, which then reads the right bytes.
fn assert_read(tile: &ArrayShape, k_dim: usize) -> bool {
    let bytes = tile.element_type().bytes();
    let t = 16 / bytes;
    let mn = tile.dims()[1 - k_dim].size().unwrap();
    let rows = if mn.is_multiple_of(64) { 64 } else { mn };
    let ours = match Descriptor::tcgen05(tile, Factor::B(rows), k_dim) {
        Ok(ours) => ours,
        Err(DescriptorError::Line { .. } | DescriptorError::Size { .. }) => return false,
        Err(error) => panic!("{tile}: {error}"),
    };
    let code = ours.bits >> 61;
    let (c, swizzle) = match code {
        0 => (1, Swizzle::NONE),
        6 => (2, Swizzle::MODE_32B),
        4 => (4, Swizzle::MODE_64B),
        2 => (8, Swizzle::MODE_128B),
        other => panic!("{other}"),
    };
    let lbo = ours.leading_byte_offset / bytes;
    let sbo = ours.stride_byte_offset / bytes;
    let address = 3 * 1024;
    let digits = tile.digits().unwrap();
    for block in 0..ours.blocks {
        for step in 0..ours.steps {
            let start = (ours.at_start(address, block, step).unwrap() & 0x3FFF) << 4;
            for i in 0..rows {
                for j in 0..2 * t {
                    let canonical = match (ours.major, code) {
                        (Major::K, 0) => i % 8 * t + i / 8 * sbo + j % t + j / t * lbo,
                        (Major::K, _) => i % 8 * c * t + i / 8 * sbo + j,
                        (Major::Mn, 0) => i % t + i / t * sbo + j % 8 * t + j / 8 * lbo,
                        _ => i % (c * t) + i / (c * t) * lbo + j % 8 * c * t + j / 8 * sbo,
                    };
                    let read = swizzle.apply(start as usize + canonical * bytes);
                    let mut index = [block * rows + i; 2];
                    index[k_dim] = step * 2 * t + j;
                    let offset = digits.offset(&index).unwrap() * bytes;
                    assert_eq!(read, address as usize + offset, "{tile} {index:?}");
                }
            }
        }
    }
    true
}

const A: Descriptor = {
    let Ok(tile) = ArrayShape::parse_const("bf16[64,64], swizzle = 128B") else {
        panic!("not a tile")
    };
    DescriptorError::or_panic(Descriptor::wgmma(&tile, Factor::A(64), 1))
};

#[test]
fn starts_and_bits() {
    assert_eq!(
        A.at(1 << 18).unwrap_err().to_string(),
        "the shared address 262144 is above 262128, the last one that a descriptor holds: place the tile lower"
    );
    assert_eq!(
        A.at_start(0, 0, 4).unwrap_err().to_string(),
        "the tile has 1 block of rows and 4 steps of K: write numbers below these"
    );
    let product = InstructionDescriptor {
        sparse: Some(3),
        negate: [false, true],
        ..InstructionDescriptor::new(128, 64, [ElementType::F16; 2], ElementType::F32)
    };
    assert_eq!(product.bits().map(|bits| bits & 0x600F), Ok(0x4007));
}
