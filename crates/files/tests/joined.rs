//! Shares of a file: joined, they are the file of one conversion, or none. `crates/cli/tests/sessions/shares.txt` joins
//! them and undoes the conversion.

mod folder;

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use folder::{Folder, bytes, change, conversion, convert, has, python, same, write_shares};
use layout_files::{Conversion, ErrorKind, Format, TensorFile, join};

const LAYOUTS: [&str; 2] = ["u8[3000000]", "u8[3000000]{0:T(4096)}"];
const OTHER: &str = "a share of another conversion than";

/// A folder with the source, `in.bin`.
fn with_source(name: &str) -> (Folder, PathBuf) {
    let folder = Folder::new(name);
    let source = folder.write("in.bin", bytes(3_000_000));
    (folder, source)
}

/// Writes the shares of a file of one tensor, which has another layout then: their paths.
fn shares(source: &Path, target: &Path, [from, to]: [&str; 2], count: u32) -> Vec<PathBuf> {
    let file = TensorFile::open(source).unwrap();
    let conversion = conversion(&file, Format::of_path(target), &change(from, to)).unwrap();
    write_shares(&conversion, target, count)
}

/// Moves shares to other names.
fn kept(folder: &Folder, name: &str, shares: &[PathBuf]) -> Vec<PathBuf> {
    let kept = shares.iter().enumerate().map(|(number, path)| {
        let kept = folder.path(&format!("{name}-{number}"));
        fs::rename(path, &kept).unwrap();
        kept
    });
    kept.collect()
}

/// Asserts that shares are refused, and nothing is written.
#[track_caller]
fn refused(folder: &Folder, shares: &[PathBuf], about: &Path, expected: &str) {
    let (target, names) = (folder.path("joined.bin"), folder.names());
    let error = join(shares, &target, &mut |_| ()).unwrap_err();
    let text = error.to_string();
    assert!(matches!(error.kind(), ErrorKind::Share(_)), "{text}");
    has(&text, expected);
    has(&text, "\n  = help: ");
    assert_eq!(error.path(), about, "{text}");
    assert_eq!(folder.names(), names);
}

/// Shares of two conversions do not join, also if these differ in one byte of the source only.
#[test]
fn shares_of_other_conversions() {
    let (folder, source) = with_source("mixed");
    let [target, others] = ["out.bin", "others.bin"].map(|name| folder.path(name));
    let own = shares(&source, &target, LAYOUTS, 5);
    let write =
        |name, layouts, count| kept(&folder, name, &shares(&source, &others, layouts, count));
    let transpose = ["u8[3000,1000]", "u8[3000,1000]{0,1}"];
    let mut sets = vec![write("transpose", transpose, 5), write("six", LAYOUTS, 6)];
    // Equal lengths; the sources differ in a byte that the share does not contain.
    let mut bytes = bytes(3_000_000);
    bytes[2_999_999] ^= 1;
    fs::write(&source, &bytes).unwrap();
    sets.push(write("bit", LAYOUTS, 5));
    for others in sets {
        for number in 0..5 {
            let mut mixed = own.clone();
            mixed[number].clone_from(&others[number]);
            refused(&folder, &mixed, &others[number], OTHER);
        }
    }
    refused(&folder, &[], &folder.path("joined.bin"), "no share is given");
    join(&own, &target, &mut |_| ()).unwrap();
}

/// Shares with equal bytes, but with other records and other names.
#[test]
fn shares_of_the_same_bytes() {
    let (folder, source) = with_source("same");
    let [middle, tiles, target] =
        ["middle.bin", "tiles.bin", "out.bin"].map(|name| folder.path(name));
    let undone = ["u8[3000,1000]", "u8[1000,3000]"].map(|from| {
        let other = format!("{from}{{0,1}}");
        let _ = fs::remove_file(folder.path("tiles.bin.layout.json"));
        convert(&source, &middle, from, &other).unwrap();
        let _ = fs::remove_file(folder.path("middle.bin.layout.json"));
        convert(&middle, &tiles, &other, from).unwrap();
        same(&tiles, &source);
        let file = TensorFile::open(&tiles).unwrap();
        let conversion = Conversion::back(&file, Format::Raw).unwrap();
        kept(&folder, from, &write_shares(&conversion, &target, 2))
    });
    let mixed = |[a, b]: &[Vec<PathBuf>; 2]| [a[0].clone(), b[1].clone()];
    refused(&folder, &mixed(&undone), &undone[1][1], OTHER);
    join(&undone[0], &target, &mut |_| ()).unwrap();

    let named = ["a.npy", "b.npy"].map(|name| {
        let source = folder.path(name);
        fs::copy(python("rows.npy"), &source).unwrap();
        let target = folder.path(&format!("{name}.safetensors"));
        shares(&source, &target, ["s32[5,7]"; 2], 2)
    });
    refused(&folder, &mixed(&named), &named[1][1], OTHER);
}

/// Any byte of a share, and its end.
#[test]
fn damaged_shares() {
    let (folder, source) = with_source("damaged");
    let own = shares(&source, &folder.path("out.bin"), LAYOUTS, 3);
    let bytes = fs::read(&own[1]).unwrap();
    let end = bytes.len();
    let refused = |number: usize, bytes: &[u8], expected: &str| {
        fs::write(&own[number], bytes).unwrap();
        refused(&folder, &own, &own[number], expected);
    };
    let changed = |bytes: &[u8], at: usize, bit: u8| {
        let mut changed = bytes.to_vec();
        changed[at] ^= bit;
        changed
    };
    for at in [0, 1000, 600_001, end / 2] {
        refused(1, &changed(&bytes, at, 4), "its bytes are not those that were written");
    }
    for length in [0, 1, 15, 16, 17, end / 2, end - 1] {
        refused(1, &bytes[..length], "not a share of a file, or its end is cut off");
    }
    // A byte more, which the mark does not know.
    refused(1, &[&[0], &bytes[..]].concat(), "not a share of a file");
    // Any bit of the mark, which has the record too.
    let first = fs::read(&own[0]).unwrap();
    fs::write(&own[1], &bytes).unwrap();
    let length = u64::from_le_bytes(*first[first.len() - 16..].first_chunk().unwrap());
    assert!(length > 300, "{length}");
    for at in first.len() - 16 - length as usize..first.len() {
        refused(0, &changed(&first, at, 1), "not a share of a file");
    }
}

/// Shares that are not joined cannot be read as a file.
#[test]
fn shares_are_not_read() {
    let (folder, source) = with_source("unread");
    for extension in ["bin", "npy", "safetensors"] {
        let target = folder.path(&format!("out.{extension}"));
        let own = shares(&source, &target, LAYOUTS, 2);
        let bytes = own.iter().flat_map(|path| fs::read(path).unwrap());
        fs::write(&target, bytes.collect::<Vec<_>>()).unwrap();
        for path in [&own[1], &target] {
            let error = TensorFile::open(path).unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::Share(_)), "{error}");
            has(&error, "join all shares");
        }
    }
    // Bytes that end like one.
    for bytes in [&b"\x05\0\0\0\0\0\0\0layshare"[..], b"12345\x05\0\0\0\0\0\0\0layshare"] {
        assert!(TensorFile::open(folder.write("like.bin", bytes)).is_ok());
    }
}

/// A share that is written over its own file, by a run that begins anew.
#[test]
fn a_share_is_written_again() {
    let (folder, source) = with_source("again");
    let [target, other] = ["out.bin", "other.bin"].map(|name| folder.path(name));
    let own = shares(&source, &target, LAYOUTS, 2);
    OpenOptions::new().write(true).open(&own[0]).unwrap().set_len(10).unwrap();
    shares(&source, &target, LAYOUTS, 2);
    join(&own, &target, &mut |_| ()).unwrap();
    convert(&source, &other, LAYOUTS[0], LAYOUTS[1]).unwrap();
    same(&target, &other);
}
