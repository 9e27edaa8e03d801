//! Conversions of raw files against the naive definition; shares, and parts that do not fit into memory.

mod folder;
mod naive;

use std::fs;
use std::path::Path;

use folder::{Folder, back, bytes, change, conversion, convert, python, rows, same, write_shares};
use layout::{ArrayShape, Plan};
use layout_files::{Check, Conversion, Format, Share, TensorFile, join};
use naive::{Naive, converted};

/// Writes, and looks at each element again.
fn write(source: &Path, target: &Path, from: &str, to: &str) {
    let file = TensorFile::open(source).unwrap();
    let conversion = conversion(&file, Format::Raw, &change(from, to)).unwrap();
    let mut written = 0;
    conversion
        .write_checked(target, Share::WHOLE, Check::All, &mut |bytes| written += bytes)
        .unwrap();
    let bytes = conversion.bytes();
    assert_eq!((written, fs::metadata(target).unwrap().len()), (2 * bytes, bytes));
}

#[test]
fn every_element_is_where_its_offset_says() {
    let folder = Folder::new("offsets");
    let [target, undone] = ["target.bin", "undone.bin"].map(|name| folder.path(name));
    for [from, to] in rows(include_str!("pairs/converted.txt")) {
        let layouts = [from, to].map(Naive::new);
        let content = bytes(layouts[0].bytes());
        let source = folder.write("source.bin", &content);
        write(&source, &target, from, to);
        let expected = converted(&content, layouts.each_ref());
        assert!(fs::read(&target).unwrap() == expected, "{from} {to}");
        if layouts[0].bits == layouts[1].bits {
            back(&target, &undone).unwrap();
            // What was padding is zero.
            let before = converted(&expected, [&layouts[1], &layouts[0]]);
            assert!(fs::read(&undone).unwrap() == before, "{from} {to}");
        }
        let file = TensorFile::open(&source).unwrap();
        let conversion = conversion(&file, Format::Raw, &change(from, to)).unwrap();
        // More of small files, of which some were converted wrongly once.
        let count = if content.len() < 100_000 { 7 } else { 2 };
        let shares = write_shares(&conversion, &target, count);
        join(&shares, &target, &mut |_| ()).unwrap();
        assert!(fs::read(&target).unwrap() == expected, "{from} {to}");
    }
}

/// Layouts that share no split, whose largest digit is one of a sum, in more than one part.
#[test]
fn a_tensor_that_is_cut_within_combined_dimensions() {
    let folder = Folder::new("long");
    let target = folder.path("target.bin");
    let texts = ["u8[2100,2111]", "u8[2100,2111]{1,0:T(*,6)(7)}"];
    let [from, to] = texts.map(|text| text.parse::<ArrayShape>().unwrap());
    let parts = Plan::new(&from, &to).unwrap().parts(1 << 20);
    assert!(parts.len() > 4, "{}", parts.len());
    let content = bytes(from.bytes().unwrap());
    let source = folder.write("source.bin", &content);
    write(&source, &target, texts[0], texts[1]);
    let undone = folder.path("undone.bin");
    back(&target, &undone).unwrap();
    same(&undone, &source);
}

/// Shares of any number are the whole file when joined, and are about equally long.
#[test]
fn shares_joined_are_the_whole() {
    let folder = Folder::new("shares");
    let [whole, shared] = ["whole.safetensors", "shared.safetensors"].map(|name| folder.path(name));
    // Larger than a few parts.
    let dims = [1500, 1000];
    let content = bytes(2 * 4 * dims[0] * dims[1]);
    let tensors: [(_, _, &[usize]); 2] = [("a", "F32", &dims), ("b", "F32", &dims)];
    let source = folder.safetensors("source.safetensors", &tensors, &content);
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Safetensors, |tensor| {
        assert_eq!(tensor.layout().unwrap().to_string(), "f32[1500,1000]{1,0}");
        let change = change("f32[1500,1000]", "f32[1500,1000]{1,0:T(8,128)}");
        Ok((tensor.name() == "a").then_some(change))
    });
    let conversion = conversion.unwrap();
    conversion.write(&whole, Share::WHOLE, &mut |_| ()).unwrap();
    for count in [2, 3, 11] {
        let mut paths = write_shares(&conversion, &shared, count);
        let most = conversion.bytes() / u64::from(count) + (2 << 20);
        // A piece is at most a MiB.
        assert!(paths.iter().all(|path| fs::metadata(path).unwrap().len() <= most), "{count}");
        paths.reverse();
        let mut joined = 0;
        join(&paths, &shared, &mut |bytes| joined += bytes).unwrap();
        assert_eq!(joined, conversion.bytes());
        same(&shared, &whole);
        let names = ["shared.safetensors.layout.json", "whole.safetensors.layout.json"];
        same(&folder.path(names[0]), &folder.path(names[1]));
        paths.extend([shared.clone(), folder.path(names[0])]);
        paths.iter().for_each(|path| fs::remove_file(path).unwrap());
    }
    assert_eq!(folder.names().len(), 3);
}

/// The bytes of a file are read by several threads, each at its own place.
#[test]
fn two_threads_with_one_file() {
    let folder = Folder::new("threads");
    let content = bytes(5 << 20);
    let source = folder.write("source.bin", &content);
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
    let targets = ["a.bin", "b.bin"].map(|name| folder.path(name));
    for _ in 0..5 {
        std::thread::scope(|scope| {
            for target in &targets {
                scope.spawn(|| conversion.write(target, Share::WHOLE, &mut |_| ()).unwrap());
            }
        });
        assert!(targets.iter().all(|target| fs::read(target).unwrap() == content));
    }
}

/// One share of one is a share, and what is half written has no name of a share.
#[test]
fn names_of_shares() {
    let folder = Folder::new("names");
    let (source, target) = (folder.write("source.bin", bytes(3 << 20)), folder.path("target.bin"));
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
    for (share, name) in [("1/1", "target.bin.part-1-of-1"), ("02/16", "target.bin.part-02-of-16")]
    {
        let mut look = |_| {
            let names = folder.names();
            assert!(!names.iter().any(|other| other == name), "{names:?}");
        };
        conversion.write(&target, share.parse().unwrap(), &mut look).unwrap();
        fs::remove_file(folder.path(name)).unwrap();
        assert_eq!(folder.names(), ["source.bin"]);
    }
    for text in ["", "0/2", "3/2", "1", "1/2/3", "a/b", "-1/2"] {
        let error = text.parse::<Share>().unwrap_err();
        assert_eq!(error, "expected K/N with 1 ≤ K ≤ N, as in `2/16`");
    }
}

#[test]
fn more_shares_than_bytes() {
    let folder = Folder::new("many");
    let target = folder.path("rows.npy");
    let file = TensorFile::open(python("rows.npy")).unwrap();
    let conversion = Conversion::new(&file, Format::Npy, |_| Ok(None)).unwrap();
    join(&write_shares(&conversion, &target, 500), &target, &mut |_| ()).unwrap();
    same(&target, &python("rows.npy"));
}

/// A tensor that the README shows.
#[test]
fn dimensions_in_the_readme() {
    let (_, page) = include_str!("../README.md").split_once("is stored as `BF16` of `").unwrap();
    let (folder, to) = (Folder::new("readme"), "bf16[300,500]{1,0:T(8,128)(2,1)}");
    let (source, target) = (folder.write("w.bin", bytes(300_000)), folder.path("w.safetensors"));
    convert(&source, &target, "bf16[300,500]", to).unwrap();
    let file = TensorFile::open(&target).unwrap();
    assert_eq!(format!("{:?}", file.tensors()[0].dims()), page.split('`').next().unwrap());
}
