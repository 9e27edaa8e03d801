//! What stands where a conversion writes: other files, links, other runs.

mod folder;

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};

use folder::{Folder, raw};
use layout_files::{Change, Conversion, ErrorKind, Format, Share, TensorFile};

#[test]
fn targets_that_are_not_written() {
    let folder = Folder::new("targets");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    fs::write(&target, "kept").unwrap();
    let mut permissions = fs::metadata(&target).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&target, permissions).unwrap();
    let error = raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap_err().to_string();
    assert!(error.contains("target.bin: the file is read-only\n  = help: "), "{error}");
    assert_eq!(fs::read_to_string(&target).unwrap(), "kept");

    let error = raw(&source, &source, "u8[4,4]", "u8[4,4]{0,1}").unwrap_err().to_string();
    assert!(error.contains("the target is the source"), "{error}");
    let error = raw(&source, &folder.path("no/such.bin"), "u8[4,4]", "u8[4,4]{0,1}").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io(_)) && error.to_string().contains("its folder"));
    let error = raw(&source, &folder.path(""), "u8[4,4]", "u8[4,4]{0,1}").unwrap_err();
    assert!(error.to_string().contains("not a file"), "{error}");
    assert_eq!(folder.names(), ["source.bin", "target.bin"]);
}

/// What others made beside the target stays, whatever its name is; the lock's name is refused.
#[test]
fn files_of_others_are_kept() {
    let folder = Folder::new("others");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    let others =
        ["target.bin.tmp", "target.bin.layout.json.tmp", "target.bin.0123456789abcdef.tmp"];
    for name in others {
        fs::write(folder.path(name), name).unwrap();
    }
    let lock = folder.path("target.bin.layout.lock");
    let signature =
        "layout convert writes the file of this name, by temporary files of this number: ";
    for text in
        ["mine", "layout convert writes the file of that name", &format!("\u{e9}{signature}")]
    {
        fs::write(&lock, text).unwrap();
        let error = raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap_err().to_string();
        assert!(error.contains("target.bin.layout.lock: not a lock of"), "{error}");
        assert_eq!(fs::read_to_string(&lock).unwrap(), text);
    }
    // What a killed run left says which files are its own: those alone go, with the lock.
    let number = "fedcba9876543210";
    for text in [
        "",
        "layout conv",
        signature,
        &format!("{signature}fedcba98"),
        &format!("{signature}{number}\n"),
    ] {
        fs::write(&lock, text).unwrap();
        for end in ["", ".layout.json"] {
            fs::write(folder.path(&format!("target.bin{end}.{number}.tmp")), "left").unwrap();
        }
        raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap();
        let names = folder.names();
        assert!(!lock.exists());
        let is_left = names.iter().any(|name| name.contains(number));
        assert_eq!(is_left, !text.ends_with('\n'), "{names:?}");
    }
    for name in others {
        assert_eq!(fs::read_to_string(folder.path(name)).unwrap(), name);
    }
    assert_eq!(folder.names().len(), 6);
    #[cfg(unix)]
    {
        let kept = folder.path("kept.bin");
        fs::write(&kept, "").unwrap();
        std::os::unix::fs::symlink(&kept, &lock).unwrap();
        let error = raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap_err().to_string();
        assert!(error.contains("target.bin.layout.lock: not a lock of"), "{error}");
        assert!(fs::read(&kept).unwrap().is_empty());
    }
}

/// The source and its record are not written, by whatever name.
#[test]
fn sources_at_other_names() {
    let folder = Folder::new("sources");
    let target = folder.path("target.bin");
    let source = folder.path("target.bin.layout.json");
    fs::write(&source, [1; 16]).unwrap();
    let error = raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap_err().to_string();
    assert!(error.contains("the target is the source"), "{error}");
    #[cfg(unix)]
    for share in [Share::WHOLE, Share::new(1, 1).unwrap()] {
        let other = share.path(&target);
        fs::hard_link(&source, &other).unwrap();
        let file = TensorFile::open(&source).unwrap();
        let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
        let error = conversion.write(&target, share, &mut |_| ()).unwrap_err().to_string();
        assert!(error.contains("the target is the source"), "{error}");
        fs::remove_file(other).unwrap();
    }
    assert_eq!(fs::read(&source).unwrap(), [1; 16]);
    assert_eq!(folder.names(), ["target.bin.layout.json"]);
}

#[cfg(unix)]
#[test]
fn permissions_stay() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = Folder::new("mode");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    fs::write(&target, "").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o640)).unwrap();
    raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap();
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o640);
}

/// What has the name of a record and is none is not removed, nor replaced.
#[test]
fn a_file_that_is_no_record_is_kept() {
    let folder = Folder::new("kept");
    let names = ["source.bin", "target.bin", "target.bin.layout.json"];
    let [source, target, beside] = names.map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    fs::write(&beside, "{\"mine\": 1}").unwrap();
    for to in ["u8[4,4]", "u8[4,4]{0,1}"] {
        let error = raw(&source, &target, "u8[4,4]", to).unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Record(_)), "{error}");
        assert_eq!(fs::read_to_string(&beside).unwrap(), "{\"mine\": 1}");
        assert_eq!(folder.names(), ["source.bin", "target.bin.layout.json"]);
    }
}

/// Where there are no locks, another run may begin the same file anew.
#[test]
fn a_file_that_another_run_empties() {
    let folder = Folder::new("emptied");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, vec![1; 3 << 20]).unwrap();
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
    let mut written = 0;
    let mut empty = |bytes| {
        written += bytes;
        if written == 3 << 20 {
            let temporary = folder.temporary("target.bin");
            OpenOptions::new().write(true).open(temporary).unwrap().set_len(4 << 20).unwrap();
        }
    };
    let error = conversion.write(&target, Share::WHOLE, &mut empty).unwrap_err().to_string();
    assert!(error.contains("4194304 bytes instead of 3145728"), "{error}");
    assert_eq!(folder.names(), ["source.bin"]);
}

#[test]
fn two_runs_with_one_target() {
    let folder = Folder::new("locked");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    let other = fs::File::create(folder.path("target.bin.layout.lock")).unwrap();
    other.lock().unwrap();
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
    // Before anything is converted.
    let error = conversion.write(&target, Share::WHOLE, &mut |_| unreachable!()).unwrap_err();
    assert!(error.to_string().contains("another run writes this file"), "{error}");
}

/// A symbolic link stays, and the file that it leads to is replaced; its record is there too.
#[cfg(unix)]
#[test]
fn links_are_followed() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new("links");
    let [source, link, back] = ["source.bin", "link.bin", "back.bin"].map(|name| folder.path(name));
    fs::create_dir(folder.path("disk")).unwrap();
    let file = folder.path("disk/file.bin");
    fs::write(&source, (0..16).collect::<Vec<u8>>()).unwrap();
    fs::write(&file, "old").unwrap();
    symlink("disk/file.bin", &link).unwrap();
    for share in [Share::WHOLE, Share::new(1, 1).unwrap()] {
        let opened = TensorFile::open(&source).unwrap();
        let change = Change::new("u8[4,4]".parse().unwrap(), "u8[4,4]{0,1}".parse().unwrap());
        let conversion = Conversion::new(&opened, Format::Raw, |_| Ok(Some(change.clone())));
        conversion.unwrap().write(&link, share, &mut |_| ()).unwrap();
        if !share.is_whole() {
            let path = folder.path("disk/file.bin.part-1-of-1");
            layout_files::join(std::slice::from_ref(&path), &link, &mut |_| ()).unwrap();
            fs::remove_file(path).unwrap();
        }
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap()[..5], [0, 4, 8, 12, 1]);
        for name in [&link, &file] {
            let opened = TensorFile::open(name).unwrap();
            let conversion = Conversion::back(&opened, Format::Raw).unwrap();
            conversion.write(&back, Share::WHOLE, &mut |_| ()).unwrap();
            assert_eq!(fs::read(&back).unwrap(), fs::read(&source).unwrap());
        }
        assert_eq!(folder.names(), ["back.bin", "disk", "link.bin", "source.bin"]);
        let disk = fs::read_dir(folder.path("disk")).unwrap();
        assert_eq!(disk.count(), 2, "the file and its record");
    }
    // To the source, by one or two steps.
    symlink("source.bin", folder.path("again.bin")).unwrap();
    symlink("../again.bin", folder.path("disk/twice.bin")).unwrap();
    for name in ["again.bin", "disk/twice.bin"] {
        let error = raw(&source, &folder.path(name), "u8[4,4]", "u8[4,4]{0,1}").unwrap_err();
        assert!(error.to_string().contains("the target is the source"), "{error}");
    }
    symlink("nowhere", folder.path("broken.bin")).unwrap();
    let error = raw(&source, &folder.path("broken.bin"), "u8[4,4]", "u8[4,4]{0,1}").unwrap_err();
    let text = error.to_string();
    assert!(text.contains("broken.bin: a symbolic link that leads to no file: "), "{text}");
    assert!(!folder.path("nowhere").exists() && text.contains("\n  = help: remove the link"));
}

/// The record of the source is not a target: without it there is no way back.
#[test]
fn the_record_of_the_source_is_kept() {
    let folder = Folder::new("own_record");
    let [source, tiles] = ["source.bin", "tiles.bin"].map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    raw(&source, &tiles, "u8[4,4]", "u8[4,4]{0,1}").unwrap();
    let record = folder.path("tiles.bin.layout.json");
    let before = fs::read(&record).unwrap();
    let error = raw(&tiles, &record, "u8[4,4]{0,1}", "u8[4,4]").unwrap_err().to_string();
    assert!(error.contains("the target is the source, or its record"), "{error}");
    assert_eq!(fs::read(&record).unwrap(), before);
}

/// From its first byte on, what is written has the permissions of the file that it replaces, or those of a new file.
#[cfg(unix)]
#[test]
fn permissions_on_the_way() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    let folder = Folder::new("modes");
    let [source, target, other] = ["source.bin", "target.bin", "o"].map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    fs::write(&other, "").unwrap();
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
    // Only root gives files away.
    let is_root = std::os::unix::fs::chown(&other, Some(54321), Some(54321)).is_ok();
    for replaced in [Some(0o600), Some(0o666), Some(0o6755), None] {
        let _ = fs::remove_file(&target);
        if let Some(mode) = replaced {
            fs::write(&target, "").unwrap();
            fs::set_permissions(&target, fs::Permissions::from_mode(mode)).unwrap();
            if is_root {
                std::os::unix::fs::chown(&target, Some(54321), Some(54322)).unwrap();
                fs::set_permissions(&target, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        // Whom a program runs as was said of the other bytes.
        let expected = replaced.map_or_else(|| mode(&other), |mode| mode & 0o777);
        let mut written = 0;
        let mut look = |_| {
            assert_eq!(mode(&folder.temporary("target.bin")), expected);
            written += 1;
        };
        conversion.write(&target, Share::WHOLE, &mut look).unwrap();
        assert_eq!((mode(&target), written), (expected, 1));
        if is_root && replaced.is_some() {
            let found = fs::metadata(&target).unwrap();
            assert_eq!((found.uid(), found.gid()), (54321, 54322));
        }
    }
}

/// What is compared is read, so that a file that another program cuts does not end the process.
#[test]
fn a_target_that_shrinks_while_it_is_compared() {
    let folder = Folder::new("compared");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, vec![1; 3 << 20]).unwrap();
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
    let mut seen = 0;
    let mut cut = |bytes| {
        seen += bytes;
        if seen == 4 << 20 {
            let temporary = folder.temporary("target.bin");
            OpenOptions::new().write(true).open(temporary).unwrap().set_len(100).unwrap();
        }
    };
    let error = conversion.write_checked(&target, Share::WHOLE, &mut cut).unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
    assert!(error.path().extension().is_some_and(|extension| extension == "tmp"), "{error}");
    assert_eq!(folder.names(), ["source.bin"]);
}

/// Runs with and without a record, one after the other as fast as they can: each file keeps its own record.
#[test]
fn records_of_runs_that_follow_one_another() {
    let folder = Folder::new("follow");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, (0..16).collect::<Vec<u8>>()).unwrap();
    let file = TensorFile::open(&source).unwrap();
    let write = |to: &str| {
        let change = Change::new("u8[4,4]".parse().unwrap(), to.parse().unwrap());
        let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone()))).unwrap();
        // Another run may be at it.
        conversion.write(&target, Share::WHOLE, &mut |_| ()).is_ok()
    };
    for _ in 0..300 {
        std::thread::scope(|scope| {
            for to in ["u8[4,4]", "u8[4,4]{0,1}"] {
                scope.spawn(move || while !write(to) {});
            }
        });
        let written = TensorFile::open(&target).unwrap();
        let is_changed = written.bytes(&written.tensors()[0]).unwrap()[1] == 4;
        assert_eq!(written.sidecar().is_some(), is_changed);
    }
}

/// Where there are no locks, another run may put its own file in the place of this one's.
#[cfg(unix)]
#[test]
fn a_file_that_another_run_puts_there() {
    let folder = Folder::new("replaced");
    let source = folder.path("source.bin");
    fs::write(&source, [1; 16]).unwrap();
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
    let mut temporary = PathBuf::new();
    let mut replace = |_| {
        temporary = folder.temporary("target.bin");
        fs::remove_file(&temporary).unwrap();
        fs::write(&temporary, [2; 16]).unwrap();
    };
    let target = folder.path("target.bin");
    let error = conversion.write(&target, Share::WHOLE, &mut replace).unwrap_err().to_string();
    assert!(error.contains("another run wrote this file: it is another file now"), "{error}");
    assert_eq!(fs::read(&temporary).unwrap(), [2; 16]);
    assert_eq!(folder.names().len(), 2);
}
