//! The numbers that XLA's documents, tests and users' reports work out.

use layout::analysis::{Formula, PadReshapeTranspose};
use layout::shape::UnknownSize;
use layout::{ArrayShape, Shape, Size, xla};

fn array(text: &str) -> ArrayShape {
    text.parse().unwrap_or_else(|error| panic!("{text}:\n{error}"))
}

/// `index → offset`, both ways.
fn maps(text: &str, pairs: &[(&[Size], Size)]) {
    let digits = array(text).digits().unwrap();
    for (index, offset) in pairs {
        assert_eq!(digits.offset(index), Some(*offset), "{text} {index:?}");
        assert_eq!(*digits.index(*offset).unwrap(), **index, "{text} {offset}");
    }
}

/// The offsets of each row of a two-dimensional array.
fn rows(text: &str, rows: &[&[Size]]) {
    for (i, row) in rows.iter().enumerate() {
        for (j, offset) in row.iter().enumerate() {
            maps(text, &[(&[i as Size, j as Size], *offset)]);
        }
    }
}

#[test]
fn figures_of_the_document() {
    rows("f32[3,5]{1,0:T(2,2)}", &[&[0, 1, 4, 5, 8], &[2, 3, 6, 7, 10], &[12, 13, 16, 17, 20]]);
    let shape = array("f32[3,5]{1,0:T(2,2)}");
    assert_eq!(shape.padded_elements(), Some(24));
    let digits = shape.digits().unwrap();
    let padding = (0..24).filter(|&slot| digits.index(slot).is_none()).collect::<Vec<_>>();
    assert_eq!(padding, [9, 11, 14, 15, 18, 19, 21, 22, 23]);

    rows(
        "f32[4,8]{1,0:T(2,4)(2,1)}",
        &[
            &[0, 2, 4, 6, 8, 10, 12, 14],
            &[1, 3, 5, 7, 9, 11, 13, 15],
            &[16, 18, 20, 22, 24, 26, 28, 30],
            &[17, 19, 21, 23, 25, 27, 29, 31],
        ],
    );
}

#[test]
fn combined_dimensions() {
    for text in
        ["F32[2,7,8,11,10]{4,3,2,1,0:T(*,*,2,*,3)}", "f32[2,7,8,11,10]<4,3,2,1,0:T(-1,-1,2,-1,3)>"]
    {
        let shape = array(text);
        maps(text, &[(&[1, 6, 7, 10, 9], 12430), (&[0, 0, 0, 0, 0], 0)]);
        assert_eq!(shape.padded_elements(), Some(12432));
        assert_eq!(shape.bytes(), Some(49728));
        // XLA computes 0 here; combined as the document says, its first tile is all there is.
        assert_eq!(xla::array_size(&shape), Some(49728));
        assert_eq!(*shape.physical_dims().unwrap(), [56, 37, 2, 3]);
    }
}

#[test]
fn pad_reshape_transpose_step_by_step() {
    let shape = array("bf16[20,300]{1,0:T(8,128)(2,1)}");
    let steps = PadReshapeTranspose::of(&shape).collect::<Vec<_>>();
    assert_eq!(steps.len(), 2);
    assert_eq!(*steps[0].combined, [20, 300]);
    assert_eq!(*steps[0].padded, [24, 384]);
    assert_eq!(*steps[0].reshaped, [3, 8, 3, 128]);
    assert_eq!(*steps[0].permutation, [0, 2, 1, 3]);
    assert_eq!(*steps[0].result, [3, 3, 8, 128]);
    assert_eq!(*steps[1].combined, [3, 3, 8, 128]);
    assert_eq!(*steps[1].padded, [3, 3, 8, 128]);
    assert_eq!(*steps[1].reshaped, [3, 3, 4, 2, 128, 1]);
    assert_eq!(*steps[1].permutation, [0, 1, 2, 4, 3, 5]);
    assert_eq!(*steps[1].result, [3, 3, 4, 128, 2, 1]);

    // A tile longer than the array.
    let shape = array("f32[8]{0:T(2,2)}");
    let step = PadReshapeTranspose::of(&shape).next().unwrap();
    assert_eq!(*step.combined, [1, 8]);
    assert_eq!(*step.padded, [2, 8]);
    assert_eq!(PadReshapeTranspose::of(&shape).len(), 1);
    assert_eq!(PadReshapeTranspose::of(&array("f32[?]{0:T(2,2)}")).len(), 0);
}

#[test]
fn linear_indices_of_xla() {
    maps(
        "bf16[2048]{0:T(1024)(128)(2,1)}",
        &[
            (&[0], 0),
            (&[1], 2),
            (&[2], 4),
            (&[127], 254),
            (&[128], 1),
            (&[129], 3),
            (&[255], 255),
            (&[256], 256),
            (&[257], 258),
            (&[1023], 1023),
            (&[1024], 1024),
            (&[2047], 2047),
        ],
    );
    maps("bf16[2,8,128]{2,1,0:T(8,128)(2,1)}", &[(&[0, 0, 0], 0), (&[0, 2, 0], 256)]);
    maps("f32[8,4]{1,0:T(2,2)}", &[(&[3, 1], 11)]);
    maps("f32[8,4]{1,0}", &[(&[3, 1], 13)]);
    maps("u32[]{:T(128)}", &[(&[], 0)]);
    assert_eq!(array("u32[]{:T(128)}").digits().unwrap().index(1), None);
    maps("f32[3]{0:T(8,128)}", &[(&[2], 2)]);
    maps("f32[8]{0:T(2,2)}", &[(&[5], 9)]);
    maps("f32[100]{0}", &[(&[42], 42)]);
    maps("f32[10,20]{0,1}", &[(&[0, 0], 0), (&[9, 19], 199), (&[3, 5], 53)]);
    maps("f32[10,20]{1,0}", &[(&[0, 0], 0), (&[9, 19], 199), (&[3, 5], 65)]);
    maps("f32[10,20,30]{2,1,0}", &[(&[3, 5, 7], 1957), (&[8, 15, 27], 5277)]);
    maps("f32[10,20,30]{1,2,0}", &[(&[3, 5, 7], 1945), (&[8, 15, 27], 5355)]);
    maps("f32[10,20,30,40]{3,2,1,0}", &[(&[3, 5, 7, 9], 78289), (&[8, 15, 27, 33], 211113)]);
    for order in ["6,5,4,3,2,1,0", "0,1,2,3,4,5,6", "4,5,1,2,6,0,3"] {
        let digits = array(&format!("f32[10,20,30,40,30,20,10]{{{order}}}")).digits().unwrap();
        for offset in [0, 1439999999, 1145567336, 43883404, 617295214, 1117613654] {
            let index = digits.index(offset).unwrap();
            assert_eq!(digits.offset(&index), Some(offset), "{order}");
        }
    }
    let memory = |text: &str| {
        let shape = array(text);
        let dims = shape.dims().iter().map(|dim| dim.size().unwrap()).collect::<Vec<_>>();
        (0..shape.elements().unwrap())
            .map(|slot| {
                let index = shape.digits().unwrap().index(slot).unwrap();
                1 + index.iter().zip(&dims).fold(0, |number, (i, dim)| number * dim + i)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!(memory("s32[2,3]{0,1}"), [1, 4, 2, 5, 3, 6]);
    assert_eq!(memory("s32[2,3]{1,0}"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(memory("s32[2,2,3]{0,1,2}"), [1, 7, 4, 10, 2, 8, 5, 11, 3, 9, 6, 12]);
    assert_eq!(memory("s32[2,2,3]{2,1,0}"), (1..=12).collect::<Vec<_>>());
}

#[test]
fn packed_formats() {
    let bf16 = "bf16[16,128]{1,0:T(8,128)(2,1)}";
    for (row, [first, second, last]) in [
        (0, [0, 2, 254]),
        (1, [1, 3, 255]),
        (2, [256, 258, 510]),
        (3, [257, 259, 511]),
        (7, [769, 771, 1023]),
        (8, [1024, 1026, 1278]),
        (15, [1793, 1795, 2047]),
    ] {
        maps(bf16, &[(&[row, 0], first), (&[row, 1], second), (&[row, 127], last)]);
    }
    let s8 = "s8[32,128]{1,0:T(8,128)(4,1)}";
    for (row, [first, second, last]) in [
        (0, [0, 4, 508]),
        (1, [1, 5, 509]),
        (3, [3, 7, 511]),
        (4, [512, 516, 1020]),
        (31, [3587, 3591, 4095]),
    ] {
        maps(s8, &[(&[row, 0], first), (&[row, 1], second), (&[row, 127], last)]);
    }
    maps(s8, &[(&[8, 0], 1024)]);
}

#[test]
fn tiles_that_reach_across_tiles() {
    rows(
        "f32[4,8]{1,0:T(2,4)(2,2,4)}",
        &[&[0, 1, 2, 3, 8, 9, 10, 11], &[4, 5, 6, 7, 12, 13, 14, 15]],
    );
    let dims = |text: &str| array(text).physical_dims().unwrap().to_vec();
    assert_eq!(dims("f32[4,8]{1,0:T(2,4)(2,2,4)}"), [2, 1, 1, 1, 2, 2, 4]);
    rows(
        "f32[4,8]{1,0:T(2,4)(2,2,1)}",
        &[
            &[0, 4, 8, 12, 2, 6, 10, 14],
            &[1, 5, 9, 13, 3, 7, 11, 15],
            &[16, 20, 24, 28, 18, 22, 26, 30],
            &[17, 21],
        ],
    );
    assert_eq!(dims("f32[4,8]{1,0:T(2,4)(2,2,1)}"), [2, 1, 1, 4, 2, 2, 1]);
    for (i, offset) in [0, 1, 3, 4, 6].into_iter().enumerate() {
        maps("f32[5]{0:T(2)(3)}", &[(&[i as Size], offset)]);
    }
    let shape = array("f32[5]{0:T(2)(3)}");
    assert_eq!((shape.padded_elements(), xla::array_size(&shape)), (Some(9), Some(24)));
    let shape = array("f32[3,5]{1,0:T(2,2)(3)}");
    assert_eq!(dims("f32[3,5]{1,0:T(2,2)(3)}"), [2, 3, 2, 1, 3]);
    assert_eq!((shape.padded_elements(), xla::array_size(&shape)), (Some(36), Some(96)));
    assert_eq!(shape.digits().unwrap().offset(&[2, 4]), Some(30));
    rows("f32[2,3]{0,1:T(2,2)}", &[&[0, 2, 4], &[1, 3, 5]]);

    // XLA's own inverse is wrong here: it drops the dimensions that a later tile puts in front.
    maps("f32[8,8]{1,0:T(2,2)(2,2,2,2,2)}", &[(&[3, 5], 43)]);
    let digits = array("f32[8,8]{1,0:T(2,2)(2,2,2,2,2)}").digits().unwrap();
    for (i, j) in (0..8).flat_map(|i| (0..8).map(move |j| (i, j))) {
        assert_eq!(*digits.index(digits.offset(&[i, j]).unwrap()).unwrap(), [i, j]);
    }
}

#[test]
fn sizes_of_xla() {
    for (text, bytes) in [
        ("f32[]", 4),
        ("f32[10,20]", 800),
        ("f64[10,20]", 1600),
        ("c64[10,20]", 1600),
        ("f64[]", 8),
        ("c64[]", 8),
        ("s4[64,128]{1,0:E(4)}", 4096),
        ("s4[9216,6144]{1,0:T(64,128)(8,1)E(4)}", 28311552),
        ("s4[0,64,128]{2,1,0:E(4)}", 0),
        ("s4[128,0,64]{2,1,0:E(4)}", 0),
        ("s4[63,127,0]{2,1,0:E(4)}", 0),
        ("s32[3,2]{1,0}", 24),
        ("s32[1,127]{1,0:T(2,128)E(32)}", 1024),
        ("s4[1,1023]{1,0:T(2,1024)E(4)}", 1024),
        ("bf16[16,1280,40]{2,1,0:T(8,128)(2,1)}", 5242880),
        ("bf16[16,1280,40]{1,2,0:T(8,128)(2,1)}", 1638400),
        ("u8[327680,327680]{1,0:T(8,128)(4,1)}", 107374182400),
        ("f32[1024,245,64]{1,2,0:T(8,128)}", 64 << 20),
        ("f32[29184,2,2560]{2,1,0:T(2,128)}", 570 << 20),
        ("f32[29184,1,2560]{2,1,0:T(2,128)}", 570 << 20),
        ("s32[8,2]{0,1:T(2,128)}", 1024),
        ("f32[3,5]{1,0:T(2,2)}", 96),
        ("f32[]{:T(256)}", 1024),
        ("f32[3]{0:T(8,128)}", 4096),
        ("f32[3,5]{1,0:T(2,2,2)}", 192),
        ("f32[3,5]{1,0:T(2,2)L(1024)}", 4096),
        ("f32[0,5]{1,0:T(2,2)}", 0),
        ("pred[7]", 7),
        ("s4[7]", 7),
    ] {
        assert_eq!(xla::array_size(&array(text)), Some(bytes), "{text}");
        assert_eq!(array(text).bytes(), Some(bytes), "{text}");
    }
    // Where XLA does not follow its document.
    let shape = array("f32[3,5]{1,0:L(1024)}");
    assert_eq!((xla::array_size(&shape), shape.bytes()), (Some(60), Some(4096)));
    // A split array takes the memory of its longest part.
    let shape = array("f32[150,200,100]{0,1,2:SC(0:30)(1:40,130)}");
    assert_eq!((xla::array_size(&shape), shape.bytes()), (Some(12_000_000), Some(12_000_000)));
    let shape = array("f32[150,200,100]{0,1,2:T(1)SC(0:30)(1:40,130)}");
    assert_eq!(xla::array_size(&shape), Some(4 * 150 * 90 * 70));
    assert_eq!(shape.bytes(), Some(12_000_000));
}

#[test]
fn padding_that_users_reported() {
    const MIB: Size = 1 << 20;
    for (text, unpadded, padded) in [
        ("s32[8388608,8,4]{2,1,0:T(8,128)}", 1024 * MIB, 32768 * MIB),
        ("s32[8388608,8,4]{0,2,1:T(4,128)}", 1024 * MIB, 1024 * MIB),
        ("s32[2048,1,128,128,4]{4,3,2,0,1:T(8,128)}", 512 * MIB, 16384 * MIB),
        ("bf16[2048,1,2048,128]{0,1,3,2:T(4,128)(2,1)}", 1024 * MIB, 4096 * MIB),
        ("u32[12582912,1]{1,0:T(8,128)}", 48 * MIB, 6144 * MIB),
    ] {
        let shape = array(text);
        assert_eq!(shape.unpadded_bytes(), Some(unpadded), "{text}");
        assert_eq!(shape.bytes(), Some(padded), "{text}");
    }
    // Here nothing is padded, but a truth value takes 32 bits.
    let shape = array("pred[64,512,2048]{2,1,0:T(8,128)E(32)}");
    assert_eq!((shape.padded_elements(), shape.bytes()), (Some(64 * MIB), Some(256 * MIB)));
    assert_eq!(array("pred[64,512,2048]{2,1,0:T(8,128)}").bytes(), Some(64 * MIB));
}

#[test]
fn explicit_padding() {
    let shape = array("F32[2,3]{0,1:PAD(3,5)FILL(zero)}");
    let digits = shape.digits().unwrap();
    let memory = (0..15)
        .map(|slot| {
            digits.index(slot).map_or('0', |index| {
                char::from(b'a' + u8::try_from(index[0] * 3 + index[1]).unwrap())
            })
        })
        .collect::<String>();
    assert_eq!(memory, "ad0be0cf0000000");
    assert_eq!(shape.padded_elements(), Some(15));
    // The old rule: the size is that of the padded array.
    assert_eq!(array("f32[10,20]{1,0:PAD(15,21)}").bytes(), Some(1260));
}

/// Without elements there is no memory, whatever pads; and XLA's sizes count `PAD` and only the first
/// tile.
#[test]
fn sizes_with_padding() {
    for (text, padded, bytes, xla) in [
        ("f32[0]{0:PAD(5)}", 0, 0, 0),
        ("f32[0]{0:PAD(5)T(4)}", 0, 0, 0),
        ("f32[0]{0:T(4)L(8)}", 0, 0, 0),
        ("f32[2,3]{1,0:PAD(3,5)}", 15, 60, 60),
        ("f32[2,3]{1,0:PAD(3,5)T(2,2)}", 24, 96, 96),
        ("f32[2,3]{1,0:PAD(3,5)T(2,2)(3)}", 36, 144, 96),
        (
            "pred[9223372036854775806]{0:L(9223372036854775807)E(1)}",
            Size::MAX / 2,
            1 << 60,
            1152921504606846976,
        ),
    ] {
        let shape = array(text);
        let sizes = [shape.padded_elements(), shape.bytes(), xla::array_size(&shape)];
        assert_eq!(sizes, [Some(padded), Some(bytes), Some(xla)], "{text}");
    }
}

#[test]
fn elements() {
    for (text, elements, true_rank) in [
        ("f32[]", 1, 0),
        ("f32[0]", 0, 0),
        ("f32[1,1]", 1, 0),
        ("f32[2,1]", 2, 1),
        ("f32[3,0,5]", 0, 2),
        ("f32[1,3,5]", 15, 2),
        ("f32[13,17]", 221, 2),
        ("f32[<=3,5]", 15, 2),
    ] {
        assert_eq!(array(text).elements(), Some(elements), "{text}");
        assert_eq!(xla::true_num_dimensions(&array(text)), true_rank, "{text}");
    }
}

#[test]
fn unknown_sizes() {
    let shape = array("f32[?,1024]{1,0:T(8,128)}");
    assert_eq!(shape.elements(), None);
    assert_eq!(shape.padded_elements(), None);
    assert_eq!(shape.bytes(), None);
    assert_eq!(shape.unpadded_bytes(), None);
    assert_eq!(xla::array_size(&shape), None);
    assert!(shape.physical_dims().is_none());
    assert_eq!(shape.digits().unwrap_err(), UnknownSize { dim: 0 });
}

#[test]
fn tuples_print_an_index_every_five() {
    let shape: Shape = "(f32[],f32[],f32[],f32[],f32[],f32[])".parse().unwrap();
    assert_eq!(shape.to_string(), "(f32[], f32[], f32[], f32[], f32[], /*index=5*/f32[])");
}

/// A tile that a combined dimension does not reach across leaves no digit that is always 0: how many
/// values the combination can take is counted exactly, without what is padded.
#[test]
fn combined_dimensions_within_a_tile() {
    for (text, expected) in [
        ("f32[4,2,3]{2,1,0:T(2,*,5)}", "i0/2·20 + s0/5·10 + i0%2·5 + s0%5"),
        ("f32[4,2,3]{2,1,0:T(2,*,6)}", "i0·6 + s0"),
        ("f32[4,2,3]{2,1,0:PAD(4,2,4)T(2,*,6)}", "i0/2·24 + s0/6·12 + i0%2·6 + s0%6"),
        ("f32[4,2,3]{2,1,0:PAD(4,2,4)T(2,*,7)}", "i0/2·28 + i0%2·7 + s0"),
    ] {
        let formula = Formula::of(&array(text));
        assert_eq!(formula.to_string(), expected, "{text}");
    }
}
