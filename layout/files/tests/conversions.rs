//! Conversions of raw files against offsets, one element at a time; shares, and parts that do not fit into memory.

mod folder;

use std::fs;
use std::path::Path;

use folder::{Folder, python, safetensors, same};
use layout::shape::Dim;
use layout::{ArrayShape, Relayout, xla};
use layout_files::{Change, Conversion, Format, Share, TensorFile, join};

fn write(source: &Path, target: &Path, from: &ArrayShape, to: &ArrayShape) {
    let file = TensorFile::open(source).unwrap();
    let change = Change::new(*from, *to);
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone()))).unwrap();
    let mut written = 0;
    conversion.write_checked(target, Share::WHOLE, &mut |bytes| written += bytes).unwrap();
    let bytes = conversion.bytes();
    assert_eq!((written, fs::metadata(target).unwrap().len()), (2 * bytes, bytes));
}

/// The bytes that a conversion writes, element by element.
fn expected(source: &[u8], from: &ArrayShape, to: &ArrayShape) -> Vec<u8> {
    let width = from.element_bits() / 8;
    let mut bytes = vec![0; to.bytes().unwrap()];
    let digits = [from, to].map(|shape| shape.digits().unwrap());
    for index in xla::indices_in_order(from) {
        let [a, b] = digits.map(|digits| width * digits.offset(index.as_slice()).unwrap());
        bytes[b..b + width].copy_from_slice(&source[a..a + width]);
    }
    bytes
}

fn bytes(count: usize) -> Vec<u8> {
    (0..count).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 13) as u8).collect()
}

#[test]
fn every_element_is_where_its_offset_says() {
    let folder = Folder::new("offsets");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    for (from, to) in [
        ("f32[300,500]", "f32[300,500]{1,0:T(8,128)}"),
        ("bf16[300,500]{0,1}", "bf16[300,500]{1,0:T(8,128)(2,1)}"),
        ("f32[300,500]{1,0:T(8,128)}", "f32[300,500]{0,1:T(4,2)L(1024)}"),
        ("s8[7,1100,300]", "s8[7,1100,300]{0,2,1}"),
        ("c128[31,17]", "c128[31,17]{0,1:T(3,5)}"),
        ("u8[600,601]{1,0:T(8,8)}", "u8[600,601]{1,0:T(6,6)}"),
        ("s32[1,0,3]", "s32[1,0,3]{0,1,2:T(2,2)}"),
        ("f64[]", "f64[]{:T(4)}"),
    ] {
        let [from, to] = [from, to].map(|text| text.parse::<ArrayShape>().unwrap());
        let content = bytes(from.bytes().unwrap());
        fs::write(&source, &content).unwrap();
        write(&source, &target, &from, &to);
        assert!(fs::read(&target).unwrap() == expected(&content, &from, &to), "{from} {to}");
    }
}

#[test]
fn padding_is_what_the_layout_declares() {
    let folder = Folder::new("padding");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, [1, 2, 3]).unwrap();
    let [from, to] = ["s8[3]", "s8[3]{0:PAD(5)FILL(highest)}"].map(|text| text.parse().unwrap());
    write(&source, &target, &from, &to);
    assert_eq!(fs::read(&target).unwrap(), [1, 2, 3, 127, 127]);
}

/// Layouts that share no split, all of which is one part: it is made element by element.
#[test]
fn a_part_that_does_not_fit_into_memory() {
    let folder = Folder::new("long");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    let texts = ["u8[4100,4111]", "u8[4100,4111]{1,0:T(*,6)(7)}"];
    let [from, to] = texts.map(|text| text.parse::<ArrayShape>().unwrap());
    let mut parts = Relayout::new(&from, &to).unwrap().parts(1 << 20);
    assert!(parts.any(|part| part.len() > 16 << 20), "another pair of layouts is needed");
    let content = bytes(from.bytes().unwrap());
    fs::write(&source, &content).unwrap();
    write(&source, &target, &from, &to);
    let found = fs::read(&target).unwrap();
    let corners = [[0, 0], [4099, 4110], [0, 4110], [4099, 0]];
    let others = (0..5000).map(|at| [at * 37 % 4100, at * 101 % 4111]);
    let digits = [&from, &to].map(|shape| shape.digits().unwrap());
    for index in corners.into_iter().chain(others) {
        let [a, b] = digits.map(|digits| digits.offset(&index).unwrap());
        assert_eq!(found[b], content[a], "{index:?}");
    }
    assert_eq!(found.len(), to.bytes().unwrap());
}

/// Whatever their number, shares are the whole, and each is about as long.
#[test]
fn shares_joined_are_the_whole() {
    let folder = Folder::new("shares");
    let [source, whole, shared] = ["source.safetensors", "whole.safetensors", "shared.safetensors"]
        .map(|name| folder.path(name));
    // Larger than a few parts.
    let dims = [1500, 1000];
    let content = bytes(2 * 4 * dims[0] * dims[1]);
    safetensors(&source, &[("a", "F32", &dims), ("b", "F32", &dims)], &content);
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Safetensors, |tensor| {
        let from = tensor.layout().unwrap();
        assert_eq!(from.dims(), dims.map(Dim::Static));
        let to = "f32[1500,1000]{1,0:T(8,128)}".parse().unwrap();
        Ok((tensor.name() == "a").then(|| Change::new(from, to)))
    });
    let conversion = conversion.unwrap();
    conversion.write(&whole, Share::WHOLE, &mut |_| ()).unwrap();
    for count in [2, 3, 11] {
        let paths = (1..=count).map(|number| {
            let share = Share::new(number, count).unwrap();
            conversion.write(&shared, share, &mut |_| ()).unwrap();
            share.path(&shared)
        });
        let mut paths = paths.collect::<Vec<_>>();
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

/// Elements stay aligned in the file, whatever the order of the source is.
#[test]
fn wide_elements_come_first_where_they_were_not_aligned() {
    let folder = Folder::new("aligned");
    let [source, target] = ["a.safetensors", "b.safetensors"].map(|name| folder.path(name));
    let tensors: [(&str, &str, &[usize]); 3] =
        [("a", "U8", &[3]), ("b", "F32", &[1]), ("c", "U8", &[1])];
    safetensors(&source, &tensors, &[1, 2, 3, 4, 5, 6, 7, 8]);
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Safetensors, |_| Ok(None)).unwrap();
    conversion.write_checked(&target, Share::WHOLE, &mut |_| ()).unwrap();
    let written = TensorFile::open(&target).unwrap();
    let found =
        written.tensors().iter().map(|tensor| (tensor.name(), written.bytes(tensor).unwrap()));
    assert_eq!(
        found.collect::<Vec<_>>(),
        [("b", &[4, 5, 6, 7][..]), ("a", &[1, 2, 3]), ("c", &[8])]
    );
}

/// The bytes of a file are read by several threads, each at its own place.
#[test]
fn two_threads_with_one_file() {
    let folder = Folder::new("threads");
    let source = folder.path("source.bin");
    let content = bytes(5 << 20);
    fs::write(&source, &content).unwrap();
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
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, bytes(3 << 20)).unwrap();
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
    let shares = (1..=500).map(|number| {
        let share = Share::new(number, 500).unwrap();
        conversion.write(&target, share, &mut |_| ()).unwrap();
        share.path(&target)
    });
    join(&shares.collect::<Vec<_>>(), &target, &mut |_| ()).unwrap();
    same(&target, &python("rows.npy"));
}
