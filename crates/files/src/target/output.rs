//! A file with its record.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::Path;

use layout_core::Message;

use crate::error::Error;
use crate::sidecar::{Mark, Sidecar, SidecarFile};
use crate::target::{Run, Target, followed, remove};

/// A file that is written, and the record beside it. Another run for the same file is refused meanwhile.
#[derive(Debug)]
pub(crate) struct Output {
    pub target: Target,
    beside: Target,
    /// Its lock goes last.
    _run: Run,
}

impl Output {
    /// Begins to write the file at a path. It must not be one that is read, and what has the name of its record must be a
    /// record.
    pub(crate) fn new(path: &Path, is_source: impl Fn(&Path) -> bool) -> Result<Output, Error> {
        let path = followed(path)?;
        let beside = Sidecar::path(&path);
        for path in [&path, &beside] {
            refuse_source(path, &is_source)?;
        }
        let run = Run::new(&path)?;
        let target = Target::new(path, &run)?;
        SidecarFile::read(&beside)?;
        let beside = Target::new(beside, &run)?;
        Ok(Output { target, beside, _run: run })
    }

    /// Puts the record at its place, and then the file of this many bytes. In between, the record also has that of the
    /// file that is still there.
    pub(crate) fn finish(self, sidecar: Option<Sidecar>, bytes: u64) -> Result<(), Error> {
        let Output { target, beside, _run } = self;
        // Before the record says that it is there.
        target.flush(bytes)?;
        let mark = Mark::of(target.file()).map_err(Error::io(target.temporary()))?;
        // Opening a pipe would wait for its writer.
        let is_file = fs::metadata(target.path()).is_ok_and(|found| found.is_file());
        let old = is_file.then(|| File::open(target.path()).ok()).flatten();
        let is_recorded = sidecar.is_some();
        let record = SidecarFile::new(mark, sidecar, target.path(), old.as_ref());
        let path = beside.path().to_owned();
        if record.is_empty() {
            remove(&path)?;
        } else {
            let io = Error::io(beside.temporary());
            let text = record.to_json().map_err(&io)?;
            beside.file().write_all(text.as_bytes()).map_err(&io)?;
            drop(io);
            beside.finish(text.len() as u64)?;
        }
        target.finish(bytes)?;
        // Only what the file before it had is there.
        if is_recorded { Ok(()) } else { remove(&path) }
    }
}

/// A file that is read is not written.
pub(crate) fn refuse_source(path: &Path, is_source: impl Fn(&Path) -> bool) -> Result<(), Error> {
    if !is_source(path) {
        return Ok(());
    }
    let what = Message::new("the target is the source, or its record");
    Err(Error::unsupported(path, what.with_help("name another target")))
}
