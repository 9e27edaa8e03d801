//! Rows of Triton: bases of holders, and the instructions and arrangements that have them.

use layout::shape::Size;
use layout_gpu::fragment::{Axis, Fragment, Holder, Instruction, Operand, Warps};
use serde_json::{Value, json};

use super::{Made, assert_round_trips};
use crate::shared::{number, numbers, rows};

fn is_wmma(row: &Value) -> bool {
    let mut names = [&row["kind"], &row["parent"]].into_iter().filter_map(Value::as_str);
    names.any(|name| name.contains("amd_wmma"))
}

fn instruction(row: &Value) -> Instruction {
    let sizes = numbers(&row["instr_shape"]);
    let (m, n, k) = (sizes[0], sizes[1], sizes.get(2).copied().unwrap_or(16));
    let transposed = row["transposed"] == true;
    let is_operand = row["kind"] == "triton_dot_operand";
    let instruction = match row["version"].as_u64() {
        None if row["version"][0] == 2 => Instruction::mma([m, n, 16], 16),
        // N does not matter for an operand.
        None => Instruction::wgmma(if is_operand { 8 } else { n }, 16),
        Some(version) if is_wmma(row) => Instruction::wmma(version as usize, k, transposed),
        Some(_) => Instruction::mfma([m, n, k], transposed),
    };
    if is_operand { instruction.with_k_width(number(&row["k_width"])) } else { instruction }
}

fn matrix(row: &Value, operand: Operand) -> Made {
    let shape = numbers(&row["shape"]);
    if is_wmma(row) {
        let bases =
            lists(&row["warp_bases"]).iter().map(|base| [base[0], base[1]]).collect::<Vec<_>>();
        return instruction(row).fragment(operand, &shape, Warps::Bases(&bases));
    }
    instruction(row).fragment(operand, &shape, Warps::Grid(&numbers(&row["warps_per_cta"])))
}

const BLOCKS: [&str; 3] = ["size_per_thread", "threads_per_warp", "warps_per_cta"];

fn blocked(row: &Value) -> Made {
    let [threads, lanes, warps] = BLOCKS.map(|name| numbers(&row[name]));
    let [shape, order] = ["shape", "order"].map(|name| numbers(&row[name]));
    Fragment::blocked(&shape, &threads, &lanes, &warps, &order)
}

/// The slice of a parent whose removed dimension has a multiple of its blocks.
fn sliced(row: &Value, multiple: Size) -> Made {
    let (kind, fields) = row["parent"].as_object().unwrap().iter().next().unwrap();
    let (dim, mut shape) = (number(&row["dim"]), numbers(&row["shape"]));
    let is_blocked = kind == "blocked";
    let block = match is_blocked {
        true => BLOCKS.iter().map(|name| numbers(&fields[name])[dim]).product(),
        false => 256,
    };
    shape.insert(dim, block * multiple);
    let mut parent = fields.clone();
    (parent["kind"], parent["shape"]) = (json!(kind), json!(shape));
    let whole = if is_blocked { blocked(&parent) } else { matrix(&parent, Operand::D) };
    whole.unwrap().sliced(dim)
}

fn lists(value: &Value) -> Vec<Vec<Size>> {
    value.as_array().into_iter().flatten().map(numbers).collect()
}

fn bases(row: &Value) -> [(Axis, Vec<Vec<Size>>); 4] {
    let lanes = if row["kind"] == "triton_tensor_memory" { "rows" } else { "lanes" };
    [
        (Axis::Register, "registers"),
        (Axis::Lane, lanes),
        (Axis::Warp, "warps"),
        (Axis::Column, "cols"),
    ]
    .map(|(axis, name)| (axis, lists(&row[name])))
}

fn read_bases<const R: usize>(row: &Value) -> Made {
    let of = |bases: Vec<Vec<Size>>| {
        bases.into_iter().map(|base| base.try_into().unwrap()).collect::<Vec<[Size; R]>>()
    };
    let bases = bases(row).map(|(axis, bases)| (axis, of(bases)));
    let bases = bases.each_ref().map(|(axis, bases)| (*axis, &bases[..]));
    Fragment::from_bases(&numbers(&row["shape"]).try_into().unwrap(), &bases)
}

/// Every holder with its index: XORs of bases, written out.
fn written_out(row: &Value, rank: usize) -> Vec<(Holder, Vec<Size>)> {
    let mut all = vec![(Holder::default(), vec![0; rank])];
    for (axis, bases) in bases(row) {
        for (bit, base) in bases.iter().enumerate() {
            for (mut holder, mut index) in all.clone() {
                match axis {
                    Axis::Register => holder.register |= 1 << bit,
                    Axis::Lane => holder.lane |= 1 << bit,
                    Axis::Warp => holder.warp |= 1 << bit,
                    Axis::Column => holder.column |= 1 << bit,
                }
                index.iter_mut().zip(base).for_each(|(at, step)| *at ^= step);
                all.push((holder, index));
            }
        }
    }
    all
}

/// The fragment of the row's bases, which are also written out.
fn assert_bases(row: &Value, named: &Made) {
    let shape = numbers(&row["shape"]);
    let read = match shape.len() {
        1 => read_bases::<1>(row),
        2 => read_bases::<2>(row),
        _ => read_bases::<3>(row),
    };
    assert!(read.is_ok(), "{row}: {read:?}");
    assert_eq!(read, *named, "{row}");
    let read = read.unwrap();
    let written_out = written_out(row, shape.len());
    for (holder, index) in &written_out {
        assert_eq!(*read.index(*holder).unwrap(), index[..], "{row}");
    }
    assert_eq!(written_out.len() as Size, shape.iter().product::<Size>() * read.copies());
}

fn assert_triton(kind: &str, count: usize, named: impl Fn(&Value) -> Made) {
    let rows = rows("fragments", kind);
    assert_eq!(rows.len(), count, "{kind}");
    for row in &rows {
        assert_bases(row, &named(row));
    }
    // The slow check of every index, for some.
    for row in rows.iter().step_by(7) {
        assert_round_trips(&named(row).unwrap());
    }
}

#[test]
fn nvidia_results() {
    assert_triton("triton_nvmma", 39, |row| matrix(row, Operand::D));
}

#[test]
fn operands() {
    assert_triton("triton_dot_operand", 564, |row| {
        matrix(row, if row["operand"] == "A" { Operand::A } else { Operand::B })
    });
}

#[test]
fn mfma_results() {
    assert_triton("triton_amd_mfma", 75, |row| matrix(row, Operand::D));
}

#[test]
fn wmma_results() {
    assert_triton("triton_amd_wmma", 72, |row| matrix(row, Operand::D));
}

#[test]
fn blocks() {
    assert_triton("triton_blocked", 57, blocked);
}

#[test]
fn slices() {
    assert_triton("triton_slice", 51, |row| sliced(row, 1));
    for row in rows("fragments", "triton_slice") {
        assert_eq!(sliced(&row, 1), sliced(&row, 4), "{row}");
    }
}

#[test]
fn tensor_memory() {
    assert_triton("triton_tensor_memory", 21, |row| {
        let [block, shape] = ["block", "shape"].map(|name| numbers(&row[name]).try_into().unwrap());
        Fragment::tensor_memory(block, number(&row["col_stride"]), shape)
    });
}
