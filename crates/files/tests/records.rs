//! Records of layouts: the way back, and records that are not those of the file. What the messages say, and most of
//! what is undone, is in the sessions of the command: `crates/cli/tests/sessions/`.

mod folder;

use std::fs;
use std::path::Path;
use std::process::Command;

use folder::{Folder, back, change, conversion, convert, has, python, same};
use layout_files::{Conversion, Error, ErrorKind, Format, TensorFile};

/// The errors of records are of their kind, and name the record.
#[test]
fn kinds_of_errors() {
    let folder = Folder::new("kinds");
    let source = folder.write("source.bin", [1; 16]);
    let target = folder.path("target.bin");
    let is_refused = |result: Result<(), Error>, expected: &str| {
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Record(_)), "{error}");
        assert!(error.path().ends_with("target.bin.layout.json"), "{error}");
        has(error, expected);
    };
    convert(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap();
    folder.write("target.bin", [2; 16]);
    is_refused(TensorFile::open(&target).map(drop), "other bytes");
    folder.write("target.bin", [1; 15]);
    is_refused(TensorFile::open(&target).map(drop), "has 15 bytes instead of 16");
    let beside = folder.write("target.bin.layout.json", "{");
    is_refused(TensorFile::open(&target).map(drop), "not a record of layouts");
    is_refused(convert(&source, &target, "u8[4,4]", "u8[4,4]"), "not a record of layouts");
    assert_eq!(fs::read(beside).unwrap(), b"{");
}

/// The run ends after the sidecar has its place and before the file has: a file on which another one is mounted cannot
/// be replaced.
#[test]
fn a_file_that_is_not_replaced_keeps_its_record() {
    let folder = Folder::new("between");
    let [tiles, back_path] = ["tiles.bin", "back.bin"].map(|name| folder.path(name));
    let source = folder.write("rows.bin", (0..200).collect::<Vec<u8>>());
    convert(&source, &tiles, "u8[10,20]", "u8[10,20]{0,1}").unwrap();
    let old = fs::read(&tiles).unwrap();
    let mounted = folder.write("mounted.bin", &old);
    let run = |program: &str, paths: &[&Path]| {
        let status = Command::new(program)
            .args((program == "mount").then_some("--bind"))
            .args(paths)
            .status();
        status.is_ok_and(|status| status.success())
    };
    let is_mounted = run("mount", &[&mounted, &tiles]);
    for to in ["u8[10,20]{1,0:T(2,2)}", "u8[10,20]"] {
        let result = convert(&source, &tiles, "u8[10,20]", to);
        if is_mounted {
            assert!(matches!(result.unwrap_err().kind(), ErrorKind::Io(_)));
        } else {
            // Without the right to mount, the test makes the same state by hand.
            result.unwrap();
            fs::write(&tiles, &old).unwrap();
            if to == "u8[10,20]" {
                continue;
            }
        }
        let result = back(&tiles, &back_path);
        if is_mounted && result.is_err() {
            run("umount", &[&tiles]);
        }
        result.unwrap();
        same(&back_path, &source);
    }
    if is_mounted {
        assert!(run("umount", &[&tiles]));
    }
}

/// More steps than the depth limit of a parser would allow.
#[test]
fn a_history_of_any_length_is_undone() {
    let folder = Folder::new("history");
    for extension in ["npy", "safetensors"] {
        let paths = [0, 1].map(|number| folder.path(&format!("{number}.{extension}")));
        convert(&python("rows.npy"), &paths[0], "s32[5,7]", "s32[5,7]{1,0:T(2,2)}").unwrap();
        let tiles = ["{1,0:T(2,2)}", "{0,1:T(3,2)}"].map(|layout| format!("s32[5,7]{layout}"));
        for number in 0..150 {
            let [from, to] = [number % 2, (number + 1) % 2];
            convert(&paths[from], &paths[to], &tiles[from], &tiles[to]).unwrap();
        }
        let file = TensorFile::open(&paths[0]).unwrap();
        assert_eq!(file.sidecar().unwrap().steps.len(), 151);
        drop(file);
        for number in 0..150 {
            back(&paths[number % 2], &paths[(number + 1) % 2]).unwrap();
        }
        back(&paths[0], &folder.path("last.npy")).unwrap();
        same(&folder.path("last.npy"), &python("rows.npy"));
    }
}

/// A few bytes of text do not fill a disk; and what a user says is done.
#[test]
fn a_record_is_believed_as_far_as_its_file_goes() {
    let folder = Folder::new("believed");
    let source = folder.write("in.bin", (0..48).collect::<Vec<u8>>());
    let tiles = folder.path("tiles.bin");
    convert(&source, &tiles, "f32[3,4]", "f32[3,4]{0,1}").unwrap();
    let record = folder.path("tiles.bin.layout.json");
    let text = fs::read_to_string(&record).unwrap();
    assert_eq!(text.matches("f32[3,4]{1,0}").count(), 1, "{text}");
    let with = |tiles: &str| {
        fs::write(&record, text.replace("f32[3,4]{1,0}", &format!("f32[3,4]{{1,0:{tiles}}}")))
            .unwrap();
    };
    // 4096 times 48 bytes and 16 MiB.
    let most = 4096 * 48 + (16 << 20);
    with("T(1000000,1000000)");
    // It is planned only: it would take days.
    let plan = || {
        let file = TensorFile::open(&tiles).unwrap();
        Conversion::back(&file, Format::Raw).map(|conversion| conversion.bytes())
    };
    let error = plan().unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Record(_)), "{error}");
    has(&error, "layouts of 4000000000000 bytes, and the file has 48");
    has(&error, &format!("believed up to {most}\n  = help: "));
    // A step of which the record says nothing else.
    let mut value =
        serde_json::from_slice::<serde_json::Value>(&fs::read(&record).unwrap()).unwrap();
    let tensors = value["record"]["tensors"].as_object_mut().unwrap();
    let only = tensors.remove("in").unwrap();
    tensors.insert("other".to_owned(), only);
    value["record"]["steps"][0]["tiles"] = value["record"]["steps"][0]["in"].clone();
    value["record"]["steps"][0]["other"] = value["record"]["steps"][0]["in"].clone();
    fs::write(&record, value.to_string()).unwrap();
    has(plan().unwrap_err(), "believed up to");
    for (length, is_believed) in [(most / 4, true), (most / 4 + 1, false)] {
        with(&format!("L({length})"));
        let file = TensorFile::open(&tiles).unwrap();
        assert_eq!(Conversion::back(&file, Format::Raw).is_ok(), is_believed, "{length}");
        let change = change("f32[3,4]{0,1}", &format!("f32[3,4]{{1,0:L({length})}}"));
        assert!(conversion(&file, Format::Raw, &change).is_ok());
    }
}
