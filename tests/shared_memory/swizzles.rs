//! Swizzles: as CuTe, cuda-oxide and TVM define and write them, and on layouts.

use layout::__private::copies::check_reshape_within;
use layout::bitcast::same_bytes;
use layout::shape::{FaultKind, Place};
use layout::shape::{Size, Swizzle, SwizzleUnit};
use layout_gpu::shared::{TileError, mma_tile};
use layout_notation::notation::{
    Cute, Einops, Jax, Mosaic, NotExpressible, NotThisLayout, Numpy, OneDnn, Packs,
    SwizzleNotation, TvmTile,
};
use layout_tests::data;
use layout_tests::lists::array;
use layout_tests::table::{self, or_name};
use serde_json::Value;

use crate::shared::{self, number, numbers};

/// The rows of `data/swizzle/swizzles.jsonl` of a kind, of which there are `count`.
fn rows(kind: &str, count: usize) -> Vec<Value> {
    let rows = shared::rows("swizzles", kind);
    assert_eq!(rows.len(), count, "{kind}");
    rows
}

/// An offset before a swizzle and after it.
fn pairs(row: &Value) -> impl Iterator<Item = [Size; 2]> {
    row["pairs"].as_array().unwrap().iter().map(|pair| numbers(pair).try_into().unwrap())
}

/// A tuple as Python writes it.
fn tuple(list: &Value) -> String {
    list.to_string().replace('[', "(").replace(']', ")")
}

/// The hash of a matrix's offsets in row-major order.
fn hash(rows: Size, columns: Size, offset: impl Fn([Size; 2]) -> Size) -> String {
    data::sha256((0..rows * columns).map(|number| offset([number / columns, number % columns])))
}

fn elements(bits: u8, base: u8, shift: i8) -> Swizzle {
    Swizzle::new(SwizzleUnit::Elements, bits, base, shift).unwrap()
}

#[test]
fn cute_swizzles() {
    let numbers = |row: &Value| {
        let [bits, base, shift] = ["bits", "base", "shift"].map(|name| row[name].as_i64().unwrap());
        (bits as u8, base as u8, shift as i8)
    };
    for row in rows("cute_swizzle", 121) {
        let (bits, base, shift) = numbers(&row);
        let swizzle = elements(bits, base, shift);
        for [from, to] in pairs(&row) {
            assert_eq!(swizzle.apply(from), to, "{swizzle} of {from}");
            assert_eq!(swizzle.apply(to), from, "{swizzle} of {to}");
        }
    }
    for row in rows("cute_swizzle_refused", 6) {
        let (bits, base, shift) = numbers(&row);
        let error = Swizzle::new(SwizzleUnit::Elements, bits, base, shift).unwrap_err();
        assert_eq!(error.kind(), FaultKind::SwizzleOverlap { bits, shift });
    }
}

#[test]
fn cute_composed_layouts() {
    for row in rows("cute_composed", 64) {
        let (swizzle, start) = (row["swizzle"].to_string(), number(&row["offset"]));
        let swizzle = swizzle.trim_matches(['[', ']']);
        let (shape, stride) = (tuple(&row["shape"]), tuple(&row["stride"]));
        let text = format!("S<{swizzle}> o {start} o {shape}:{stride}");
        let [rows, columns] = ["rows", "cols"].map(|name| number(&row[name]));
        let is_same = |offset: &dyn Fn([Size; 2]) -> Option<Size>| {
            let found = hash(rows, columns, |index| offset(index).unwrap());
            assert_eq!(row["sha256_offsets_le_i64"], found, "{text}");
        };
        let cute = text.parse::<Cute>().unwrap();
        is_same(&|index| cute.offset(&index));
        let again = cute.to_string().parse::<Cute>().unwrap();
        assert_eq!(again.to_string(), cute.to_string());

        let bits = row["element_bits"].as_u64().unwrap_or(32);
        match cute.layout(&array(&format!("u{bits}[{rows},{columns}]"))) {
            Ok(shape) => {
                let digits = shape.digits().unwrap();
                is_same(&|index| digits.offset(&index));
                let printed = Cute::padded_of(&shape).unwrap();
                is_same(&|index| printed.offset(&index));
            }
            Err(error) => {
                assert_eq!(error, NotThisLayout::Start { start }, "{text}");
                assert_ne!(start, 0, "{text}");
            }
        }
    }
}

#[test]
fn tvm_compositions() {
    for row in rows("tvm_compose", 63) {
        let is_trivial = row["tile"] == "trivial";
        let tile = match is_trivial {
            true => format!("{} : 1", row["size"]),
            false => {
                let [shape, stride] = ["shape", "stride"].map(|name| tuple(&row["tile"][name]));
                format!("{shape} : {stride}")
            }
        };
        let is_inner = row["swizzle_inner"] == true;
        let outer = if is_inner { "" } else { ", swizzle_inner=False" };
        let [per_element, swizzle_len, atom_len] =
            ["per_element", "swizzle_len", "atom_len"].map(|name| row[name].to_string());
        let numbers_of_text = format!("{per_element}, {swizzle_len}, {atom_len}");
        let text = format!("ComposeLayout({numbers_of_text}, TileLayout(S[{tile}]){outer})");
        let tvm = text.parse::<TvmTile>().unwrap();
        let inner = if is_inner { "True" } else { "False" };
        let apart = format!(
            "SwizzleLayout(per_element={per_element}, swizzle_len={swizzle_len}, \
             atom_len={atom_len}, swizzle_inner={inner})"
        );
        let swizzle = SwizzleNotation::Tvm.read(&apart, SwizzleUnit::Elements).unwrap();
        if atom_len != "0" {
            assert_eq!(SwizzleNotation::Tvm.text(swizzle).unwrap().to_string(), apart);
        }
        if is_trivial {
            let plain = array(&format!("u8[{}]", row["size"]));
            let digits = tvm.layout(&plain).unwrap().digits().unwrap();
            for [from, to] in pairs(&row) {
                assert_eq!(digits.offset(&[from]), Some(to), "{text}");
                assert_eq!(swizzle.apply(from), to, "{apart}");
            }
            continue;
        }
        let [rows, columns] = numbers(&row["shape"])[..] else { panic!("{row}") };
        let plain = array(&format!("u8[{rows},{columns}]"));
        let shape = tvm.layout(&plain).unwrap();
        let digits = shape.digits().unwrap();
        let found = hash(rows, columns, |index| digits.offset(&index).unwrap());
        assert_eq!(row["sha256_offsets_le_i64"], found, "{text}");
        let printed = TvmTile::of(&shape).unwrap().to_string();
        let again = printed.parse::<TvmTile>().unwrap().layout(&plain);
        assert_eq!(again, Ok(shape), "{printed}");
    }
}

/// Every small swizzle.
fn all() -> impl Iterator<Item = Swizzle> {
    let numbers = (0..4u8).flat_map(|bits| (0..4).map(move |base| (bits, base)));
    numbers.flat_map(|(bits, base)| {
        let shifts = (-5..=5i8).filter(move |shift| shift.unsigned_abs() >= bits);
        shifts.map(move |shift| elements(bits, base, shift))
    })
}

#[test]
fn small_swizzles_bit_by_bit() {
    for swizzle in all() {
        let (bits, base) = (u32::from(swizzle.bits()), u32::from(swizzle.base()));
        let distance = u32::from(swizzle.shift().unsigned_abs());
        let naive = |offset: Size| {
            (base..base + bits).fold(offset, |to, bit| {
                let (read, written) = match swizzle.shift() {
                    0.. => (bit + distance, bit),
                    _ => (bit, bit + distance),
                };
                to ^ (offset >> read & 1) << written
            })
        };
        let most = 1 << 13;
        for offset in 0..most {
            assert_eq!(swizzle.apply(offset), naive(offset), "{swizzle} of {offset}");
        }
        // The block is the smallest power of two that is mapped to itself, the period the distance at which the pattern repeats.
        let is_closed =
            |block: Size| (0..most).all(|offset| naive(offset) / block == offset / block);
        let repeats =
            |period: Size| (0..most).all(|offset| naive(offset + period) == naive(offset) + period);
        let powers = || (0..13).map(|bit| 1 << bit);
        if swizzle.is_none() {
            assert_eq!((swizzle.block(), swizzle.period()), (1, 1));
            continue;
        }
        assert_eq!(powers().find(|block| is_closed(*block)), Some(swizzle.block()), "{swizzle}");
        assert_eq!(powers().find(|period| repeats(*period)), Some(swizzle.period()), "{swizzle}");
    }
}

#[test]
fn units() {
    for swizzle in all() {
        for element_bits in [4, 8, 16, 32, 64, 128] {
            let Ok(bytes) = swizzle.on_bytes(element_bits) else {
                assert!(element_bits < 8, "{swizzle} of {element_bits} bits");
                continue;
            };
            assert_eq!(bytes.on_elements(element_bits), Ok(swizzle));
            for element in 0..1024 {
                let address = swizzle.apply(element) * element_bits;
                if element * element_bits % 8 == 0 && address % 8 == 0 {
                    assert_eq!(bytes.apply(element * element_bits / 8), address / 8);
                }
            }
        }
        let bytes =
            Swizzle::new(SwizzleUnit::Bytes, swizzle.bits(), swizzle.base(), swizzle.shift());
        let is_whole = swizzle.base() >= 2 || swizzle.is_none();
        assert_eq!(bytes.unwrap().on_elements(32).is_ok(), is_whole, "{swizzle}");
    }
    let odd = Swizzle::MODE_64B.on_elements(24).unwrap_err();
    assert!(matches!(odd.kind(), FaultKind::SwizzleSplits { element_bits: 24, .. }));
    // The highest bits of offsets in one unit are none of those in a smaller one.
    for shift in [1i8, -1, 30, -30] {
        let base = 61 - shift.unsigned_abs();
        let bytes = Swizzle::new(SwizzleUnit::Bytes, 1, base, shift).unwrap();
        assert_eq!(bytes.on_elements(16).unwrap().on_bytes(16), Ok(bytes));
        let high = [bytes.on_elements(1), elements(1, base, shift).on_bytes(128)];
        let kinds = high.map(|swizzle| swizzle.unwrap_err().kind());
        assert_eq!(kinds, [FaultKind::SwizzleTooHigh; 2], "{bytes}");
    }
    let far = mma_tile(&array("c64[64,64]"), 1, elements(1, 0, 61));
    assert_eq!(far, Err(TileError::Swizzle));
}

#[test]
fn texts() {
    for swizzle in all().chain([Swizzle::MODE_32B, Swizzle::MODE_128B_ATOM_32B]) {
        assert_eq!(swizzle.to_string().parse(), Ok(swizzle));
        for notation in SwizzleNotation::ALL {
            match notation.text(swizzle) {
                Ok(text) => {
                    let read = notation.read(&text.to_string(), swizzle.unit());
                    assert_eq!(read.unwrap(), swizzle, "{text}");
                }
                Err(_) => assert!(swizzle.shift() < 0 && *notation == SwizzleNotation::CudaOxide),
            }
        }
    }
    table::check("swizzles", &mut |_, columns| {
        or_name(Swizzle::parse(columns[0]).map_err(|fault| fault.kind()))
    });
}

#[test]
fn shapes_with_a_swizzle() {
    let text = "f16[?,64]{1,0}, swizzle = 128B";
    let shape = array(text);
    assert_eq!(shape.to_string(), text);
    assert_eq!(shape.swizzle(), Swizzle::MODE_128B);
    let known = shape.with_dims(&[3, 64]).unwrap();
    assert_eq!(known.to_string(), "f16[3,64]{1,0}, swizzle = 128B");
    assert_eq!(known.digits().unwrap().offset(&[2, 8]), Some(2 * 64 + (8 ^ 16)));
    assert_eq!(known.without_swizzle(), array("f16[3,64]"));
    let error = shape.xla_text().map(|_| ()).unwrap_err();
    assert_eq!((error.kind(), error.place()), (FaultKind::SwizzleOfXla, Place::Swizzle));
    assert_eq!(known.without_swizzle().xla_text().unwrap().to_string(), "f16[3,64]{1,0}");

    // The same elements at the same places, in two spellings.
    let spelled = array("f16[3,64]{1,0}, swizzle = elements<3,3,3>");
    assert_ne!(spelled, known);
    assert_eq!(same_bytes(&spelled, &known), Ok(()));
    assert!(same_bytes(&known.without_swizzle(), &known).is_err());
    // Under one swizzle, elements stay where they stay without it: in fewer steps than there are elements.
    let split = array("f16[16777216,4,4,4], swizzle = 128B");
    let rows = array("f16[16777216,64], swizzle = 128B");
    assert_eq!(check_reshape_within(&rows, &split, 100), Ok(()));
    let columns = array("f16[16777216,64]{0,1}, swizzle = 128B");
    let moved = same_bytes(&rows, &columns).unwrap_err().to_string();
    assert_eq!(moved, "[0,1] is at offset 1 in one layout and at 16777216 in the other");
    let as_bits = known.with_element_type(layout::ElementType::U16).unwrap();
    assert_eq!(as_bits.to_string(), "u16[3,64]{1,0}, swizzle = 128B");
    let transposed = known.permute_dimensions(&[1, 0]).unwrap();
    assert_eq!(transposed.to_string(), "f16[64,3]{0,1}, swizzle = 128B");
    // No TPU has a swizzle.
    let tpu = known.with_default_layout(layout::tpu::Tpu::V5e).unwrap();
    assert_eq!(tpu, array("f16[3,64]").with_default_layout(layout::tpu::Tpu::V5e).unwrap());
    // One of no bits is none.
    for none in ["elements<0,4,3>", "bytes<0,0,-1>"] {
        assert_eq!(array(&format!("f16[3,64], swizzle = {none}")), array("f16[3,64]"), "{none}");
    }
    // A swizzle that no longer goes with the array is gone.
    let tiled = array("f32[3,5]{1,0:T(4,8)}, swizzle = elements<2,1,2>");
    assert_eq!(tiled.without_tiles().to_string(), "f32[3,5]{1,0}");
}

/// Notations of orders, tiles and strides alone refuse it by name.
#[test]
fn notations_without_swizzles() {
    let tile = array("f16[16,64]{1,0:T(8,64)}, swizzle = 128B");
    let refused = Some(NotExpressible::Swizzle);
    assert_eq!(OneDnn::of(&tile).err(), refused);
    assert_eq!(Einops::of(&tile).err(), refused);
    assert_eq!(Mosaic::of(&tile).err(), refused);
    assert_eq!(Packs::of(&tile).err(), refused);
    assert_eq!(Numpy::of(&tile).err(), refused);
    assert_eq!(Jax::of(&tile).err(), refused);
    assert_eq!(Cute::of(&tile).unwrap().to_string(), "S<3,3,3> o 0 o (16,64):(64,1)");
}
