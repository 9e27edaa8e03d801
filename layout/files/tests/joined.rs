//! Shares of a file: joined, they are the file of one conversion, or none.

mod folder;

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use folder::{Folder, back, python, raw, same, shares};
use layout_files::{Conversion, ErrorKind, Format, Share, TensorFile, join};

const LAYOUTS: [&str; 2] = ["u8[3000000]", "u8[3000000]{0:T(4096)}"];

fn content(seed: usize) -> Vec<u8> {
    (0..3_000_000).map(|at| ((at + seed).wrapping_mul(0x9e37_79b9) >> 13) as u8).collect()
}

/// Asserts that shares are refused, and nothing is written.
#[track_caller]
fn refused(folder: &Folder, shares: &[PathBuf], about: &Path, expected: &str) {
    let (target, names) = (folder.path("joined.bin"), folder.names());
    let error = join(shares, &target, &mut |_| ()).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error.kind(), ErrorKind::Share(_)), "{text}");
    assert!(text.contains(expected) && text.contains("\n  = help: "), "{text}");
    assert_eq!(error.path(), about, "{text}");
    assert_eq!(folder.names(), names);
}

#[test]
fn a_joined_file_is_undone() {
    let folder = Folder::new("joined");
    let [source, target, back_path] =
        ["in.bin", "out.bin", "back.bin"].map(|name| folder.path(name));
    fs::write(&source, content(0)).unwrap();
    for count in [1, 3] {
        let shares = shares(&source, &target, LAYOUTS, count);
        join(&shares, &target, &mut |_| ()).unwrap();
        back(&target, &back_path).unwrap();
        same(&back_path, &source);
    }
}

/// Whatever the other conversion has in common with this one, a single byte of another source too.
#[test]
fn shares_of_other_conversions() {
    let folder = Folder::new("mixed");
    let [source, target] = ["in.bin", "out.bin"].map(|name| folder.path(name));
    let mut bytes = content(0);
    let others = folder.path("others.bin");
    let write = |source: &Path, layouts, count| {
        let paths = shares(source, &others, layouts, count);
        let kept = paths.iter().enumerate().map(|(at, path)| {
            let kept = folder.path(&format!("{}-{at}", folder.names().len()));
            fs::rename(path, &kept).unwrap();
            kept
        });
        kept.collect::<Vec<_>>()
    };
    fs::write(&source, &bytes).unwrap();
    let own = shares(&source, &target, LAYOUTS, 5);
    let mut sets = vec![
        write(&source, ["u8[3000,1000]", "u8[3000,1000]{0,1}"], 5),
        write(&source, ["u8[3000000]", "u8[3000000]{0:T(4096)}"], 6),
    ];
    // The same lengths, a source that differs where the share has nothing of it.
    bytes[2_999_999] ^= 1;
    fs::write(&source, &bytes).unwrap();
    sets.push(write(&source, LAYOUTS, 5));
    for others in sets {
        for number in 0..5 {
            let mut mixed = own.clone();
            mixed[number].clone_from(&others[number]);
            refused(&folder, &mixed, &others[number], "a share of another conversion than");
        }
    }
    join(&own, &target, &mut |_| ()).unwrap();
}

/// The same bytes by other records, and with other names.
#[test]
fn shares_of_the_same_bytes() {
    let folder = Folder::new("same");
    let [source, middle, target] =
        ["in.bin", "middle.bin", "out.bin"].map(|name| folder.path(name));
    fs::write(&source, content(0)).unwrap();
    let undone = ["u8[3000,1000]", "u8[1000,3000]"].map(|from| {
        let other = format!("{from}{{0,1}}");
        let _ = fs::remove_file(folder.path("tiles.bin.layout.json"));
        let tiles = folder.path("tiles.bin");
        raw(&source, &middle, from, &other).unwrap();
        let _ = fs::remove_file(folder.path("middle.bin.layout.json"));
        raw(&middle, &tiles, &other, from).unwrap();
        same(&tiles, &source);
        let file = TensorFile::open(&tiles).unwrap();
        let conversion = Conversion::back(&file, Format::Raw).unwrap();
        [1, 2].map(|number| {
            let share = Share::new(number, 2).unwrap();
            conversion.write(&target, share, &mut |_| ()).unwrap();
            let kept = folder.path(&format!("{}-{number}", &from[3..7]));
            fs::rename(share.path(&target), &kept).unwrap();
            kept
        })
    });
    let [[first, second], [_, other]] = undone;
    refused(&folder, &[first.clone(), other.clone()], &other, "a share of another conversion than");
    join(&[first, second], &target, &mut |_| ()).unwrap();

    let named = ["a.npy", "b.npy"].map(|name| {
        let source = folder.path(name);
        fs::copy(python("rows.npy"), &source).unwrap();
        let target = folder.path(&format!("{name}.safetensors"));
        shares(&source, &target, ["s32[5,7]"; 2], 2)
    });
    let [a, b] = named;
    refused(&folder, &[a[0].clone(), b[1].clone()], &b[1], "a share of another conversion than");
}

#[test]
fn missing_and_doubled_shares() {
    let folder = Folder::new("missing");
    let [source, target] = ["in.bin", "out.bin"].map(|name| folder.path(name));
    fs::write(&source, content(0)).unwrap();
    let own = shares(&source, &target, LAYOUTS, 5);
    let joined = folder.path("joined.bin");
    refused(&folder, &own[..4], &joined, "share 5 of 5 is missing\n");
    refused(&folder, &own[1..], &joined, "share 1 of 5 is missing\n");
    refused(
        &folder,
        &[own[3].clone(), own[0].clone()],
        &joined,
        "share 2 of 5 is missing and 2 more",
    );
    let copy = folder.path("copy");
    fs::copy(&own[2], &copy).unwrap();
    let doubled = [&own[..], std::slice::from_ref(&copy)].concat();
    refused(&folder, &doubled, &copy, "the same share as");
    refused(&folder, &[], &joined, "no share is given");
    // The shares are not the target.
    let error = join(&own, &own[1], &mut |_| ()).unwrap_err().to_string();
    assert!(error.contains("the target is the source"), "{error}");
}

/// Any byte of a share, and its end.
#[test]
fn damaged_shares() {
    let folder = Folder::new("damaged");
    let [source, target] = ["in.bin", "out.bin"].map(|name| folder.path(name));
    fs::write(&source, content(0)).unwrap();
    let own = shares(&source, &target, LAYOUTS, 3);
    let bytes = fs::read(&own[1]).unwrap();
    let end = bytes.len();
    for at in [0, 1000, 600_001, end / 2] {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        fs::write(&own[1], changed).unwrap();
        refused(&folder, &own, &own[1], "its bytes are not those that were written");
    }
    for length in [0, 1, 15, 16, 17, end / 2, end - 1] {
        fs::write(&own[1], &bytes[..length]).unwrap();
        refused(&folder, &own, &own[1], "not a share of a file, or its end is cut off");
    }
    // A byte more, which the mark does not know.
    fs::write(&own[1], [&[0], &bytes[..]].concat()).unwrap();
    refused(&folder, &own, &own[1], "not a share of a file");
    // Any bit of the mark, which has the record too.
    let first = fs::read(&own[0]).unwrap();
    fs::write(&own[1], &bytes).unwrap();
    let length = u64::from_le_bytes(*first[first.len() - 16..].first_chunk().unwrap());
    assert!(length > 300, "{length}");
    for at in first.len() - 16 - length as usize..first.len() {
        let mut changed = first.clone();
        changed[at] ^= 1;
        fs::write(&own[0], changed).unwrap();
        refused(&folder, &own, &own[0], "not a share of a file");
    }
}

/// Without `join`, shares are no file.
#[test]
fn shares_are_not_read() {
    let folder = Folder::new("unread");
    let source = folder.path("in.bin");
    fs::write(&source, content(0)).unwrap();
    for extension in ["bin", "npy", "safetensors"] {
        let target = folder.path(&format!("out.{extension}"));
        let own = shares(&source, &target, LAYOUTS, 2);
        let bytes = own.iter().flat_map(|path| fs::read(path).unwrap());
        fs::write(&target, bytes.collect::<Vec<_>>()).unwrap();
        for path in [&own[1], &target] {
            let error = TensorFile::open(path).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Share(_)), "{error}");
            assert!(error.to_string().contains("`layout convert --join`"), "{error}");
        }
    }
    // Bytes that end like one.
    let like = folder.path("like.bin");
    fs::write(&like, b"\x05\0\0\0\0\0\0\0layshare").unwrap();
    assert!(TensorFile::open(&like).is_ok());
    fs::write(&like, b"12345\x05\0\0\0\0\0\0\0layshare").unwrap();
    assert!(TensorFile::open(&like).is_ok());
}

/// A share that is written over its own file, by a run that begins anew.
#[test]
fn a_share_is_written_again() {
    let folder = Folder::new("again");
    let [source, target, other] = ["in.bin", "out.bin", "other.bin"].map(|name| folder.path(name));
    fs::write(&source, content(0)).unwrap();
    let own = shares(&source, &target, LAYOUTS, 2);
    OpenOptions::new().write(true).open(&own[0]).unwrap().set_len(10).unwrap();
    shares(&source, &target, LAYOUTS, 2);
    join(&own, &target, &mut |_| ()).unwrap();
    raw(&source, &other, LAYOUTS[0], LAYOUTS[1]).unwrap();
    same(&target, &other);
}
