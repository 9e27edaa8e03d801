//! What stands where a conversion writes: other files, links, other runs.

mod folder;

use std::fs::{self, OpenOptions};

use folder::{Folder, raw};
use layout_files::{Conversion, ErrorKind, Format, Share, TensorFile};

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

/// A source that has the name of what is written on the way to the target is not touched, nor what a link there leads
/// to.
#[test]
fn sources_and_links_at_temporary_names() {
    let folder = Folder::new("temporary");
    let target = folder.path("target.bin");
    for name in ["target.bin.tmp", "target.bin.layout.json", "target.bin.layout.json.tmp"] {
        let source = folder.path(name);
        fs::write(&source, [1; 16]).unwrap();
        let error = raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap_err().to_string();
        assert!(error.contains("the target is the source"), "{error}");
        assert_eq!(fs::read(&source).unwrap(), [1; 16], "{name}");
        fs::remove_file(source).unwrap();
    }
    #[cfg(unix)]
    for name in ["target.bin.tmp", "target.bin.layout.json.tmp"] {
        // Another name of the source.
        let [source, other] = ["linked.bin", name].map(|name| folder.path(name));
        fs::write(&source, [1; 16]).unwrap();
        fs::hard_link(&source, &other).unwrap();
        let error = raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap_err().to_string();
        assert!(error.contains("the target is the source"), "{error}");
        assert_eq!(fs::read(&source).unwrap(), [1; 16], "{name}");
        fs::remove_file(other).unwrap();
    }
    #[cfg(unix)]
    {
        let [source, kept] = ["source.bin", "kept.bin"].map(|name| folder.path(name));
        fs::write(&source, [1; 16]).unwrap();
        fs::write(&kept, "kept").unwrap();
        std::os::unix::fs::symlink(&kept, folder.path("target.bin.tmp")).unwrap();
        let error = raw(&source, &target, "u8[4,4]", "u8[4,4]{0,1}").unwrap_err().to_string();
        assert!(error.contains("target.bin.tmp: not a file"), "{error}");
        assert_eq!(fs::read_to_string(&kept).unwrap(), "kept");
    }
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
            let temporary = folder.path("target.bin.tmp");
            OpenOptions::new().write(true).open(temporary).unwrap().set_len(4 << 20).unwrap();
        }
    };
    let error = conversion.write(&target, Share::WHOLE, &mut empty).unwrap_err().to_string();
    assert!(error.contains("4194304 bytes instead of 3145728"), "{error}");
    assert_eq!(folder.names(), ["source.bin"]);
}

#[test]
fn two_runs_with_one_sidecar() {
    let folder = Folder::new("locked");
    let [source, target] = ["source.bin", "target.bin"].map(|name| folder.path(name));
    fs::write(&source, [1; 16]).unwrap();
    let other = fs::File::create(folder.path("target.bin.layout.json.tmp")).unwrap();
    other.lock().unwrap();
    let file = TensorFile::open(&source).unwrap();
    let conversion = Conversion::new(&file, Format::Raw, |_| Ok(None)).unwrap();
    // Before anything is converted.
    let error = conversion.write(&target, Share::WHOLE, &mut |_| unreachable!()).unwrap_err();
    assert!(error.to_string().contains("another run writes this file"), "{error}");
}
