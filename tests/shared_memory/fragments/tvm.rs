//! Rows of TVM: shards, and the instructions that have them.

use layout_gpu::fragment::{Axis, Fragment, Holder, Operand, Shard};
use serde_json::Value;

use super::{Made, assert_round_trips, bits};
use crate::shared::{number, numbers, rows};

fn shards(value: &Value) -> Vec<Shard> {
    let shard = |shard: &Value| {
        let axis = match shard[2].as_str().unwrap() {
            "laneid" | "tid_in_wg" | "TLane" => Axis::Lane,
            "wid_in_wg" => Axis::Warp,
            "m" => Axis::Register,
            "TCol" => Axis::Column,
            axis => panic!("{axis}"),
        };
        Shard { size: number(&shard[0]), stride: number(&shard[1]), axis }
    };
    value.as_array().unwrap().iter().map(shard).collect()
}

fn holder(value: &Value) -> Holder {
    let mut holder = Holder::default();
    for (axis, value) in value.as_object().unwrap() {
        let number = number(value);
        match axis.as_str() {
            "laneid" | "TLane" => holder.lane += number,
            "tid_in_wg" => (holder.warp, holder.lane) = (number / 32, number % 32),
            "wid_in_wg" => holder.warp = number,
            "m" => holder.register = number,
            "TCol" => holder.column = number,
            _ => panic!("{axis}"),
        }
    }
    holder
}

fn by_shards(row: &Value) -> Made {
    let [of, copies] = ["shard", "replica"].map(|name| shards(&row[name]));
    let lanes = if row["kind"].as_str().unwrap().starts_with("tvm_tmem") { 128 } else { 32 };
    Fragment::from_shards(&numbers(&row["shape"]), &of, &copies, holder(&row["offset"]), lanes)
}

fn by_name(row: &Value) -> Made {
    let shape = numbers(&row["shape"]);
    let rank2 = || [shape[0], shape[1]];
    match row["kind"].as_str().unwrap().trim_end_matches("_refused") {
        "tvm_tcgen05_atom" => {
            let instruction = row["instr"].as_str().unwrap().strip_suffix('b').unwrap();
            let (lanes, width) = instruction.split_once('x').unwrap();
            let load = [lanes, width].map(|number| number.parse().unwrap());
            Fragment::tcgen05_ld(load, bits(row), rank2())
        }
        "tvm_tmem_datapath" => {
            let letter = row["datapath"].as_str().unwrap().parse().unwrap();
            Fragment::datapath(letter, rank2(), row["sub_slab"] == 1)
        }
        _ => {
            let operand = if row["operand"] == "A" { Operand::A } else { Operand::D };
            let (m, group) = (number(&row["M"]), number(&row["cta_group"]));
            Fragment::tcgen05(operand, m, group, row["ws"] == true, &shape)
        }
    }
}

#[test]
fn shards_and_names() {
    let mut count = 0;
    for kind in ["tvm_tcgen05_atom", "tvm_tmem_datapath", "tvm_tmem_operand"] {
        for (number, row) in rows("fragments", kind).iter().enumerate() {
            let fragment = by_shards(row).unwrap();
            assert_eq!(by_name(row), Ok(fragment), "{row}");
            for sample in row["samples"].as_array().unwrap() {
                let held = fragment.holder(&numbers(&sample[0]));
                assert_eq!(held, Some(holder(&sample[1])), "{row}");
            }
            if number % 5 == 0 {
                assert_round_trips(&fragment);
            }
            count += 1;
        }
    }
    for kind in ["tvm_tcgen05_atom_refused", "tvm_tmem_operand_refused"] {
        for row in rows("fragments", kind) {
            assert!(by_name(&row).is_err(), "{row}");
            count += 1;
        }
    }
    assert_eq!(count, 73 + 23 + 35 + 14 + 25);
}
