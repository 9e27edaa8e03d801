//! Operands of instructions, layouts of devices and packed weights, by the formulas of their documents.

use std::collections::BTreeSet;

use layout::ArrayShape;
use layout::packed_format::PackedFormat;

use super::memory;

/// Names of the formats whose formulas were compared.
type Compared = BTreeSet<&'static str>;

const DOCUMENTS: &[fn(&mut Compared)] = &[
    mma_by_the_ptx_isa,
    wgmma_by_the_ptx_isa,
    ldmatrix_by_the_ptx_isa,
    mfma_by_amd,
    wmma_by_amd,
    single_bits_and_sparse_by_the_ptx_isa,
    amx_and_vnni_by_intel,
    neon_by_arm,
    kleidiai_by_arm,
    croutons_by_tvm,
    bitmaps_by_the_data_sheet,
    gptq_by_its_words,
    qqq_by_its_permutation,
    quanto_by_its_parts,
];

/// Compares every formula, and says which formats have one.
pub(crate) fn compared() -> Compared {
    let mut compared = Compared::new();
    for document in DOCUMENTS {
        document(&mut compared);
    }
    compared
}

/// Whether each slot has the element that a formula says; the formula goes from slots to indices. Slots whose index is
/// past the array are padding.
fn padded<const R: usize>(
    compared: &mut Compared,
    name: &str,
    array: &str,
    slots: usize,
    index: impl Fn(usize) -> [usize; R],
) {
    let array: ArrayShape = array.parse().unwrap();
    let format = PackedFormat::find(name).unwrap();
    let shape = format.layout(&array).unwrap_or_else(|error| panic!("{name}: {error}"));
    let number = |index: [usize; R]| {
        array.dims().iter().zip(index).try_fold(0, |number, (dim, at)| {
            let size = dim.size().unwrap();
            (at < size).then_some(number * size + at)
        })
    };
    let expected = (0..slots).map(|slot| number(index(slot))).collect::<Vec<_>>();
    assert_eq!(memory(&shape), expected, "{name}: {shape}");
    compared.insert(format.name());
}

/// The comparison for an array without padding.
fn check<const R: usize>(
    compared: &mut Compared,
    name: &str,
    array: &str,
    index: impl Fn(usize) -> [usize; R],
) {
    let shape: ArrayShape = array.parse().unwrap();
    padded(compared, name, array, shape.elements().unwrap(), index);
}

/// The comparison for an operand in registers: the formula goes from lanes and values to indices.
fn lanes<const R: usize>(
    compared: &mut Compared,
    name: &str,
    array: &str,
    index: impl Fn(usize, usize) -> [usize; R],
) {
    let shape: ArrayShape = array.parse().unwrap();
    let format = PackedFormat::find(name).unwrap();
    let values = shape.elements().unwrap() / format.lanes().unwrap();
    check(compared, name, array, |slot| index(slot / values, slot % values));
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
fn mma_by_the_ptx_isa(compared: &mut Compared) {
    let a_of_halves = |lane: usize, i: usize| {
        let row = lane / 4 + if matches!(i, 0 | 1 | 4 | 5) { 0 } else { 8 };
        [row, lane % 4 * 2 + i % 2 + if i < 4 { 0 } else { 8 }]
    };
    lanes(compared, "mma.m16n8k16.A", "f16[16,16]", a_of_halves);
    lanes(compared, "mma.m16n8k16.A", "bf16[16,16]", a_of_halves);
    lanes(compared, "mma.m16n8k16.B", "bf16[8,16]", |lane, i| {
        [lane / 4, lane % 4 * 2 + i % 2 + if i < 2 { 0 } else { 8 }]
    });
    let c = |lane: usize, i: usize| [lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2];
    for array in ["f32[16,8]", "s32[16,8]", "f16[16,8]", "f64[16,8]"] {
        lanes(compared, "mma.m16n8.C", array, c);
    }
    lanes(compared, "mma.m16n8k8.A", "f16[16,8]", c);
    lanes(compared, "mma.m16n8k8.B", "f16[8,8]", |lane, i| [lane / 4, lane % 4 * 2 + i]);
    lanes(compared, "mma.m16n8k8.A", "f32[16,8]", |lane, i| {
        [lane / 4 + i % 2 * 8, lane % 4 + i / 2 * 4]
    });
    lanes(compared, "mma.m16n8k8.B", "f32[8,8]", |lane, i| [lane / 4, lane % 4 + i * 4]);
    lanes(compared, "mma.m16n8k4.A", "f32[16,4]", |lane, i| [lane / 4 + i * 8, lane % 4]);
    lanes(compared, "mma.m16n8k4.B", "f32[8,4]", |lane, _| [lane / 4, lane % 4]);
    lanes(compared, "mma.m16n8k16.A", "s8[16,16]", |lane, i| {
        [lane / 4 + i / 4 * 8, lane % 4 * 4 + i % 4]
    });
    lanes(compared, "mma.m16n8k16.B", "u8[8,16]", |lane, i| [lane / 4, lane % 4 * 4 + i]);
    let a_of_bytes = |lane: usize, i: usize| {
        let row = lane / 4 + if matches!(i / 4, 0 | 2) { 0 } else { 8 };
        [row, lane % 4 * 4 + i % 4 + if i < 8 { 0 } else { 16 }]
    };
    lanes(compared, "mma.m16n8k32.A", "s8[16,32]", a_of_bytes);
    lanes(compared, "mma.m16n8k32.A", "f8e4m3fn[16,32]", a_of_bytes);
    lanes(compared, "mma.m16n8k32.B", "s8[8,32]", |lane, i| {
        [lane / 4, lane % 4 * 4 + i % 4 + if i < 4 { 0 } else { 16 }]
    });
    lanes(compared, "mma.m16n8k32.B", "u4[8,32]", |lane, i| [lane / 4, lane % 4 * 8 + i]);
    lanes(compared, "mma.m16n8k32.A", "u4[16,32]", |lane, i| {
        [lane / 4 + i / 8 * 8, lane % 4 * 8 + i % 8]
    });
    lanes(compared, "mma.m16n8k64.A", "s4[16,64]", |lane, i| {
        let row = lane / 4 + if matches!(i / 8, 0 | 2) { 0 } else { 8 };
        [row, lane % 4 * 8 + i % 8 + if i < 16 { 0 } else { 32 }]
    });
    lanes(compared, "mma.m16n8k64.B", "u4[8,64]", |lane, i| {
        [lane / 4, lane % 4 * 8 + i % 8 + if i < 8 { 0 } else { 32 }]
    });
}

fn single_bits_and_sparse_by_the_ptx_isa(compared: &mut Compared) {
    lanes(compared, "mma.m16n8k128.A", "u1[16,128]", |lane, i| {
        [lane / 4 + if i < 32 { 0 } else { 8 }, lane % 4 * 32 + i % 32]
    });
    lanes(compared, "mma.m16n8k256.A", "u1[16,256]", |lane, i| {
        let row = lane / 4 + if i < 32 || (64..96).contains(&i) { 0 } else { 8 };
        [row, lane % 4 * 32 + i % 32 + if i < 64 { 0 } else { 128 }]
    });
    lanes(compared, "mma.m16n8k256.B", "u1[8,256]", |lane, i| {
        [lane / 4, lane % 4 * 32 + i % 32 + if i < 32 { 0 } else { 128 }]
    });
    for name in ["mma.m16n8k128.B", "mma.m8n8k128.A", "mma.m8n8k128.B"] {
        lanes(compared, name, "u1[8,128]", |lane, i| [lane / 4, lane % 4 * 32 + i]);
    }
    lanes(compared, "mma.m8n8.C", "s32[8,8]", |lane, i| [lane / 4, lane % 4 * 2 + i]);
    lanes(compared, "mma.sp.m16n8k64.B", "s8[8,64]", |lane, i| {
        [lane / 4, lane % 4 * 4 + i % 4 + i / 4 * 16]
    });
    lanes(compared, "mma.sp.m16n8k128.B", "f4e2m1fn[8,128]", |lane, i| {
        [lane / 4, lane % 4 * 8 + i % 8 + i / 8 * 32]
    });
}

fn wgmma_by_the_ptx_isa(compared: &mut Compared) {
    let row = |thread: usize, half: usize| thread / 32 * 16 + thread % 32 / 4 + half * 8;
    lanes(compared, "wgmma.A", "f16[64,16]", |thread, i| {
        [row(thread, i / 2 % 2), thread % 4 * 2 + i % 2 + i / 4 * 8]
    });
    lanes(compared, "wgmma.A", "s8[64,32]", |thread, i| {
        [row(thread, i / 4 % 2), thread % 4 * 4 + i % 4 + i / 8 * 16]
    });
    lanes(compared, "wgmma.A", "f32[64,8]", |thread, i| {
        [row(thread, i % 2), thread % 4 + i / 2 * 4]
    });
    for n in [8, 16, 24, 32, 48, 64, 96, 128, 192, 256] {
        lanes(compared, "wgmma.D", &format!("f32[64,{n}]"), |thread, i| {
            [row(thread, i / 2 % 2), i / 4 * 8 + thread % 4 * 2 + i % 2]
        });
    }
}

fn ldmatrix_by_the_ptx_isa(compared: &mut Compared) {
    for (name, count) in [("ldmatrix.x1", 1), ("ldmatrix.x2", 2), ("ldmatrix.x4", 4)] {
        let array = format!("f16[{count},8,8]");
        lanes(compared, name, &array, |lane, i| [i / 2, lane / 4, lane % 4 * 2 + i % 2]);
    }
    lanes(compared, "ldmatrix.x4.trans", "bf16[4,8,8]", |lane, i| {
        [i / 2, lane % 4 * 2 + i % 2, lane / 4]
    });
}

/// `tdpbf16ps` and `tdpbssd` add the products of `a[m][k]` with `b[k / v][v * n + k % v]`, `v` being 2 or 4.
fn amx_and_vnni_by_intel(compared: &mut Compared) {
    check(compared, "amx.B", "bf16[32,16]", |slot| [slot / 32 * 2 + slot % 2, slot % 32 / 2]);
    check(compared, "amx.B", "s8[64,16]", |slot| [slot / 64 * 4 + slot % 4, slot % 64 / 4]);
    check(compared, "vnni", "bf16[6,10]", |slot| [slot / 20 * 2 + slot % 2, slot % 20 / 2]);
    check(compared, "vnni", "u8[8,5]", |slot| [slot / 20 * 4 + slot % 4, slot % 20 / 4]);
}

/// A vector of 128 bits has 2 rows for the products of matrices, 4 for the products of vectors.
fn neon_by_arm(compared: &mut Compared) {
    let vectors = |rows: usize, columns: usize, per_row: usize| {
        move |slot: usize| {
            let (vector, at) = (slot / (rows * columns), slot % (rows * columns));
            [vector / per_row * rows + at / columns, vector % per_row * columns + at % columns]
        }
    };
    check(compared, "smmla", "s8[6,24]", vectors(2, 8, 3));
    check(compared, "bfmmla", "bf16[6,12]", vectors(2, 4, 3));
    check(compared, "sdot", "u8[8,12]", vectors(4, 4, 3));
}

/// AMD's instruction set of CDNA 3, "Matrix fused-multiply-add": 64 lanes hold an operand of as many blocks as the
/// instruction multiplies. Of A and B, lanes count the rows of A or the columns of B, then the values along K, then
/// the blocks.
fn mfma_by_amd(compared: &mut Compared) {
    // Row of A or column of B, and place along K: `side` rows or columns, `each` values of a lane.
    let operand =
        |side: usize, each: usize| move |lane, value| (lane % side, lane / side * each + value);
    let of_a = |(row, k): (usize, usize)| [row, k];
    let of_b = |(column, k): (usize, usize)| [k, column];
    let (halves, bytes, one) = (operand(16, 4), operand(16, 8), operand(16, 1));
    lanes(compared, "v_mfma_f32_16x16x16_f16.A", "f16[16,16]", |l, v| of_a(halves(l, v)));
    lanes(compared, "v_mfma_f32_32x32x8_f16.B", "f16[8,32]", |l, v| of_b(operand(32, 4)(l, v)));
    lanes(compared, "v_mfma_f32_16x16x4_f32.A", "f32[16,4]", |l, v| of_a(one(l, v)));
    lanes(compared, "v_mfma_f32_32x32x2_f32.B", "f32[2,32]", |l, v| of_b(operand(32, 1)(l, v)));
    lanes(compared, "v_mfma_i32_16x16x32_i8.B", "s8[32,16]", |l, v| of_b(bytes(l, v)));
    lanes(compared, "v_mfma_i32_32x32x16_i8.A", "u8[32,16]", |l, v| of_a(operand(32, 8)(l, v)));
    let fp8 = "v_mfma_f32_16x16x32_fp8_fp8.B";
    lanes(compared, fp8, "f8e4m3fnuz[32,16]", |l, v| of_b(bytes(l, v)));
    lanes(compared, "v_mfma_f64_16x16x4_f64.A", "f64[16,4]", |l, v| of_a(one(l, v)));
    lanes(compared, "v_mfma_f32_16x16x8_xf32.B", "f32[8,16]", |l, v| of_b(operand(16, 2)(l, v)));
    // Several blocks: all 4 places along K are in one lane.
    let a_of_4 = "v_mfma_f32_4x4x4_16b_f16.A";
    lanes(compared, a_of_4, "f16[16,4,4]", |lane, value| [lane / 4, lane % 4, value]);
    let b_of_16 = "v_mfma_f32_16x16x4_4b_f16.B";
    lanes(compared, b_of_16, "f16[4,4,16]", |lane, value| [lane / 16, value, lane % 16]);
    let a_of_32 = "v_mfma_f32_32x32x4_2b_f16.A";
    lanes(compared, a_of_32, "f16[2,32,4]", |lane, value| [lane / 32, lane % 32, value]);

    // Of C and D, lanes count the columns, then four rows each.
    for name in ["v_mfma_f32_16x16x16_f16.D", "v_mfma_f32_16x16x4_f32.D"] {
        lanes(compared, name, "f32[16,16]", |lane, value| [lane / 16 * 4 + value, lane % 16]);
    }
    let row_of_32 = |lane: usize, value: usize| value / 4 * 8 + lane / 32 * 4 + value % 4;
    let d_of_bytes = "v_mfma_i32_32x32x16_i8.D";
    lanes(compared, d_of_bytes, "s32[32,32]", |lane, value| [row_of_32(lane, value), lane % 32]);
    let d_of_32 = "v_mfma_f32_32x32x4_2b_f16.D";
    lanes(compared, d_of_32, "f32[2,32,32]", |lane, value| {
        [value / 16, row_of_32(lane, value % 16), lane % 32]
    });
    let d_of_4 = "v_mfma_f32_4x4x4_16b_f16.D";
    lanes(compared, d_of_4, "f32[16,4,4]", |lane, value| [lane / 4, value, lane % 4]);
    // Doubles: four lanes hold four rows, then the next four.
    let d_of_doubles = "v_mfma_f64_16x16x4_f64.D";
    lanes(compared, d_of_doubles, "f64[16,16]", |lane, value| [value * 4 + lane / 16, lane % 16]);
}

/// AMD's instruction sets of RDNA 3 and RDNA 4, "Wave Matrix Multiply Accumulate", for waves of 32 lanes.
fn wmma_by_amd(compared: &mut Compared) {
    // RDNA 3: the lower lanes hold the even rows of D, the upper lanes the odd ones.
    let rdna3 = "v_wmma_f32_16x16x16_f16.D.rdna3";
    lanes(compared, rdna3, "f32[16,16]", |lane, value| [value * 2 + lane / 16, lane % 16]);
    // RDNA 4: the lower lanes hold the first 8 rows.
    let rdna4 = "v_wmma_f32_16x16x16_f16.D.rdna4";
    lanes(compared, rdna4, "f32[16,16]", |lane, value| [lane / 16 * 8 + value, lane % 16]);
    let b_of_bytes = "v_wmma_i32_16x16x16_iu8.B.rdna4";
    lanes(compared, b_of_bytes, "u8[16,16]", |lane, value| [lane / 16 * 8 + value, lane % 16]);
    // Halves of A: lower and upper lanes take turns along K, every 4 places.
    lanes(compared, "v_wmma_f32_16x16x16_f16.A.rdna4", "f16[16,16]", |lane, value| {
        [lane % 16, value / 4 * 8 + lane / 16 * 4 + value % 4]
    });
}

/// KleidiAI's packing of right-hand sides, its names being `p<nr>x<kr>`: K is padded to a multiple of 32. Of each `nr`
/// rows, `kr` bytes of the first row come first, then `kr` bytes of the next one; `kr` is divided by `sr`. A byte of
/// 4-bit weights has the elements k and k + 16 of 32.
fn kleidiai_by_arm(compared: &mut Compared) {
    for (name, nr, kr, sr, is_packed) in [
        ("qsi8cxp4x4", 4, 4, 1, false),
        ("qsi8cxp4x8", 4, 8, 1, false),
        ("qsi8cxp8x8", 8, 8, 1, false),
        ("qsi8cxp4x16", 4, 16, 1, false),
        ("qsi8cxp12x4", 12, 4, 1, false),
        ("qsi4cxp4x8", 4, 8, 1, true),
        ("qsi4cxp4x8 sr=2", 4, 8, 2, true),
        ("qsi4cxp4x16 sr=2", 4, 16, 2, true),
        ("qsi4cxp8x8 sr=2", 8, 8, 2, true),
        ("qsi4cxp8x16 sr=2", 8, 16, 2, true),
    ] {
        let per_byte = if is_packed { 2 } else { 1 };
        for (n, k) in [(nr, 32), (nr * 2, 96), (nr + 1, 64), (2 * nr - 1, 40)] {
            let columns = usize::next_multiple_of(k, 32);
            let slots = usize::next_multiple_of(n, nr) * columns;
            let array = format!("{}[{n},{k}]", if is_packed { "u4" } else { "s8" });
            padded(compared, name, &array, slots, |slot| {
                let (group, slot) = (slot / (nr * columns), slot % (nr * columns));
                let (byte, nibble) = (slot / per_byte, slot % per_byte);
                let (piece, at) = (byte / (kr / sr), byte % (kr / sr));
                let byte_of_row = piece / nr * (kr / sr) + at;
                let k = match per_byte {
                    1 => byte_of_row,
                    _ => byte_of_row / 16 * 32 + nibble * 16 + byte_of_row % 16,
                };
                [group * nr + piece % nr, k]
            });
        }
    }
}

/// TVM's index map: `n, h // 8, w // 4, c // 32, h % 8, (w % 4) // 2, c % 32, w % 2`.
fn croutons_by_tvm(compared: &mut Compared) {
    let sizes = [2, 2, 3, 2, 8, 2, 32, 2];
    check(compared, "crouton", "f16[2,16,12,64]", |slot| {
        let [n, h, w, c, h8, w2, c32, w1] =
            layout_tests::naive::unflatten(slot, &sizes).try_into().unwrap();
        [n, h * 8 + h8, w * 4 + w2 * 2 + w1, c * 32 + c32]
    });
}

/// A byte is 8 rows of one column, the first in its lowest bit.
fn bitmaps_by_the_data_sheet(compared: &mut Compared) {
    check(compared, "ssd1306", "u1[64,128]", |slot| {
        [slot / 8 / 128 * 8 + slot % 8, slot / 8 % 128]
    });
}

/// A 32-bit word has as many rows of a column as it has codes; the last words of a column are padded.
fn gptq_by_its_words(compared: &mut Compared) {
    for (element, codes) in [("u2", 16), ("u4", 8), ("u8", 4)] {
        for (k, n) in [(35, 4), (1, 3), (64, 5)] {
            let words = usize::div_ceil(k, codes);
            padded(compared, "gptq", &format!("{element}[{k},{n}]"), words * codes * n, |slot| {
                let (word, code) = (slot / codes, slot % codes);
                [word / n * codes + code, word % n]
            });
        }
    }
}

/// QQQ's `pack` for weights in groups: 16 rows after one another, and of these 64 columns after one another. In such a
/// block, thread i of 32 has four words, one of each 16 columns.
fn qqq_by_its_permutation(compared: &mut Compared) {
    for (k, n) in [(16, 64), (48, 128), (32, 192)] {
        check(compared, "qqq", &format!("u4[{k},{n}]"), |slot| {
            let (word, nibble) = (slot / 8, slot % 8);
            let (rows, word) = (word / (n * 2), word % (n * 2));
            let (columns, thread, sixteen) = (word / 128, word % 128 / 4, word % 4);
            // Before they are interleaved, codes are four rows of a column, then four rows of the column 8 further.
            let code = [0, 2, 4, 6, 1, 3, 5, 7][nibble];
            let row = rows * 16 + thread % 4 * 4 + code % 4;
            [row, columns * 64 + sixteen * 16 + thread / 4 + code / 4 * 8]
        });
    }
}

/// quanto's `pack_weights` shifts the codes of each part of the rows, and adds them up.
fn quanto_by_its_parts(compared: &mut Compared) {
    for (element, parts) in [("u4", 2), ("u2", 4)] {
        check(compared, "quanto", &format!("{element}[{parts},3,5]"), |slot| {
            let (byte, part) = (slot / parts, slot % parts);
            [part, byte / 5, byte % 5]
        });
    }
}
