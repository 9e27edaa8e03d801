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
    for (changed, now, from, to) in [
        (&b"\"shape\":[3,2,2,2]"[..], "`f32` of [3, 2, 2, 2]", "f32[3,2,2,2]", "{3,2,1,0:T(5)}"),
        (b"\"shape\":[     24]", "`f32` of [24]", "f32[24]", "{0:T(5)}"),
    ] {
        fs::write(&tiles, with(changed)).unwrap();
        let error = back(&tiles, &folder.path("back.npy")).unwrap_err().to_string();
        assert!(
            error.contains("tiles.safetensors: tensor `w`: ") && error.contains(now),
            "{error}"
        );
        assert!(error.contains("`f32` of [2, 3, 2, 2]") && error.contains("--from"), "{error}");
        // What is said of it now counts, and what was recorded is over.
        let [other, again] = ["other.npy", "again.safetensors"].map(|name| folder.path(name));
        convert(&tiles, &other, from, &format!("{from}{to}"));
        assert_eq!(TensorFile::open(&other).unwrap().sidecar().unwrap().steps.len(), 1);
        back(&other, &again).unwrap();
        let [found, expected] = [&again, &tiles].map(|path| TensorFile::open(path).unwrap());
        let [found_tensor, tensor] = [&found, &expected].map(|file| file.tensor("w").unwrap());
        assert_eq!((found_tensor.dims(), found.sidecar()), (tensor.dims(), None));
        assert!(found.bytes(found_tensor).unwrap() == expected.bytes(tensor).unwrap());
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

/// What the only tensor of a file is: type, dimensions, and whether the order is column-major.
fn form(path: &Path) -> (String, Vec<u64>, bool) {
    let file = TensorFile::open(path).unwrap();
    let [tensor] = file.tensors() else { panic!() };
    let layout = tensor.layout();
    let is_column_major = layout.is_ok_and(|layout| layout.minor_to_major().first() == Some(&0));
    (tensor.dtype().to_string(), tensor.dims().to_vec(), is_column_major && tensor.dims().len() > 1)
}

/// As many as no depth of a parser would take.
#[test]
fn a_history_of_any_length_is_undone() {
    let folder = Folder::new("history");
    for extension in ["npy", "safetensors"] {
        let paths = [0, 1].map(|number| folder.path(&format!("{number}.{extension}")));
        convert(&python("rows.npy"), &paths[0], "s32[5,7]", "s32[5,7]{1,0:T(2,2)}");
        let tiles = ["{1,0:T(2,2)}", "{0,1:T(3,2)}"].map(|layout| format!("s32[5,7]{layout}"));
        for number in 0..150 {
            let [from, to] = [number % 2, (number + 1) % 2];
            convert(&paths[from], &paths[to], &tiles[from], &tiles[to]);
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
    let [source, tiles] = ["in.bin", "tiles.bin"].map(|name| folder.path(name));
    fs::write(&source, (0..48).collect::<Vec<u8>>()).unwrap();
    convert(&source, &tiles, "f32[3,4]", "f32[3,4]{0,1}");
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
    let text = error.to_string();
    assert!(matches!(error.kind(), ErrorKind::Record(_)), "{text}");
    assert!(text.contains("layouts of 4000000000000 bytes, and the file has 48"), "{text}");
    assert!(text.contains(&format!("believed up to {most}\n  = help: ")), "{text}");
    // A step of which the record says nothing else.
    let record_of = |text: &str| serde_json::from_str::<serde_json::Value>(text).unwrap();
    let mut value = record_of(&fs::read_to_string(&record).unwrap());
    let tensors = value["record"]["tensors"].as_object_mut().unwrap();
    let only = tensors.remove("in").unwrap();
    tensors.insert("other".to_owned(), only);
    value["record"]["steps"][0]["tiles"] = value["record"]["steps"][0]["in"].clone();
    value["record"]["steps"][0]["other"] = value["record"]["steps"][0]["in"].clone();
    fs::write(&record, value.to_string()).unwrap();
    assert!(plan().unwrap_err().to_string().contains("believed up to"));
    for (length, is_believed) in [(most / 4, true), (most / 4 + 1, false)] {
        with(&format!("L({length})"));
        let file = TensorFile::open(&tiles).unwrap();
        assert_eq!(Conversion::back(&file, Format::Raw).is_ok(), is_believed, "{length}");
        let change = Change::new(
            "f32[3,4]{0,1}".parse().unwrap(),
            format!("f32[3,4]{{1,0:L({length})}}").parse().unwrap(),
        );
        assert!(Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone()))).is_ok());
    }
}

#[test]
fn metadata_goes_through_other_formats() {
    let folder = Folder::new("texts");
    let [source, target] = ["in.safetensors", "out.safetensors"].map(|name| folder.path(name));
    let header = "{\"__metadata__\":{\"a\":\"\\u00e9\\n\",\"format\":\"pt\"},\"w\":{\"dtype\":\"F32\",\"shape\":[2,2],\"data_offsets\":[0,16]}}";
    let header = format!("{header:<160}");
    fs::write(&source, [&160_u64.to_le_bytes()[..], header.as_bytes(), &[7; 16]].concat()).unwrap();
    for (first, second) in [("npy", "bin"), ("bin", "npy"), ("npy", "safetensors")] {
        let [a, b] = [("a", first), ("b", second)]
            .map(|(name, extension)| folder.path(&format!("{name}.{extension}")));
        convert(&source, &a, "f32[2,2]", "f32[2,2]{0,1}");
        convert(&a, &b, "f32[2,2]{0,1}", "f32[2,2]{1,0:T(2,2)}");
        for path in [&a, &b] {
            let file = TensorFile::open(path).unwrap();
            assert_eq!(file.metadata()["a"], "é\n", "{}", path.display());
            assert_eq!(file.metadata().len(), 2);
        }
        back(&b, &a).unwrap();
        back(&a, &target).unwrap();
        let [found, expected] = [&target, &source].map(|path| TensorFile::open(path).unwrap());
        assert_eq!(found.metadata(), expected.metadata());
        assert_eq!(found.tensors()[0].dims(), [2, 2]);
        assert!(!folder.names().contains(&"out.safetensors.layout.json".to_owned()));
    }
    // Of the format alone too.
    let array = folder.path("c.npy");
    back(&source, &array).unwrap();
    back(&array, &target).unwrap();
    assert_eq!(TensorFile::open(&target).unwrap().metadata()["format"], "pt");
}

/// The file that was there had a record, and the one that replaces it has none.
#[test]
fn the_record_of_a_replaced_file_goes() {
    let folder = Folder::new("gone");
    let [tiles, other] = ["tiles.npy", "other.npy"].map(|name| folder.path(name));
    for path in [&tiles, &other] {
        convert(&python("rows.npy"), path, "s32[5,7]", "s32[5,7]{1,0:T(2,4)}");
    }
    back(&tiles, &other).unwrap();
    same(&other, &python("rows.npy"));
    assert_eq!(folder.names(), ["other.npy", "tiles.npy", "tiles.npy.layout.json"]);
}

/// Elements that a file had in words, of which a reader knows the type, are in such words again.
#[test]
fn words_of_packed_elements_stay_words() {
    let folder = Folder::new("words");
    let [source, target, bytes] =
        ["in.safetensors", "out.safetensors", "bytes.safetensors"].map(|name| folder.path(name));
    safetensors(&source, &[("w", "I32", &[4, 2])], &(0..32).collect::<Vec<_>>());
    convert(&source, &target, "u4[4,16]{1,0:E(4)}", "u4[4,16]{0,1:E(4)}");
    assert_eq!(form(&target), ("s32".to_owned(), vec![8], false));
    // Elements in bytes are 64 bytes, which are 16 words too; of 3 bytes there is no word.
    convert(&source, &target, "u4[4,16]{1,0:E(4)}", "u4[4,16]");
    assert_eq!(form(&target), ("s32".to_owned(), vec![16], false));
    safetensors(&source, &[("w", "I16", &[3])], &[0; 6]);
    convert(&source, &bytes, "u4[12]{0:E(4)}", "u4[12]{0:PAD(13)E(4)}");
    assert_eq!(form(&bytes), ("u8".to_owned(), vec![7], false));
}

/// Of one dimension there is one order, and numpy's headers say the first.
#[test]
fn arrays_of_one_dimension_are_row_major() {
    let folder = Folder::new("one");
    let [source, target] = ["in.bin", "out.npy"].map(|name| folder.path(name));
    fs::write(&source, [1, 2, 3]).unwrap();
    for shape in ["u8[3]", "u8[3]{0}"] {
        convert(&source, &target, shape, shape);
        let text = String::from_utf8_lossy(&fs::read(&target).unwrap()).into_owned();
        assert!(text.contains("'fortran_order': False, 'shape': (3,)"), "{text}");
    }
}

/// A tensor that has the dimensions of a format on the way, and not those that its own format gives the layout.
#[test]
fn the_recorded_layout_goes_with_its_tensor() {
    let folder = Folder::new("recorded");
    let paths = ["a.safetensors", "b.safetensors", "c.npy", "d.npy", "e.npy", "f.npy", "g.npy"];
    let [a, b, c, d, e, f, g] = paths.map(|name| folder.path(name));
    convert(&python("rows.npy"), &a, "s32[5,7]", "s32[5,7]{0,1}");
    assert_eq!(form(&a), ("s32".to_owned(), vec![7, 5], false));
    convert(&a, &b, "s32[5,7]{0,1}", "s32[5,7]{1,0:T(2,4)}");
    back(&b, &c).unwrap();
    assert_eq!(form(&c), ("s32".to_owned(), vec![7, 5], false));
    let error = {
        let file = TensorFile::open(&c).unwrap();
        let from = "s32[5,7]".parse().unwrap();
        Conversion::new(&file, Format::Npy, |_| Ok(Some(Change::new(from, from)))).unwrap_err()
    };
    assert!(error.to_string().contains("other dimensions than the tensor, [7, 5]"), "{error}");
    convert(&c, &d, "s32[5,7]{0,1}", "s32[5,7]{1,0:T(3,3)}");
    back(&d, &e).unwrap();
    same(&e, &c);
    back(&e, &f).unwrap();
    same(&f, &python("rows.npy"));

    // The header says column-major order, and the user tiles in it: no format but `.npy` has its dimensions.
    convert(&python("columns.npy"), &d, "s32[5,7]{0,1:T(5)}", "s32[5,7]{1,0:T(2,4)}");
    back(&d, &a).unwrap();
    assert_eq!(form(&a), ("s32".to_owned(), vec![7, 1, 5], false));
    back(&a, &g).unwrap();
    same(&g, &python("columns.npy"));
}

/// Numbers in the other order of bytes are no elements of a layout, and nothing carries them.
#[test]
fn elements_of_other_types_are_not_carried() {
    let file = TensorFile::open(python("big_endian.npy")).unwrap();
    let dims = file.tensors()[0].dims().iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    for element in ["s32", "f32", "u8"] {
        let from = format!("{element}[{dims}]").parse().unwrap();
        let error = Conversion::new(&file, Format::Npy, |_| Ok(Some(Change::new(from, from))));
        let error = error.unwrap_err().to_string();
        assert!(
            error.contains(&format!(
                "elements of type `>i4`, and the layout those of type `{element}`"
            )),
            "{error}"
        );
    }
}

/// Where samples lie, and what they give: records are read by other versions than wrote them.
#[test]
fn the_mark_of_a_file_stays() {
    let folder = Folder::new("mark");
    let [source, tiles] = ["in.bin", "tiles.bin"].map(|name| folder.path(name));
    for (bytes, expected) in [(12, "4cd586e34264367d"), (700_000, "e8c2d11fbb49679b")] {
        fs::write(&source, (0..bytes).map(|at| (at * 7 + at / 251) as u8).collect::<Vec<_>>())
            .unwrap();
        let from = format!("u8[4,{}]", bytes / 4);
        convert(&source, &tiles, &from, &format!("{from}{{0,1}}"));
        let text = fs::read(folder.path("tiles.bin.layout.json")).unwrap();
        let record = serde_json::from_slice::<serde_json::Value>(&text).unwrap();
        assert_eq!(record["file"]["hash"], expected);
        assert_eq!(record["file"]["bytes"], bytes);
    }
}
