//! Files that are joined from shares, and their records.

mod folder;

use std::fs;
use std::path::Path;

use folder::{Folder, back, refused, safetensors, same};
use layout::ArrayShape;
use layout_files::{Change, Conversion, Format, Share, TensorFile};

/// A file that is joined from shares, and then another one at its path: each is undone by its own record.
#[test]
fn shares_of_another_conversion_have_another_record() {
    let folder = Folder::new("joined");
    let [source, target, back_path] =
        ["in.bin", "out.bin", "back.bin"].map(|name| folder.path(name));
    fs::write(&source, (0..64).collect::<Vec<u8>>()).unwrap();
    let file = TensorFile::open(&source).unwrap();
    let share = Share::new(1, 1).unwrap();
    let first = |to: &str| {
        let change = Change::new("u8[8,8]".parse().unwrap(), to.parse().unwrap());
        let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone())));
        conversion.unwrap().write(&target, share, &mut |_| ()).unwrap();
    };
    // A file without a record, of the same length, is not that of the first share.
    fs::write(&target, [7; 64]).unwrap();
    first("u8[8,8]{0,1}");
    back(&target, &back_path).unwrap();
    same(&back_path, &target);
    for to in ["u8[8,8]{0,1}", "u8[8,8]{1,0:T(2,2)}", "u8[8,8]{0,1:T(4,2)}"] {
        first(to);
        fs::rename(share.path(&target), &target).unwrap();
        back(&target, &back_path).unwrap();
        same(&back_path, &source);
    }
}

/// Shares of two conversions, joined: the record is not of that file, whichever share is the other one's.
#[test]
fn shares_of_different_conversions() {
    let folder = Folder::new("mixed");
    let [source, other] = ["in.safetensors", "other.safetensors"].map(|name| folder.path(name));
    let content = |seed: usize| {
        let bytes = (0..4 * 1500 * 1000_usize)
            .map(|at| ((at + seed).wrapping_mul(0x9e37_79b9) >> 13) as u8);
        bytes.collect::<Vec<_>>()
    };
    let dims: [&[usize]; 2] = [&[1000, 1000], &[500, 1000]];
    let tensors = [("a", "F32", dims[0]), ("b", "F32", dims[1])];
    safetensors(&source, &tensors, &content(0));
    safetensors(&other, &tensors, &content(1));
    for (extension, count) in [("safetensors", 4), ("bin", 3)] {
        let target = folder.path(&format!("out.{extension}"));
        let shares = |source: &Path, to: &str| {
            let file = TensorFile::open(source).unwrap();
            let conversion = Conversion::new(&file, Format::of_path(&target), |tensor| {
                let change = Change::new("f32[1000,1000]".parse().unwrap(), to.parse().unwrap());
                Ok((tensor.name() == "a").then_some(change))
            });
            let conversion = conversion.unwrap();
            let shares = (1..=count).map(|number| {
                let share = Share::new(number, count).unwrap();
                conversion.write(&target, share, &mut |_| ()).unwrap();
                fs::read(share.path(&target)).unwrap()
            });
            shares.collect::<Vec<_>>()
        };
        let to = "f32[1000,1000]{0,1}";
        let values = shares(&other, to);
        let tiles = shares(&source, "f32[1000,1000]{1,0:T(8,8)}");
        // The record is that of these.
        let own = shares(&source, to);
        fs::write(&target, own.concat()).unwrap();
        let again = folder.path("again.safetensors");
        back(&target, &again).unwrap();
        if extension == "safetensors" {
            same(&again, &source);
        }
        for others in [&tiles, &values] {
            for number in 1..count as usize {
                let mut mixed = own.clone();
                // The last shares have no tensor with another layout.
                if mixed[number] == others[number] {
                    continue;
                }
                mixed[number].clone_from(&others[number]);
                fs::write(&target, mixed.concat()).unwrap();
                refused(
                    &target,
                    &["layout.json: this is the record of another file", "joined from shares"],
                );
            }
        }
    }
}

/// The samples that the first share makes of the others are those of the file that is written at once.
#[test]
fn the_record_of_shares_is_that_of_the_whole() {
    let folder = Folder::new("record");
    let [source, whole, shared] =
        ["in.bin", "whole.bin", "shared.bin"].map(|name| folder.path(name));
    for (from, to) in [
        ("u8[700,900]", "u8[700,900]{0,1}"),
        ("f32[300,500]", "f32[300,500]{1,0:T(8,128)}"),
        ("bf16[300,701]{0,1}", "bf16[300,701]{1,0:T(8,128)(2,1)}"),
        ("c128[150,170]", "c128[150,170]{0,1:T(3,5)}"),
        ("u8[500,900]", "u8[500,900]{1,0:PAD(501,1024)FILL(highest)}"),
        ("u4[700,901]", "u4[700,901]{0,1:E(4)}"),
        ("s4[700,901]{1,0:E(4)}", "s4[700,901]{0,1:T(8,8)}"),
        ("u4[700,901]{1,0:E(4)}", "u4[700,901]{0,1:T(8,8)E(4)}"),
        ("u1[1800,901]", "u1[1800,901]{1,0:PAD(1801,903)FILL(highest)E(1)}"),
        ("u8[4100,411]", "u8[4100,411]{1,0:T(*,6)(7)}"),
    ] {
        let [from, to] = [from, to].map(|text| text.parse::<ArrayShape>().unwrap());
        let bytes = (0..from.bytes().unwrap()).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8);
        fs::write(&source, bytes.collect::<Vec<_>>()).unwrap();
        let file = TensorFile::open(&source).unwrap();
        let change = Change::new(from, to).truncated();
        let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone()))).unwrap();
        conversion.write(&whole, Share::WHOLE, &mut |_| ()).unwrap();
        let record = |name: &str| -> serde_json::Value {
            let text = fs::read(folder.path(name)).unwrap();
            serde_json::from_slice(&text).unwrap()
        };
        let expected = record("whole.bin.layout.json");
        for count in [1, 3, 700] {
            conversion.write(&shared, Share::new(1, count).unwrap(), &mut |_| ()).unwrap();
            let found = record("shared.bin.layout.json");
            if count <= 256 {
                assert_eq!(found["file"], expected["file"], "{from} {to}");
            } else {
                assert_eq!(found["file"]["samples"], count);
            }
            // Of that many samples too, the file is the one that was written at once.
            fs::rename(folder.path("shared.bin.layout.json"), folder.path("whole.bin.layout.json"))
                .unwrap();
            TensorFile::open(&whole).unwrap();
        }
    }
}
