//! Fragments of operands, against rows of Triton, CuTe, TVM and Mosaic, and by brute force.

mod conversions;
mod triton;
mod tvm;

use std::collections::BTreeMap;

use layout::shape::Size;
use layout_formats::packed_format::{MosaicGpu, PackedFormat};
use layout_gpu::fragment::{
    Axis, Conversion, Fragment, FragmentError, Holder, Instruction, Operand, ThreadDim, Warps,
};
use layout_tests::cute::Text;
use layout_tests::data;
use layout_tests::lists::{array, dims, list};
use layout_tests::naive::{every_index, flatten};
use serde_json::Value;
use static_assertions::const_assert;

use crate::shared::{number, numbers, rows};

type Made = Result<Fragment, FragmentError>;

/// Both directions agree for every holder and every index, and nothing is past the ends.
pub(crate) fn assert_round_trips(fragment: &Fragment) {
    let dims = fragment.dims().to_vec();
    let mut held = BTreeMap::<Vec<Size>, usize>::new();
    for warp in 0..fragment.warps() {
        for lane in 0..fragment.lanes() {
            for column in 0..fragment.columns() {
                for register in 0..fragment.registers() {
                    let holder = Holder { warp, lane, register, column };
                    if let Some(index) = fragment.index(holder) {
                        assert!(
                            fragment.holders(&index).any(|other| other == holder),
                            "{holder:?}"
                        );
                        *held.entry(index.to_vec()).or_default() += 1;
                    }
                }
            }
        }
    }
    for index in every_index(&dims) {
        assert_eq!(held.get(&index).copied(), Some(fragment.copies()), "{index:?}");
        let first = fragment.holder(&index).unwrap();
        for holder in fragment.holders(&index) {
            assert_eq!(*fragment.index(holder).unwrap(), index[..]);
            assert!(Axis::ALL.iter().all(|axis| first.at(*axis) <= holder.at(*axis)));
        }
        assert_eq!(fragment.copy(&index, fragment.copies()), None);
    }
    assert_eq!(fragment.holder(&dims), None);
    assert_eq!(fragment.holder(&[&dims[..], &[0]].concat()), None);
    for past in [
        Holder { warp: fragment.warps(), ..Holder::default() },
        Holder { lane: fragment.lanes(), ..Holder::default() },
        Holder { register: fragment.registers(), ..Holder::default() },
        Holder { column: fragment.columns(), ..Holder::default() },
    ] {
        assert_eq!(fragment.index(past), None);
    }
}

/// The bits of a row's elements.
fn bits(row: &Value) -> Size {
    let name = row["dtype"].as_str().unwrap();
    *[64, 32, 16, 8, 4].iter().find(|bits: &&Size| name.contains(&bits.to_string())).unwrap()
}

fn tiled(row: &Value, in_tensor_memory: bool) -> Made {
    let dims = |name: &str| {
        let of = |dim: &Value| match dim.as_i64() {
            Some(dim) => ThreadDim::Dim(dim as isize),
            None => ThreadDim::Replicated(number(&dim["replicated"])),
        };
        row[name].as_array().unwrap().iter().map(of).collect::<Vec<_>>()
    };
    let shape = numbers(&row["shape"]);
    let order = list(&(0..shape.len()).rev().collect::<Vec<_>>());
    let tiles = row["tiling"].as_array().unwrap().iter();
    let tiles = tiles.map(|tile| format!("({})", list(&numbers(tile)))).collect::<String>();
    let tiled = array(&format!("f32[{}]{{{order}:T{tiles}}}", list(&shape)));
    let vector = row["vector_dim"].as_i64().unwrap() as isize;
    Fragment::tiled(&tiled, &dims("warp_dims"), &dims("lane_dims"), vector, in_tensor_memory)
}

#[test]
fn mosaic() {
    let rows = rows("fragments", "mosaic_tiled_layout");
    assert_eq!(rows.len(), 27);
    for row in &rows {
        let fragment = tiled(row, false).unwrap();
        let shape = numbers(&row["shape"]);
        assert_round_trips(&fragment);
        // A register of Mosaic is a vector.
        let number_at = |thread: Size, register| {
            let holder = Holder::register(thread / 32, thread % 32, register);
            flatten(&fragment.index(holder).unwrap(), &shape)
        };
        let [vector, stride] = ["vector_length", "vector_stride"].map(|name| number(&row[name]));
        let mut firsts = Vec::new();
        for register in (0..fragment.registers()).step_by(vector) {
            for thread in 0..128 {
                let first = number_at(thread, register);
                firsts.push(first);
                for element in 0..vector {
                    assert_eq!(number_at(thread, register + element), first + element * stride);
                }
            }
        }
        assert_eq!(row["sha256_le_i64"], data::sha256(firsts), "{row}");
        if let Some(named) = MosaicGpu::find(row["name"].as_str().unwrap()) {
            let array = array(&format!("f32[{}]", list(&shape)));
            assert_eq!(named.fragment(&array).unwrap(), fragment);
        }
    }
}

#[test]
fn mosaic_tensor_memory() {
    let rows = rows("fragments", "mosaic_tmem_layout");
    assert_eq!(rows.len(), 14);
    for row in &rows {
        let fragment = tiled(row, true).unwrap();
        assert_round_trips(&fragment);
        assert_eq!(fragment.registers(), number(&row["packing"]), "{row}");
        let mut columns = row["columns_32bit"].as_object().into_iter().flatten();
        assert!(columns.all(|(_, columns)| number(columns) == fragment.columns()), "{row}");
    }
}

/// A fragment of CuTe's text, which is also written out.
fn read_tv(tv: &str, [rows, columns]: [Size; 2]) -> Fragment {
    let text = Text::new(tv);
    let (threads, values) = (&text.0[0], &text.0[1]);
    let fragment = Fragment::from_tv(&[rows, columns], threads, values, 32).unwrap();
    let [threads, values] = text.dims()[..] else { panic!("{tv}") };
    for thread in 0..threads {
        for value in 0..values {
            let number = text.offset(&[thread, value]);
            let index = fragment.index(Holder::register(thread / 32, thread % 32, value)).unwrap();
            assert_eq!(*index, [number % rows, number / rows], "{tv}");
        }
    }
    fragment
}

#[test]
fn cute() {
    let all = rows("fragments", "cute_mma_fragment");
    assert_eq!(all.len(), 20);
    for row in &all {
        let [m, n, k] = numbers(&row["shape"])[..] else { panic!("{row}") };
        let read = |name: &str, dims| read_tv(row[name].as_str().unwrap(), dims);
        let (a, b) = (read("tv_layout_a", [m, k]), read("tv_layout_b", [n, k]));
        let c = read("tv_layout_c", [m, n]);
        let instruction = match row["mma"].as_str().unwrap().split('_').next().unwrap() {
            "warp" => Instruction::mma([m, n, k], bits(row)),
            "wgmma" => Instruction::wgmma(n, bits(row)),
            // Tensor and shared memory: all is one thread's.
            _ => continue,
        };
        assert_eq!(instruction.operand(Operand::D), Ok(c), "{row}");
        if row["a_source"] == "SMEM" {
            assert_eq!((a.copies(), a.registers()), (128, m * k), "{row}");
        } else {
            assert_eq!(instruction.operand(Operand::A), Ok(a), "{row}");
        }
        match instruction.operand(Operand::B) {
            // CuTe's B is transposed.
            Ok(own) => {
                for index in every_index(&[k, n]) {
                    assert_eq!(own.holder(&index), b.holder(&[index[1], index[0]]), "{row}");
                }
            }
            Err(_) => assert_eq!((b.copies(), b.registers()), (128, n * k), "{row}"),
        }
    }
}

/// Every packed format of registers says the same as its fragment, which takes the lanes in warps.
#[test]
fn packed_formats() {
    let mut count = 0;
    for format in PackedFormat::ALL.iter().filter(|format| format.lanes().is_some()) {
        for example in format.examples() {
            let fragment = format.fragment(&example).unwrap();
            let lanes = fragment.lanes();
            assert_eq!(Some(fragment.warps() * lanes), format.lanes(), "{format}");
            for index in every_index(&dims(&example)) {
                let holder = fragment.holder(&index).unwrap();
                let own = (holder.warp * lanes + holder.lane, holder.register);
                assert_eq!(format.lane_and_value_of(&example, &index), Some(own), "{format}");
            }
            count += 1;
        }
    }
    assert!(count > 60, "{count}");
    let memory = PackedFormat::find("marlin").unwrap();
    assert!(memory.fragment(&"u4[64,128]".parse().unwrap()).is_err());
}

/// Copies, which no layout has.
#[test]
fn operands_that_two_lanes_hold() {
    let a = Instruction::wmma(1, 16, false).operand(Operand::A).unwrap();
    assert!(a.holders(&[5, 7]).eq([Holder::register(0, 5, 7), Holder::register(0, 21, 7)]));
    assert_round_trips(&a);
}

/// A map and a conversion that the compiler computes.
#[test]
fn constants() {
    const MMA: Instruction = Instruction::mma([16, 8, 16], 16);
    const D: Fragment = FragmentError::or_panic(MMA.fragment(Operand::D, &[16, 16], Warps::ONE));
    const A: Fragment = FragmentError::or_panic(MMA.operand(Operand::A));
    const_assert!(matches!(D.conversion(&A), Ok(Conversion::Same)));
    const LANE: Size = D.holder(&[9, 3]).unwrap().lane;
    const ROW: Size = D.index(Holder::register(0, 5, 3)).unwrap().as_slice()[0];
    assert_eq!((LANE, ROW), (5, 9));
    const SLICED: Fragment = FragmentError::or_panic(D.sliced(1));
    assert_eq!(SLICED.copies(), 4);
    layout::layout! { type Tiled = f32[64,8]{1,0:T(64,8)(16,8)(8,8)(2)}; }
    const MOSAIC: Fragment = FragmentError::or_panic(Fragment::tiled(
        Tiled::SHAPE,
        &[ThreadDim::Dim(-7)],
        &[ThreadDim::Dim(-3), ThreadDim::Dim(-2)],
        -1,
        false,
    ));
    assert_eq!(Instruction::wgmma(8, 16).operand(Operand::D), Ok(MOSAIC));
}
