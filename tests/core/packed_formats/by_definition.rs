//! Operands of instructions, and layouts of devices, by the formulas of their documents.

use layout::ArrayShape;
use layout::packed_format::PackedFormat;

/// Formats that no line of data has.
pub(crate) const NAMES: &[&str] = &[
    "amx.B",
    "vnni",
    "smmla",
    "bfmmla",
    "sdot",
    "ldmatrix.x1",
    "ldmatrix.x2",
    "ldmatrix.x4",
    "ldmatrix.x4.trans",
    "wgmma.A",
    "nhwc-8h2w32c2w",
    "MONO_VLSB",
];

/// Whether each slot has the element that a formula says; the formula goes from slots to indices.
fn check<const R: usize>(name: &str, array: &str, index: impl Fn(usize) -> [usize; R]) {
    let array: ArrayShape = array.parse().unwrap();
    let format = PackedFormat::find(name).unwrap();
    let shape = format.layout(&array).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert_eq!(shape.padded_elements(), shape.elements(), "{name}");
    let digits = shape.digits().unwrap();
    for slot in 0..shape.elements().unwrap() {
        assert_eq!(digits.offset(&index(slot)), Some(slot), "{name}: {shape} {:?}", index(slot));
    }
}

/// As `check`, with the formula from lanes and values.
fn lanes<const R: usize>(name: &str, array: &str, index: impl Fn(usize, usize) -> [usize; R]) {
    let shape: ArrayShape = array.parse().unwrap();
    let format = PackedFormat::find(name).unwrap();
    let values = shape.elements().unwrap() / format.lanes().unwrap();
    check(name, array, |slot| index(slot / values, slot % values));
    for lane in 0..format.lanes().unwrap() {
        for value in 0..values {
            let index = index(lane, value);
            assert_eq!(format.lane_and_value_of(&shape, &index), Some((lane, value)), "{name}");
            assert_eq!(format.lane_of(&shape, &index), Some(lane), "{name}");
            assert_eq!(format.value_of(&shape, &index), Some(value), "{name}");
        }
    }
}

/// The formulas of the PTX ISA, "Matrix Fragments for mma": `groupID` is the lane by 4, `threadID_in_group` the rest.
#[test]
fn mma_by_the_ptx_isa() {
    let a_of_halves = |lane: usize, i: usize| {
        let row = lane / 4 + if matches!(i, 0 | 1 | 4 | 5) { 0 } else { 8 };
        [row, lane % 4 * 2 + i % 2 + if i < 4 { 0 } else { 8 }]
    };
    lanes("mma.m16n8k16.A", "f16[16,16]", a_of_halves);
    lanes("mma.m16n8k16.A", "bf16[16,16]", a_of_halves);
    lanes("mma.m16n8k16.B", "bf16[8,16]", |lane, i| {
        [lane / 4, lane % 4 * 2 + i % 2 + if i < 2 { 0 } else { 8 }]
    });
    let c = |lane: usize, i: usize| [lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2];
    for array in ["f32[16,8]", "s32[16,8]", "f16[16,8]", "f64[16,8]"] {
        lanes("mma.m16n8.C", array, c);
    }
    lanes("mma.m16n8k8.A", "f16[16,8]", c);
    lanes("mma.m16n8k8.B", "f16[8,8]", |lane, i| [lane / 4, lane % 4 * 2 + i]);
    lanes("mma.m16n8k8.A", "f32[16,8]", |lane, i| [lane / 4 + i % 2 * 8, lane % 4 + i / 2 * 4]);
    lanes("mma.m16n8k8.B", "f32[8,8]", |lane, i| [lane / 4, lane % 4 + i * 4]);
    lanes("mma.m16n8k4.A", "f32[16,4]", |lane, i| [lane / 4 + i * 8, lane % 4]);
    lanes("mma.m16n8k4.B", "f32[8,4]", |lane, _| [lane / 4, lane % 4]);
    lanes("mma.m16n8k16.A", "s8[16,16]", |lane, i| [lane / 4 + i / 4 * 8, lane % 4 * 4 + i % 4]);
    lanes("mma.m16n8k16.B", "u8[8,16]", |lane, i| [lane / 4, lane % 4 * 4 + i]);
    let a_of_bytes = |lane: usize, i: usize| {
        let row = lane / 4 + if matches!(i / 4, 0 | 2) { 0 } else { 8 };
        [row, lane % 4 * 4 + i % 4 + if i < 8 { 0 } else { 16 }]
    };
    lanes("mma.m16n8k32.A", "s8[16,32]", a_of_bytes);
    lanes("mma.m16n8k32.A", "f8e4m3fn[16,32]", a_of_bytes);
    lanes("mma.m16n8k32.B", "s8[8,32]", |lane, i| {
        [lane / 4, lane % 4 * 4 + i % 4 + if i < 4 { 0 } else { 16 }]
    });
    lanes("mma.m16n8k32.B", "u4[8,32]", |lane, i| [lane / 4, lane % 4 * 8 + i]);
    lanes("mma.m16n8k32.A", "u4[16,32]", |lane, i| [lane / 4 + i / 8 * 8, lane % 4 * 8 + i % 8]);
    lanes("mma.m16n8k64.A", "s4[16,64]", |lane, i| {
        let row = lane / 4 + if matches!(i / 8, 0 | 2) { 0 } else { 8 };
        [row, lane % 4 * 8 + i % 8 + if i < 16 { 0 } else { 32 }]
    });
    lanes("mma.m16n8k64.B", "u4[8,64]", |lane, i| {
        [lane / 4, lane % 4 * 8 + i % 8 + if i < 8 { 0 } else { 32 }]
    });
}

#[test]
fn wgmma_by_the_ptx_isa() {
    let row = |thread: usize, half: usize| thread / 32 * 16 + thread % 32 / 4 + half * 8;
    lanes("wgmma.A", "f16[64,16]", |thread, i| {
        [row(thread, i / 2 % 2), thread % 4 * 2 + i % 2 + i / 4 * 8]
    });
    lanes("wgmma.A", "s8[64,32]", |thread, i| {
        [row(thread, i / 4 % 2), thread % 4 * 4 + i % 4 + i / 8 * 16]
    });
    lanes("wgmma.A", "f32[64,8]", |thread, i| [row(thread, i % 2), thread % 4 + i / 2 * 4]);
    for n in [8, 16, 24, 32, 48, 64, 96, 128, 192, 256] {
        lanes("wgmma.D", &format!("f32[64,{n}]"), |thread, i| {
            [row(thread, i / 2 % 2), i / 4 * 8 + thread % 4 * 2 + i % 2]
        });
    }
}

#[test]
fn ldmatrix_by_the_ptx_isa() {
    for (name, count) in [("ldmatrix.x1", 1), ("ldmatrix.x2", 2), ("ldmatrix.x4", 4)] {
        let array = format!("f16[{count},8,8]");
        lanes(name, &array, |lane, i| [i / 2, lane / 4, lane % 4 * 2 + i % 2]);
    }
    lanes("ldmatrix.x4.trans", "bf16[4,8,8]", |lane, i| [i / 2, lane % 4 * 2 + i % 2, lane / 4]);
}

/// `tdpbf16ps` and `tdpbssd` add the products of `a[m][k]` with `b[k / v][v * n + k % v]`, `v` being 2 or 4.
#[test]
fn amx_and_vnni_by_intel() {
    check("amx.B", "bf16[32,16]", |slot| [slot / 32 * 2 + slot % 2, slot % 32 / 2]);
    check("amx.B", "s8[64,16]", |slot| [slot / 64 * 4 + slot % 4, slot % 64 / 4]);
    check("vnni", "bf16[6,10]", |slot| [slot / 20 * 2 + slot % 2, slot % 20 / 2]);
    check("vnni", "u8[8,5]", |slot| [slot / 20 * 4 + slot % 4, slot % 20 / 4]);
}

/// A vector of 128 bits has 2 rows for the products of matrices, 4 for the products of vectors.
#[test]
fn neon_by_arm() {
    let vectors = |rows: usize, columns: usize, per_row: usize| {
        move |slot: usize| {
            let (vector, at) = (slot / (rows * columns), slot % (rows * columns));
            [vector / per_row * rows + at / columns, vector % per_row * columns + at % columns]
        }
    };
    check("smmla", "s8[6,24]", vectors(2, 8, 3));
    check("bfmmla", "bf16[6,12]", vectors(2, 4, 3));
    check("sdot", "u8[8,12]", vectors(4, 4, 3));
}

/// TVM's index map: `n, h // 8, w // 4, c // 32, h % 8, (w % 4) // 2, c % 32, w % 2`.
#[test]
fn croutons_by_tvm() {
    let sizes = [2, 2, 3, 2, 8, 2, 32, 2];
    check("crouton", "f16[2,16,12,64]", |slot| {
        let [n, h, w, c, h8, w2, c32, w1] =
            layout_tests::naive::unflatten(slot, &sizes).try_into().unwrap();
        [n, h * 8 + h8, w * 4 + w2 * 2 + w1, c * 32 + c32]
    });
}

/// A byte is 8 rows of one column, the first in its lowest bit.
#[test]
fn bitmaps_by_the_data_sheet() {
    check("ssd1306", "u1[64,128]", |slot| [slot / 8 / 128 * 8 + slot % 8, slot / 8 % 128]);
}
