//! Tiles in shared memory, by the names of other systems.

use std::collections::BTreeSet;

use layout::shape::{Size, Swizzle};
use layout::{ArrayShape, ElementType};
use layout_gpu::descriptor::{Descriptor, DescriptorError, Factor};
use layout_gpu::shared::{
    TileError, mma_tile, triton_fp4_padded_shared, triton_nvmma_shared, triton_offset_bases,
    triton_padded_shared, triton_swizzled_shared,
};
use layout_tests::naive::offsets;
use layout_tests::{data, lists, table};
use serde_json::Value;

/// The rows of a file that are of a kind.
pub(crate) fn rows(file: &str, kind: &str) -> Vec<Value> {
    let rows = data::json::<Value>(&format!("swizzle/{file}.jsonl"));
    let rows = rows.into_iter().filter(|row| row["kind"] == kind).collect::<Vec<_>>();
    assert!(!rows.is_empty(), "{kind}");
    rows
}

/// A number of a row.
pub(crate) fn number(value: &Value) -> Size {
    Size::try_from(value.as_u64().unwrap_or_else(|| panic!("{value} is not a number"))).unwrap()
}

/// The numbers of a row's list.
pub(crate) fn numbers(value: &Value) -> Vec<Size> {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list")).iter().map(number).collect()
}

/// An element type by the name of a system.
pub(crate) fn element(name: &Value) -> ElementType {
    match name.as_str().unwrap() {
        "i8" | "int8" => ElementType::S8,
        "int16" => ElementType::S16,
        "int32" => ElementType::S32,
        "f16" | "fp16" | "float16" => ElementType::F16,
        "bf16" | "bfloat16" => ElementType::BF16,
        "f32" | "fp32" | "tf32" | "float32" => ElementType::F32,
        "f8e4m3" | "float8_e4m3fn" => ElementType::F8E4M3FN,
        "f8e5" | "fp8e5" | "float8_e5m2" => ElementType::F8E5M2,
        other => panic!("{other}"),
    }
}

/// An element type of some bytes.
pub(crate) fn element_of_bytes(bytes: Size) -> ElementType {
    match bytes {
        1 => ElementType::F8E5M2,
        2 => ElementType::F16,
        4 => ElementType::F32,
        _ => panic!("{bytes} bytes"),
    }
}

/// An array in the default layout.
pub(crate) fn array(element: ElementType, dims: &[Size]) -> ArrayShape {
    lists::array(&format!("{element}[{}]", lists::list(dims)))
}

/// The swizzle of a span of bytes; none for 0.
pub(crate) fn mode(span: Size) -> Swizzle {
    if span == 0 { Swizzle::NONE } else { Swizzle::parse(&format!("{span}B")).unwrap() }
}

/// TVM's `mma_shared_layout` of a mode.
pub(crate) fn tvm_tile(array: &ArrayShape, mode: Size) -> Result<ArrayShape, TileError> {
    let modes = [Swizzle::NONE, Swizzle::MODE_32B, Swizzle::MODE_64B, Swizzle::MODE_128B];
    mma_tile(array, array.rank() - 1, modes[mode])
}

/// The hash of all offsets is the row's, and each element has a slot of its own.
fn assert_row(shape: &ArrayShape, row: &Value) {
    let offsets = offsets(shape);
    let hash = data::sha256(offsets.iter().copied());
    assert_eq!(row["sha256_offsets_le_i64"], hash, "{shape}: {row}");
    assert_one_slot_each(shape, &offsets);
}

fn assert_one_slot_each(shape: &ArrayShape, offsets: &[Size]) {
    let slots = offsets.iter().collect::<BTreeSet<_>>();
    assert_eq!(slots.len(), offsets.len(), "{shape}");
    assert!(slots.last() < Some(&&shape.padded_elements().unwrap()), "{shape}");
}

/// The array of a row with elements of some bits.
fn array_of_bits(row: &Value) -> ArrayShape {
    array(element_of_bytes(number(&row["element_bits"]) / 8), &numbers(&row["shape"]))
}

/// Tiles as their systems have them: all offsets, and of Triton's the bases.
#[test]
fn tiles_of_other_systems() {
    type Tile = fn(&Value) -> Result<ArrayShape, TileError>;
    let tiles: [(&str, Tile); 4] = [
        ("triton_nvmma_shared", |row| match row["fp4_padded"] == true {
            true => triton_fp4_padded_shared(&array(ElementType::U8, &numbers(&row["shape"]))),
            false => {
                let transposed = row["transposed"].as_bool().unwrap();
                triton_nvmma_shared(
                    &array_of_bits(row),
                    mode(number(&row["swizzle_bytes"])),
                    transposed,
                )
            }
        }),
        ("triton_swizzled_shared", |row| {
            let [vec, per_phase, max_phase] =
                ["vec", "per_phase", "max_phase"].map(|name| number(&row[name]));
            let plain = array(ElementType::F16, &numbers(&row["shape"]));
            triton_swizzled_shared(&plain, vec, per_phase, max_phase, &numbers(&row["order"]))
        }),
        ("triton_padded_shared", |row| {
            let plain = array(element(&row["element"]), &numbers(&row["shape"]));
            let lists =
                |name: &str| row[name].as_array().unwrap().iter().map(numbers).collect::<Vec<_>>();
            let pairs = lists("interval_padding").iter().map(|pair| (pair[0], pair[1])).collect();
            let pairs: Vec<(Size, Size)> = pairs;
            let ordered = triton_offset_bases(&plain, &lists("offset_bases"))?;
            triton_padded_shared(&ordered, &pairs)
        }),
        ("tvm_mma_shared", |row| {
            let plain = array(element(&row["dtype"]), &numbers(&row["shape"]));
            tvm_tile(&plain, number(&row["swizzle_mode"]))
        }),
    ];
    for (kind, tile) in tiles {
        for row in rows("shared", kind) {
            let tile = tile(&row).unwrap_or_else(|error| panic!("{row}: {error}"));
            assert_row(&tile, &row);
            if matches!(kind, "triton_nvmma_shared" | "triton_swizzled_shared") {
                assert_bases(&tile, &row);
            }
        }
    }
}

/// The element at offset `2^b` is base `b`; a base of zeros is padding.
fn assert_bases(tile: &ArrayShape, row: &Value) {
    for (bit, base) in row["offset_bases"].as_array().unwrap().iter().enumerate() {
        let base = numbers(base);
        let found = tile.digits().unwrap().index(1 << bit).map(|index| index.to_vec());
        let is_padding = base.iter().all(|step| *step == 0);
        assert_eq!(found, (!is_padding).then_some(base), "{row}");
    }
}

#[test]
fn triton_refuses_nvmma_tiles() {
    for row in rows("shared", "triton_nvmma_refused") {
        let swizzle = mode(number(&row["swizzle_bytes"]));
        let transposed = row["transposed"].as_bool().unwrap();
        let error = triton_nvmma_shared(&array_of_bits(&row), swizzle, transposed).unwrap_err();
        assert!(matches!(error, TileError::Row { .. }), "{row}: {error}");
    }
}

/// The formula of the facts for all parameters, and in a third dimension the same again for each matrix.
#[test]
fn swizzled_tiles_by_the_formula() {
    for (rows, columns) in [(1, 8), (4, 16), (16, 4), (8, 64)] {
        for numbers in 0..4 * 4 * 5 {
            let (vec, per_phase) = (1 << (numbers % 4), 1 << (numbers / 4 % 4));
            let max_phase = 1 << (numbers / 16);
            let plain = array(ElementType::F32, &[2, rows, columns]);
            let tile = triton_swizzled_shared(&plain, vec, per_phase, max_phase, &[2, 1, 0]);
            let expected = (0..2 * rows * columns).map(|flat| {
                let (row, column) = (flat / columns, flat % columns);
                let phase = row % rows / per_phase % max_phase;
                row * columns + (column ^ (phase * vec)) % columns
            });
            assert_eq!(offsets(&tile.unwrap()), expected.collect::<Vec<_>>());
        }
    }
}

/// `o + sum(o / interval * padding)`.
fn padded(offset: Size, pairs: &[(Size, Size)]) -> Size {
    offset + pairs.iter().map(|(interval, padding)| offset / interval * padding).sum::<Size>()
}

/// The formula of padding, for nested intervals, one that no element follows, and sizes that intervals do not
/// divide.
#[test]
fn padded_tiles_by_the_formula() {
    let all_pairs: [&[(Size, Size)]; 7] = [
        &[],
        &[(8, 1)],
        &[(6, 5)],
        &[(16, 2), (64, 3)],
        &[(4, 1), (8, 8), (32, 1)],
        &[(5, 1), (35, 2)],
        &[(16, 2), (1 << 20, 7)],
    ];
    for text in
        ["f32[16,16]", "f32[7,9]", "f32[12,20]{0,1}", "f32[16,32]{1,0:T(8,8)(2,1)}", "f32[3,5,8]"]
    {
        let plain = text.parse::<ArrayShape>().unwrap();
        for pairs in all_pairs {
            let tile = triton_padded_shared(&plain, pairs).unwrap();
            let expected = offsets(&plain).into_iter().map(|offset| padded(offset, pairs));
            let expected = expected.collect::<Vec<_>>();
            let found = offsets(&tile);
            assert_eq!(found, expected, "{tile}");
            assert_one_slot_each(&tile, &found);
        }
    }
    // Padding and XOR do not commute.
    let swizzled = "f16[64,64], swizzle = 128B".parse::<ArrayShape>().unwrap();
    let tile = triton_padded_shared(&swizzled, &[(64, 8)]).unwrap();
    assert_eq!(tile.to_string(), "f16[64,64]{1,0:T(72)}");
}

/// Panels by their formula, in bytes: rows and spans of every kind, rows that are not a power of two too.
#[test]
fn panels_by_the_formula() {
    for bytes in [1, 2, 4] {
        for span in [32, 64, 128] {
            for (rows, panels) in [(8, 1), (24, 3), (2, 2), (64, 5)] {
                let columns = panels * span / bytes;
                for transposed in [false, true] {
                    let dims = if transposed { [columns, rows] } else { [rows, columns] };
                    let plain = array(element_of_bytes(bytes), &dims);
                    let tile = triton_nvmma_shared(&plain, mode(span), transposed).unwrap();
                    let expected = (0..rows * columns).map(|flat| {
                        let (row, column) = if transposed {
                            (flat % rows, flat / rows)
                        } else {
                            (flat / columns, flat % columns)
                        };
                        let byte = column * bytes / span * rows * span
                            + row * span
                            + column * bytes % span;
                        mode(span).apply(byte) / bytes
                    });
                    assert_eq!(offsets(&tile), expected.collect::<Vec<_>>(), "{tile}");
                }
            }
        }
    }
}

#[test]
fn cubecl_tiles() {
    for row in rows("descriptors", "cubecl_wgmma_tile") {
        let tile = cubecl_tile(&row).unwrap_or_else(|error| panic!("{row}: {error}"));
        let all = offsets(&tile);
        assert_one_slot_each(&tile, &all);
        let k = number(&row["k"]);
        for sample in row["samples"].as_array().into_iter().flatten() {
            let sample = numbers(sample);
            assert_eq!(all[sample[0] * k + sample[1]], sample[2], "{row}");
        }
        if !row["offsets"].is_null() {
            assert_eq!(all, numbers(&row["offsets"]), "{row}");
        }
    }
}

/// The tile of a row of cubecl.
pub(crate) fn cubecl_tile(row: &Value) -> Result<ArrayShape, TileError> {
    let operand = array(
        element_of_bytes(number(&row["element_bytes"])),
        &[number(&row["rows"]), number(&row["k"])],
    );
    let contiguous = if row["major"] == "K" { 1 } else { 0 };
    mma_tile(&operand, contiguous, mode(number(&row["swizzle_bytes"])))
}

#[test]
fn cubecl_refuses_tiles() {
    for row in rows("descriptors", "cubecl_wgmma_refused") {
        let reason = row["reason"].as_str().unwrap();
        let is_mn_major = reason.contains("MN-major");
        match cubecl_tile(&row) {
            // `tcgen05` takes the tile.
            Ok(tile) => {
                let error = Descriptor::wgmma(&tile, Factor::B(8), 1).unwrap_err();
                let is_refused =
                    matches!(error, DescriptorError::MnMajor { .. } | DescriptorError::Size { .. });
                assert!(is_refused && is_mn_major, "{row}: {error}");
            }
            Err(TileError::Row { .. }) => {
                assert!(is_mn_major || reason.contains("panels"), "{row}");
            }
            Err(TileError::Lines { .. }) => {
                assert!(is_mn_major || reason.contains("multiple of the 8"), "{row}");
            }
            other => panic!("{row}: {other:?}"),
        }
    }
}

/// An atom of CuTe by its name: the contiguous dimension of `[MN,K]`, and the swizzle.
pub(crate) fn cute_atom(name: &str) -> (usize, Swizzle) {
    let (major, swizzle) = name.split_once('_').unwrap();
    let swizzle = match swizzle {
        "INTER" => Swizzle::NONE,
        "SW32" => Swizzle::MODE_32B,
        "SW64" => Swizzle::MODE_64B,
        "SW128" => Swizzle::MODE_128B,
        "SW128_32B" => Swizzle::MODE_128B_ATOM_32B,
        other => panic!("{other}"),
    };
    (if major == "K" { 1 } else { 0 }, swizzle)
}

#[test]
fn cute_atoms() {
    for row in rows("descriptors", "cute_smem_atom") {
        let (contiguous, swizzle) = cute_atom(row["atom"].as_str().unwrap());
        let of = element(&row["dtype"]);
        let span = if swizzle.is_none() { 16 } else { swizzle.block() };
        let mut dims = [8; 2];
        dims[contiguous] = span / of.bytes();
        let tile = mma_tile(&array(of, &dims), contiguous, swizzle).unwrap();
        let bits = tile.element_bits();
        let of_row = row["swizzle_on_bytes"].as_array().unwrap().iter();
        let of_row = of_row.map(|number| number.as_i64().unwrap() as i8).collect::<Vec<_>>();
        let of_row = Swizzle::new(
            layout::shape::SwizzleUnit::Bytes,
            of_row[0] as u8,
            of_row[1] as u8,
            of_row[2],
        );
        match tile.swizzle().is_none() {
            true => assert!(of_row.unwrap().is_none(), "{row}"),
            false => assert_eq!(tile.swizzle().on_bytes(bits), of_row, "{row}"),
        }
        // `(8,64):(64,1)`.
        let text = row["layout_in_elements"].as_str().unwrap();
        let of_text = text.split(|c: char| !c.is_ascii_digit()).filter(|part| !part.is_empty());
        let of_text = of_text.map(|part| part.parse::<Size>().unwrap()).collect::<Vec<_>>();
        assert_eq!(tile.dims()[..], of_text[..2], "{row}");
        let plain = tile.with_swizzle(Swizzle::NONE).unwrap().digits().unwrap();
        assert_eq!(plain.offset(&[1, 0]), Some(of_text[2]), "{row}");
        assert_eq!(plain.offset(&[0, 1]), Some(of_text[3]), "{row}");
        assert_one_slot_each(&tile, &offsets(&tile));
    }
}

/// Names of swizzles that users look for among packed formats are answered with where swizzles are.
#[test]
fn names_of_swizzles_are_answered() {
    use layout_formats::packed_format::PackedFormat;

    for name in ["swizzle 128B", "CU_TENSOR_MAP_SWIZZLE_64B", "ldmatrix swizzle"] {
        let error = PackedFormat::find(name).unwrap_err().to_string();
        assert!(error.contains("`ArrayShape::with_swizzle`"), "{error}");
    }
    let error = PackedFormat::find("wgmma descriptor").unwrap_err().to_string();
    assert!(error.contains("`layout_gpu::descriptor`"), "{error}");
}

/// Whatever is asked for is a tile or an error, never a panic: no rank, no elements, sizes that are unknown or as large as
/// there are, packed and padded elements.
#[test]
fn contrived_arrays_are_answered() {
    use layout_gpu::tensor_map::TensorMap;

    let numbers = [0, 1, 3, 8, 16, 32, 128, 1 << 40, Size::MAX >> 1, Size::MAX];
    let [none, narrow, middle, wide] = [0, 32, 64, 128].map(mode);
    let modes = [none, narrow, middle, wide, Swizzle::MODE_128B_ATOM_32B];
    for text in table::texts("layouts", "contrived tiles") {
        let shape = lists::array(&text);
        for a in numbers {
            let swizzle = modes[a % 5];
            let tiles = [
                triton_nvmma_shared(&shape, swizzle, false),
                triton_nvmma_shared(&shape, swizzle, true),
                triton_fp4_padded_shared(&shape),
                mma_tile(&shape, 0, swizzle),
                mma_tile(&shape, 1, swizzle),
                mma_tile(&shape, a, swizzle),
                triton_padded_shared(&shape, &[(a, 1), (a.saturating_mul(2), a)]),
                triton_offset_bases(&shape, &[[a, 0], [0, a]]),
                triton_swizzled_shared(&shape, a, 1 << 20, 4, &[1, 0]),
                triton_swizzled_shared(&shape, 8, 1 << 62, a, &[0, 1]),
                Ok(shape),
            ];
            for tile in tiles.into_iter().filter_map(|tile| tile.map_err(|e| e.to_string()).ok()) {
                for k_dim in 0..3 {
                    for operand in [Factor::A(64), Factor::B(a), Factor::B(8)] {
                        for read in [Descriptor::wgmma, Descriptor::tcgen05] {
                            let _ = read(&tile, operand, k_dim)
                                .and_then(|read| read.at(a as u32))
                                .map_err(|error| error.to_string());
                        }
                    }
                }
                for global in [&shape, &tile] {
                    let _ = TensorMap::new(global, &tile).map_err(|error| error.to_string());
                }
            }
        }
    }
}

/// Bases in random orders, padded: `o + sum(o / interval * padding)` of the offset by bases. Few are beyond the limit of
/// tiles; those say so.
#[test]
fn random_bases_are_padded() {
    let mut random = layout_tests::random::Random::new(26);
    let all_pairs: [&[(Size, Size)]; 3] =
        [&[(32, 1)], &[(32, 4), (128, 8)], &[(8, 1), (32, 2), (128, 4)]];
    let mut refused = 0;
    for case in 0..360 {
        let (rows, columns) = [(5, 5), (3, 7), (6, 4), (6, 6)][case / 3 % 4];
        let mut bases = (0..columns)
            .map(|bit| [0, 1 << bit])
            .chain((0..rows).map(|bit| [1 << bit, 0]))
            .collect::<Vec<[Size; 2]>>();
        for i in (3..bases.len()).rev() {
            bases.swap(i, 3 + random.below(i - 2));
        }
        let pairs = all_pairs[case % 3];
        let plain = array(ElementType::F16, &[1 << rows, 1 << columns]);
        let tile = triton_offset_bases(&plain, &bases)
            .and_then(|ordered| triton_padded_shared(&ordered, pairs));
        let tile = match tile {
            Ok(tile) => tile,
            Err(TileError::TooManyTiles) => {
                refused += 1;
                continue;
            }
            Err(error) => panic!("{bases:?}: {error}"),
        };
        let expected = (0..1usize << (rows + columns)).map(|flat| {
            let index = [flat >> columns, flat % (1 << columns)];
            let mut offset = 0;
            for (bit, base) in bases.iter().enumerate() {
                let is_set = (0..2).any(|dim| index[dim] & base[dim] != 0);
                offset += Size::from(is_set) << bit;
            }
            padded(offset, pairs)
        });
        assert_eq!(offsets(&tile), expected.collect::<Vec<_>>(), "{tile}");
    }
    assert!(refused < 30, "{refused} of 360");
}
