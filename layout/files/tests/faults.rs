//! What goes wrong: nothing is lost, nothing is half written, and nothing panics.

mod folder;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::process::Command;
use std::sync::mpsc;

use folder::{Folder, python, raw, safetensors};
use layout::ArrayShape;
use layout_files::{Change, Conversion, ErrorKind, Format, Share, TensorFile};

#[test]
fn a_full_disk_leaves_the_target() {
    let folder = Folder::new("full");
    let disk = folder.path("disk");
    fs::create_dir(&disk).unwrap();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"])
        .arg(&disk)
        .status()
        .is_ok_and(|status| status.success());
    if !mounted {
        println!("skipped: no small disk can be mounted here");
        return;
    }
    let [source, target] = [folder.path("source.bin"), disk.join("target.bin")];
    fs::write(&source, vec![1; 1 << 20]).unwrap();
    fs::write(&target, "what was there").unwrap();
    let result = raw(&source, &target, "u8[1024,1024]", "u8[1024,1024]{0,1}");
    let copied = raw(&source, &target, "u8[1024,1024]", "u8[1024,1024]");
    let left = fs::read_dir(&disk).unwrap().count();
    let kept = fs::read_to_string(&target);
    let unmounted = Command::new("umount").arg(&disk).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    for result in [result, copied] {
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
        let text = error.to_string();
        assert!(
            text.contains("target.bin.") && text.contains(".tmp: ") && text.contains("make room"),
            "{text}"
        );
    }
    assert_eq!((kept.unwrap().as_str(), left), ("what was there", 1));
}

#[test]
fn layouts_that_do_not_go_with_their_tensor() {
    let folder = Folder::new("layouts");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    for (from, to, expected) in [
        ("u8[4,5]", "u8[4,5]{0,1}", "takes 20 bytes and the tensor has 16"),
        ("u8[4,4]", "u8[2,8]", "different arrays"),
        ("u8[4,4]", "s8[4,4]", "different arrays"),
        ("u8[?,4]", "u8[4,4]", "size"),
    ] {
        let error = raw(&source, &target, from, to).unwrap_err().to_string();
        assert!(error.contains("source.bin: tensor `source`: "), "{error}");
        assert!(error.contains(expected), "{error}");
    }
    assert_eq!(folder.names(), ["source.bin"]);
    let file = TensorFile::open(python("model.safetensors")).unwrap();
    let shape = "bf16[9,66]".parse::<ArrayShape>().unwrap();
    let conversion = Conversion::new(&file, Format::Safetensors, |tensor| {
        Ok((tensor.name() == "layers.0.w").then(|| Change::new(shape, shape)))
    });
    let error = conversion.unwrap_err().to_string();
    assert!(
        error.contains("elements of type `f32`, and the layout those of type `bf16`"),
        "{error}"
    );
    let error = Conversion::new(&file, Format::Npy, |_| Ok(None)).unwrap_err().to_string();
    assert!(error.contains("--tensor NAME"), "{error}");

    // Dimensions are those of the tensor, or it has those of the layout in memory.
    let file = TensorFile::open(python("rows.npy")).unwrap();
    let with = |from: &str| {
        let from = from.parse::<ArrayShape>().unwrap();
        Conversion::new(&file, Format::Npy, |_| Ok(Some(Change::new(from, from))))
    };
    for from in ["s32[7,5]{0,1}", "s32[7,5]", "s32[35]", "s32[5,7,1]"] {
        let error = with(from).unwrap_err().to_string();
        assert!(error.contains("other dimensions than the tensor, [5, 7]"), "{error}");
    }
    assert!(with("s32[5,7]{0,1}").is_ok());
    let file = TensorFile::open(python("tiles.npy")).unwrap();
    let from = "s32[5,7]{1,0:T(2,4)}".parse().unwrap();
    assert!(Conversion::new(&file, Format::Npy, |_| Ok(Some(Change::new(from, from)))).is_ok());
}

/// Before each part the file is looked at; what changes within one is not tested, since it would end the test.
#[test]
fn a_file_that_shrinks() {
    let folder = Folder::new("shrinks");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, vec![1; 4 << 20]).unwrap();
    for to in ["u8[2048,2048]{0,1}", "u8[2048,2048]"] {
        fs::write(&source, vec![1; 4 << 20]).unwrap();
        let file = TensorFile::open(&source).unwrap();
        let change = Change::new("u8[2048,2048]".parse().unwrap(), to.parse().unwrap());
        let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone())));
        let mut cut = |_| {
            OpenOptions::new().write(true).open(&source).unwrap().set_len(100).unwrap();
        };
        let error = conversion.unwrap().write(&target, Share::WHOLE, &mut cut).unwrap_err();
        let shrank = ErrorKind::Changed { expected: 4 << 20, found: 100 };
        assert_eq!(format!("{:?}", error.kind()), format!("{shrank:?}"));
        assert!(error.path().ends_with("source.bin"));
    }
    assert_eq!(folder.names(), ["source.bin"]);
}

/// Written in place, its length is what it was.
#[test]
fn a_file_that_is_written_meanwhile() {
    let folder = Folder::new("written");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    // In the middle, and after the last part was read.
    for (size, to) in [(2048, "{0,1}"), (2048, "{1,0}"), (64, "{0,1}")] {
        fs::write(&source, vec![1; size * size]).unwrap();
        let file = TensorFile::open(&source).unwrap();
        let from = format!("u8[{size},{size}]");
        let change = Change::new(from.parse().unwrap(), format!("{from}{to}").parse().unwrap());
        let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone())));
        let mut write = |_| {
            // The clock of a file system may stand for some milliseconds.
            std::thread::sleep(std::time::Duration::from_millis(20));
            let mut file = OpenOptions::new().write(true).open(&source).unwrap();
            file.write_all(&vec![2; size * size]).unwrap();
        };
        let error = conversion.unwrap().write(&target, Share::WHOLE, &mut write).unwrap_err();
        assert!(error.to_string().contains("written while it was read\n  = help: "), "{error}");
        assert_eq!(folder.names(), ["source.bin"]);
    }
}

/// It would wait for a writer, for ever.
#[cfg(unix)]
#[test]
fn pipes_are_not_opened() {
    let folder = Folder::new("pipes");
    let [pipe, rows] = ["pipe.npy", "rows.npy"].map(|name| folder.path(name));
    fs::copy(python("rows.npy"), &rows).unwrap();
    for (fifo, file) in [(pipe.clone(), pipe), (folder.path("rows.npy.layout.json"), rows)] {
        assert!(Command::new("mkfifo").arg(fifo).status().unwrap().success());
        let (opened, result) = mpsc::channel();
        std::thread::spawn(move || opened.send(TensorFile::open(file).unwrap_err().to_string()));
        let error = result.recv_timeout(std::time::Duration::from_secs(20)).unwrap();
        assert!(error.contains("not a file"), "{error}");
    }
}

#[test]
fn names_that_a_file_cannot_have() {
    let folder = Folder::new("names");
    let mut bytes = fs::read(python("model.gguf")).unwrap();
    let name = b"\x03\0\0\0\0\0\0\0f16";
    let at = bytes.windows(name.len()).position(|window| window == name).unwrap();
    bytes[at + 8..at + 11].copy_from_slice(b"f32");
    fs::write(folder.path("twice.gguf"), bytes).unwrap();
    let error = TensorFile::open(folder.path("twice.gguf")).unwrap_err().to_string();
    assert!(error.ends_with("twice.gguf: two tensors are called `f32`"), "{error}");

    fs::copy(python("rows.npy"), folder.path("__metadata__.npy")).unwrap();
    let file = TensorFile::open(folder.path("__metadata__.npy")).unwrap();
    let error = Conversion::new(&file, Format::Safetensors, |_| Ok(None)).unwrap_err().to_string();
    assert!(
        error.contains("cannot be called `__metadata__`") && error.contains("rename"),
        "{error}"
    );
}

#[test]
fn sizes_that_cannot_be_counted() {
    let folder = Folder::new("sizes");
    let [source, wide] = ["source.safetensors", "wide.safetensors"].map(|name| folder.path(name));
    let tensors = ["a", "b", "c"].map(|name| (name, "U8", &[1][..]));
    safetensors(&source, &tensors, &[1; 3]);
    let file = TensorFile::open(&source).unwrap();
    let to = "u8[1]{0:T(9000000000000000000)}".parse().unwrap();
    let change = Change::new("u8[1]".parse().unwrap(), to);
    let error = Conversion::new(&file, Format::Safetensors, |_| Ok(Some(change.clone())));
    let error = error.unwrap_err().to_string();
    assert!(error.ends_with("the new file has more bytes than can be counted"), "{error}");

    // Together they end at the last number that there is, and the header stands before them.
    let most = (1_usize << 61) - 1;
    let entries = (0..8).map(|at| {
        let ends = [at * most, (at + 1) * most];
        format!("\"{at}\":{{\"dtype\":\"U8\",\"shape\":[{most}],\"data_offsets\":{ends:?}}}")
    });
    let header = format!("{{{}}}", entries.collect::<Vec<_>>().join(","));
    let length = (header.len() as u64).to_le_bytes();
    fs::write(&wide, [&length[..], header.as_bytes(), &[0; 8]].concat()).unwrap();
    let error = TensorFile::open(&wide).unwrap_err().to_string();
    assert!(error.contains("18446744073709551608 bytes and the file 8 of them"), "{error}");
}

#[test]
fn texts_of_a_header_are_escaped_and_not_copied() {
    let folder = Folder::new("descr");
    let path = folder.path("time.npy");
    for descr in ["<M8[\u{1b}[31m]", "<M8[s]'", "<f4[\u{1b}]", "<V2\u{1b}", "{\u{1b}"] {
        let header = format!("{{\"descr\": \"{descr}\", 'fortran_order': False, 'shape': (0,), }}");
        let length = (header.len() as u16).to_le_bytes();
        fs::write(&path, [b"\x93NUMPY\x01\x00", &length[..], header.as_bytes()].concat()).unwrap();
        let error = TensorFile::open(&path).unwrap_err().to_string();
        assert!(!error.contains('\u{1b}') && error.contains("\n  = help: "), "{error:?}");
    }
}
