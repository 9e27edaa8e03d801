//! Records of layouts: the way back, and records that are not those of the file.

mod folder;

use std::fs;
use std::path::Path;
use std::process::Command;

use folder::{Folder, back, python, refused, safetensors, same};
use layout::ArrayShape;
use layout_files::{Change, Conversion, ErrorKind, Format, Share, TensorFile};

/// Converts each tensor of a file.
fn convert(source: &Path, target: &Path, from: &str, to: &str) {
    let file = TensorFile::open(source).unwrap();
    let change = Change::new(from.parse().unwrap(), to.parse().unwrap());
    let format = Format::of_path(target);
    let conversion = Conversion::new(&file, format, |_| Ok(Some(change.clone()))).unwrap();
    conversion.write(target, Share::WHOLE, &mut |_| ()).unwrap();
}

#[test]
fn the_order_that_a_header_had_comes_back() {
    let folder = Folder::new("orders");
    let [new, tiles, again] =
        ["new.npy", "new.safetensors", "again.npy"].map(|name| folder.path(name));
    // The header says row-major, the user column-major.
    convert(&python("rows.npy"), &new, "s32[5,7]{0,1}", "s32[5,7]{1,0}");
    back(&new, &again).unwrap();
    same(&again, &python("rows.npy"));
    // Through a format that has row-major order only.
    convert(&python("columns.npy"), &tiles, "s32[5,7]{0,1}", "s32[5,7]{1,0:T(2,4)}");
    let plain = folder.path("plain.safetensors");
    back(&tiles, &plain).unwrap();
    let [plain_file, rows] =
        [&plain, &python("rows.npy")].map(|path| TensorFile::open(path).unwrap());
    let [found, expected] = [&plain_file, &rows].map(|file| {
        let [tensor] = file.tensors() else { panic!() };
        (tensor.dims(), file.bytes(tensor).unwrap())
    });
    assert_eq!(found, expected);
    back(&plain, &again).unwrap();
    same(&again, &python("columns.npy"));
}

#[test]
fn a_record_of_another_file_is_refused() {
    let folder = Folder::new("stale");
    let [source, tiles, other] =
        ["rows.bin", "tiles.bin", "rows.npy"].map(|name| folder.path(name));
    fs::write(&source, (0..200).collect::<Vec<u8>>()).unwrap();
    convert(&source, &tiles, "u8[10,20]", "u8[10,20]{0,1}");
    let written = fs::read(&tiles).unwrap();
    fs::copy(&source, &tiles).unwrap();
    refused(&tiles, &["tiles.bin.layout.json: ", "other bytes", "remove the record"]);
    fs::write(&tiles, [0; 30]).unwrap();
    refused(&tiles, &["tiles.bin` has 30 bytes instead of 200"]);
    fs::write(folder.path("tiles.bin.layout.json"), "{").unwrap();
    refused(&tiles, &["not a record of layouts", "remove it"]);
    fs::remove_file(folder.path("tiles.bin.layout.json")).unwrap();

    convert(&python("rows.npy"), &other, "s32[5,7]", "s32[5,7]{0,1}");
    fs::copy(python("columns.npy"), &other).unwrap();
    // The same bytes, so that it is the record of this file.
    back(&other, &folder.path("again.npy")).unwrap();
    fs::copy(python("rows.npy"), &other).unwrap();
    refused(&other, &["rows.npy.layout.json: "]);

    // A copy of the file with its sidecar is recognised.
    let copy = folder.path("copy.bin");
    convert(&source, &tiles, "u8[10,20]", "u8[10,20]{0,1}");
    assert_eq!(fs::read(&tiles).unwrap(), written);
    fs::copy(&tiles, &copy).unwrap();
    fs::copy(folder.path("tiles.bin.layout.json"), folder.path("copy.bin.layout.json")).unwrap();
    back(&copy, &folder.path("back.bin")).unwrap();
    same(&folder.path("back.bin"), &source);
}

#[test]
fn what_a_file_says_of_itself_comes_first() {
    let folder = Folder::new("own");
    let [source, tiles, back_path] =
        ["source.safetensors", "tiles.safetensors", "back.safetensors"]
            .map(|name| folder.path(name));
    let content = (0..64).collect::<Vec<u8>>();
    safetensors(&source, &[("w", "F32", &[4, 4])], &content);
    convert(&source, &tiles, "f32[4,4]", "f32[4,4]{0,1}");
    let stale = fs::read(folder.path("tiles.safetensors.layout.json")).unwrap();
    convert(&source, &tiles, "f32[4,4]", "f32[4,4]{1,0:T(2,2)}");
    fs::write(folder.path("tiles.safetensors.layout.json"), stale).unwrap();
    back(&tiles, &back_path).unwrap();
    same(&back_path, &source);
    // Without a record in the file, the one beside it must be its own.
    fs::copy(&source, &tiles).unwrap();
    refused(&tiles, &["tiles.safetensors.layout.json: this is the record of another file"]);
}

/// A tool that keeps the metadata of a file may write other tensors.
#[test]
fn a_tensor_that_is_not_what_was_recorded() {
    let folder = Folder::new("other");
    let [source, tiles] = ["source.safetensors", "tiles.safetensors"].map(|name| folder.path(name));
    safetensors(&source, &[("w", "F32", &[4, 6])], &[1; 96]);
    convert(&source, &tiles, "f32[4,6]", "f32[4,6]{1,0:T(2,2)}");
    // The sidecar knows the bytes.
    fs::remove_file(folder.path("tiles.safetensors.layout.json")).unwrap();
    let (bytes, find) = (fs::read(&tiles).unwrap(), b"\"shape\":[2,3,2,2]");
    let at = bytes.windows(find.len()).rposition(|window| window == find).unwrap();
    let with = |from: &[u8]| [&bytes[..at], from, &bytes[at + find.len()..]].concat();
    for (changed, now) in [
        (&b"\"shape\":[3,2,2,2]"[..], "`f32` of [3, 2, 2, 2]"),
        (b"\"shape\":[     24]", "`f32` of [24]"),
    ] {
        fs::write(&tiles, with(changed)).unwrap();
        let error = back(&tiles, &folder.path("back.npy")).unwrap_err().to_string();
        assert!(
            error.contains("tiles.safetensors: tensor `w`: ") && error.contains(now),
            "{error}"
        );
        assert!(error.contains("`f32` of [2, 3, 2, 2]") && error.contains("--from"), "{error}");
    }
}

/// The run ends after the sidecar has its place and before the file has: a file on which another one is mounted cannot
/// be replaced.
#[test]
fn a_file_that_is_not_replaced_keeps_its_record() {
    let folder = Folder::new("between");
    let [source, tiles, mounted, back_path] =
        ["rows.bin", "tiles.bin", "mounted.bin", "back.bin"].map(|name| folder.path(name));
    fs::write(&source, (0..200).collect::<Vec<u8>>()).unwrap();
    convert(&source, &tiles, "u8[10,20]", "u8[10,20]{0,1}");
    let old = fs::read(&tiles).unwrap();
    fs::write(&mounted, &old).unwrap();
    let run = |program: &str, paths: &[&Path]| {
        let status = Command::new(program)
            .args((program == "mount").then_some("--bind"))
            .args(paths)
            .status();
        status.is_ok_and(|status| status.success())
    };
    let is_mounted = run("mount", &[&mounted, &tiles]);
    let file = TensorFile::open(&source).unwrap();
    for to in ["u8[10,20]{1,0:T(2,2)}", "u8[10,20]"] {
        let change = Change::new("u8[10,20]".parse().unwrap(), to.parse::<ArrayShape>().unwrap());
        let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone()))).unwrap();
        let result = conversion.write(&tiles, Share::WHOLE, &mut |_| ());
        if is_mounted {
            assert!(matches!(result.unwrap_err().kind(), ErrorKind::Io(_)));
        } else {
            // The same state, without the right to mount.
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

/// From each format through two others, whatever a file can hold: the last file is the first, byte for byte.
#[test]
fn each_format_comes_back_through_each() {
    let folder = Folder::new("round");
    let names = ["rows", "columns", "brain", "big_endian", "empty", "scalar", "truth", "tiles"];
    let mut sources = names.map(|name| python(&format!("{name}.npy"))).to_vec();
    let raw = folder.path("raw.bin");
    fs::write(&raw, (0..70).collect::<Vec<u8>>()).unwrap();
    sources.push(raw);
    let tensors: [(&str, &[usize]); 5] =
        [("BF16", &[3, 4]), ("F32", &[2, 3]), ("U8", &[5]), ("F4", &[2, 8]), ("I64", &[])];
    for (dtype, dims) in tensors.into_iter().chain([("F32", &[3, 0][..])]) {
        let path =
            folder.path(&format!("{dtype}{}.safetensors", dims.len() + dims.iter().sum::<usize>()));
        let width =
            dtype.trim_start_matches(|c: char| !c.is_ascii_digit()).parse::<usize>().unwrap();
        let bytes = dims.iter().product::<usize>() * width / 8;
        safetensors(&path, &[("w", dtype, dims)], &(0..bytes as u8).collect::<Vec<_>>());
        sources.push(path);
    }
    let mut done = 0;
    for source in sources {
        let extension = source.extension().unwrap().to_str().unwrap();
        for (first, second) in ["npy", "safetensors", "bin"]
            .into_iter()
            .flat_map(|first| ["npy", "safetensors", "bin"].map(|second| (first, second)))
        {
            let [a, b, c] = [("a", first), ("b", second), ("c", extension)]
                .map(|(name, extension)| folder.path(&format!("{name}{done}.{extension}")));
            let steps = back(&source, &a).and_then(|()| back(&a, &b)).and_then(|()| back(&b, &c));
            match steps {
                Err(error) if error.to_string().contains("has no element type") => continue,
                steps => steps.unwrap_or_else(|error| panic!("{first} {second}: {error}")),
            }
            same(&c, &source);
            // A name that a file on the way had is recorded.
            if extension == "safetensors" || ![first, second].contains(&"safetensors") {
                assert!(!folder.names().contains(&format!("c{done}.{extension}.layout.json")));
            }
            done += 1;
        }
    }
    assert!(done > 100, "{done}");
}

/// Forms that change though the layout does not.
#[test]
fn a_form_that_changes_is_recorded() {
    let folder = Folder::new("forms");
    let paths = ["a.safetensors", "b.safetensors", "c.safetensors", "y.safetensors", "y.npy"];
    let [source, packed, back_path, columns, again] = paths.map(|name| folder.path(name));
    safetensors(&source, &[("w", "U8", &[4, 6])], &(0..24).collect::<Vec<_>>());
    convert(&source, &packed, "u4[4,12]{1,0:E(4)}", "u4[4,12]{1,0:E(4)}");
    back(&packed, &back_path).unwrap();
    same(&back_path, &source);
    convert(&python("columns.npy"), &columns, "s32[5,7]{0,1}", "s32[5,7]{0,1}");
    back(&columns, &again).unwrap();
    same(&again, &python("columns.npy"));
}

/// The key of the record is no one else's, and other metadata stays.
#[test]
fn metadata_of_others() {
    let folder = Folder::new("metadata");
    let [source, new, again] =
        ["a.safetensors", "b.safetensors", "c.safetensors"].map(|name| folder.path(name));
    let with = |metadata: &str| {
        let header = format!(
            "{{\"__metadata__\":{{{metadata}}},\"w\":{{\"dtype\":\"U8\",\"shape\":[2,2],\"data_offsets\":[0,4]}}}}"
        );
        let header = format!("{header:0$}", header.len().next_multiple_of(8));
        let length = (header.len() as u64).to_le_bytes();
        fs::write(&source, [&length[..], header.as_bytes(), &[1, 2, 3, 4]].concat()).unwrap();
    };
    with("\"layout\":\"NCHW\"");
    convert(&source, &new, "u8[2,2]", "u8[2,2]{0,1}");
    assert_eq!(TensorFile::open(&new).unwrap().metadata()["layout"], "NCHW");
    back(&new, &again).unwrap();
    same(&again, &source);
    with("\"tiled-layout.record\":\"NCHW\"");
    refused(&source, &["metadata `tiled-layout.record`: not a record of layouts", "remove it"]);
}

/// One of several tensors is taken out as it is; and none is left out that was not said to be.
#[test]
fn one_tensor_of_several() {
    let folder = Folder::new("several");
    let [model, one] = ["model.safetensors", "one.npy"].map(|name| folder.path(name));
    let tensors: [(&str, &str, &[usize]); 2] = [("a", "U8", &[2, 2]), ("b", "U8", &[3])];
    safetensors(&model, &tensors, &[1, 2, 3, 4, 5, 6, 7]);
    let file = TensorFile::open(&model).unwrap();
    let chosen = |tensor: &layout_files::Tensor| (tensor.name() == "b").then_some(Change::NONE);
    let conversion = Conversion::new(&file, Format::Npy, |tensor| Ok(chosen(tensor))).unwrap();
    conversion.write(&one, Share::WHOLE, &mut |_| ()).unwrap();
    let stored = TensorFile::open(&one).unwrap();
    let [tensor] = stored.tensors() else { panic!() };
    assert_eq!((tensor.name(), stored.bytes(tensor).unwrap()), ("b", &[5, 6, 7][..]));
    // A record of one of them chooses nothing.
    let tiles = folder.path("tiles.safetensors");
    let change = Change::new("u8[2,2]".parse().unwrap(), "u8[2,2]{0,1}".parse().unwrap());
    let conversion = Conversion::new(&file, Format::Safetensors, |tensor| {
        Ok((tensor.name() == "a").then(|| change.clone()))
    });
    conversion.unwrap().write(&tiles, Share::WHOLE, &mut |_| ()).unwrap();
    let error = back(&tiles, &one).unwrap_err().to_string();
    assert!(error.contains("2 are to be written"), "{error}");
}

/// Somebody edits the dimensions of a record.
#[test]
fn dimensions_that_the_recorded_layout_has_not() {
    let folder = Folder::new("edited");
    let [source, tiles] = ["rows.npy", "tiles.npy"].map(|name| folder.path(name));
    fs::copy(python("rows.npy"), &source).unwrap();
    convert(&source, &tiles, "s32[5,7]", "s32[5,7]{1,0:T(2,4)}");
    let record = folder.path("tiles.npy.layout.json");
    let mut text: serde_json::Value = serde_json::from_slice(&fs::read(&record).unwrap()).unwrap();
    text["record"]["steps"][0]["rows"]["now"]["shape"] = serde_json::json!([5, 8]);
    fs::write(&record, text.to_string()).unwrap();
    let error = back(&tiles, &folder.path("back.npy")).unwrap_err().to_string();
    assert!(
        error.contains("its record says `s32` of [5, 8], and a layout of 140 bytes"),
        "{error}"
    );
}
