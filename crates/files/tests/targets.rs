//! What stands where a conversion writes, and what others do to it meanwhile. What is refused before is in the sessions
//! of the command: `crates/cli/tests/sessions/targets.txt`.

mod folder;

use std::fs;
use std::path::Path;

use folder::{Folder, change, conversion, convert, has};
use layout_files::{Change, Check, ErrorKind, Format, Share, TensorFile};

#[test]
fn a_folder_that_is_not_there() {
    let folder = Folder::new("targets");
    let source = folder.write("source.bin", [1; 16]);
    let error = convert(&source, &folder.path("no/such.bin"), "u8[16]", "u8[16]").unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
    // The target is the folder itself.
    let error = convert(&source, &folder.path(""), "u8[16]", "u8[16]").unwrap_err();
    has(error, "not a file");
    assert_eq!(folder.names(), ["source.bin"]);
}

/// Without locks, another run may begin the same file anew or put its own in the place of this one's. What is
/// compared is read, so that a file that another program cuts does not end the process.
#[test]
fn files_that_another_run_writes() {
    const SIZE: u64 = 3 << 20;
    let empty = |path: &Path| fs::File::options().write(true).open(path).unwrap().set_len(4 << 20);
    let cut = |path: &Path| fs::File::options().write(true).open(path).unwrap().set_len(100);
    let replace = |path: &Path| fs::remove_file(path).and_then(|()| fs::write(path, [2; 16]));
    type Others<'a> = &'a dyn Fn(&Path) -> std::io::Result<()>;
    let cases: [(u64, Others<'_>, &str); 3] = [
        (SIZE, &empty, "4194304 bytes instead of 3145728"),
        (4 << 20, &cut, ""),
        (SIZE, &replace, "another run wrote this file: it is another file now"),
    ];
    for (at, others, expected) in cases {
        let folder = Folder::new("written");
        let source = folder.write("source.bin", vec![1; SIZE as usize]);
        let file = TensorFile::open(&source).unwrap();
        let conversion = conversion(&file, Format::Raw, &Change::NONE).unwrap();
        let mut seen = 0;
        let mut progress = |bytes| {
            seen += bytes;
            if seen == at {
                others(&folder.temporary("target.bin")).unwrap();
            }
        };
        let target = folder.path("target.bin");
        // Above the size of the file, it is compared.
        let error = match at {
            SIZE => conversion.write(&target, Share::WHOLE, &mut progress),
            _ => {
                conversion.write_checked(&target, Share::WHOLE, Check::All, &mut progress).map(drop)
            }
        };
        let error = error.unwrap_err();
        assert!(error.path().extension().is_some_and(|extension| extension == "tmp"), "{error}");
        assert!(at == SIZE || matches!(error.kind(), ErrorKind::Io(_)), "{error}");
        has(&error, expected);
        // The file of the other run is its own.
        match error.path().exists() {
            true => assert_eq!(fs::read(error.path()).unwrap(), [2; 16], "{error}"),
            false => assert_eq!(folder.names(), ["source.bin"], "{error}"),
        }
        assert_eq!(error.path().exists(), expected.contains("another file"));
        assert!(!target.exists() && folder.names().len() <= 2, "{error}");
    }
}

#[test]
fn two_runs_with_one_target() {
    let folder = Folder::new("locked");
    let source = folder.write("source.bin", [1; 16]);
    let target = folder.path("target.bin");
    let lock = folder.path("target.bin.layout.lock");
    let other = fs::File::create(&lock).unwrap();
    other.lock().unwrap();
    let file = TensorFile::open(&source).unwrap();
    let conversion = conversion(&file, Format::Raw, &Change::NONE).unwrap();
    // Before anything is converted.
    let error = conversion.write(&target, Share::WHOLE, &mut |_| unreachable!()).unwrap_err();
    has(error, "target.bin.layout.lock: another run writes this file");
    drop(other);
    conversion.write(&target, Share::WHOLE, &mut |_| ()).unwrap();
    assert!(!lock.exists());
}

/// From its first byte on, what is written has the permissions of the file that it replaces, or those of a new file.
#[cfg(unix)]
#[test]
fn permissions_on_the_way() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    let folder = Folder::new("modes");
    let source = folder.write("source.bin", [1; 16]);
    let target = folder.path("target.bin");
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o7777;
    let other = folder.write("other", "");
    let file = TensorFile::open(&source).unwrap();
    let conversion = conversion(&file, Format::Raw, &Change::NONE).unwrap();
    // Only root gives files away.
    let is_root = std::os::unix::fs::chown(&other, Some(54321), Some(54321)).is_ok();
    for replaced in [Some(0o600), Some(0o666), Some(0o6755), None] {
        let _ = fs::remove_file(&target);
        if let Some(mode) = replaced {
            fs::write(&target, "").unwrap();
            if is_root {
                std::os::unix::fs::chown(&target, Some(54321), Some(54322)).unwrap();
            }
            fs::set_permissions(&target, fs::Permissions::from_mode(mode)).unwrap();
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

/// Runs with and without a record, one after the other as fast as they can: each file keeps its own record.
#[test]
fn records_of_runs_that_follow_one_another() {
    let folder = Folder::new("follow");
    let source = folder.write("source.bin", (0..16).collect::<Vec<u8>>());
    let target = folder.path("target.bin");
    let file = TensorFile::open(&source).unwrap();
    let write = |to: &str| {
        let conversion = conversion(&file, Format::Raw, &change("u8[4,4]", to)).unwrap();
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
