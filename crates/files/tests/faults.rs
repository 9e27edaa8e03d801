//! What goes wrong: nothing is lost, nothing is half written. What a user may write wrongly is in the sessions of the
//! command: `crates/cli/tests/sessions/convert_mistakes.txt`.

mod folder;

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use folder::{Folder, change, conversion, convert, has};
use layout_files::{ErrorKind, Format, Share, TensorFile};

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
    let source = folder.write("source.bin", vec![1; 1 << 20]);
    let target = disk.join("target.bin");
    fs::write(&target, "what was there").unwrap();
    let result = convert(&source, &target, "u8[1024,1024]", "u8[1024,1024]{0,1}");
    let copied = convert(&source, &target, "u8[1024,1024]", "u8[1024,1024]");
    let left = fs::read_dir(&disk).unwrap().count();
    let kept = fs::read_to_string(&target);
    let unmounted = Command::new("umount").arg(&disk).status();
    assert!(unmounted.is_ok_and(|status| status.success()));
    for result in [result, copied] {
        let error = result.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Io(_)), "{error}");
        ["target.bin.", ".tmp: ", "make room"].iter().for_each(|expected| has(&error, expected));
    }
    assert_eq!((kept.unwrap().as_str(), left), ("what was there", 1));
}

/// Before each part the file is looked at; what shrinks within one is not tested, since it would end the test. Written
/// in place, its length is what it was.
#[test]
fn a_source_that_is_written_meanwhile() {
    let shrink = |source: &Path, _: usize| {
        OpenOptions::new().write(true).open(source).unwrap().set_len(100).unwrap();
    };
    let write = |source: &Path, size: usize| {
        // The clock of a file system may stand for some milliseconds.
        std::thread::sleep(std::time::Duration::from_millis(20));
        let mut file = OpenOptions::new().write(true).open(source).unwrap();
        file.write_all(&vec![2; size * size]).unwrap();
    };
    let shrank = "Changed { expected: 4194304, found: 100 }";
    let written = "written while it was read\\n  = help: ";
    type Others<'a> = &'a dyn Fn(&Path, usize);
    // In the middle, and after the last part was read.
    let cases: [(usize, &str, Others<'_>, &str); 5] = [
        (2048, "{0,1}", &shrink, shrank),
        (2048, "{1,0}", &shrink, shrank),
        (2048, "{0,1}", &write, written),
        (2048, "{1,0}", &write, written),
        (64, "{0,1}", &write, written),
    ];
    for (size, to, others, expected) in cases {
        let folder = Folder::new("meanwhile");
        let source = folder.write("source.bin", vec![1; size * size]);
        let file = TensorFile::open(&source).unwrap();
        let from = format!("u8[{size},{size}]");
        let change = change(&from, &format!("{from}{to}"));
        let conversion = conversion(&file, Format::Raw, &change).unwrap();
        let target = folder.path("target.bin");
        let mut progress = |_| others(&source, size);
        let error = conversion.write(&target, Share::WHOLE, &mut progress).unwrap_err();
        has(format!("{:?} {:?}", error.kind(), error.to_string()), expected);
        assert!(error.path().ends_with("source.bin"), "{error}");
        assert_eq!(folder.names(), ["source.bin"]);
    }
}
