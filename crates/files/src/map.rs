//! Files in memory.
#![allow(unsafe_code, reason = "a mapping is unsafe to make: see `Map`")]

use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use layout_core::Message;
use memmap2::Mmap;

use crate::error::{Error, ErrorKind};

/// A file, mapped to be read.
///
/// What other programs write to the file shows in the mapping, and bytes past an end that moved end the process
/// (`SIGBUS`). So length and time are compared before each part is read, and once more at the end:
/// [`is_as_it_was`](Self::is_as_it_was).
#[derive(Debug)]
pub(crate) struct Map {
    file: File,
    map: Mmap,
    written: Option<SystemTime>,
}

impl Map {
    /// Maps the file at a path.
    pub(crate) fn open(path: &Path) -> Result<Map, Error> {
        opened(path).and_then(|file| Map::new(file).map_err(Error::io(path)))
    }

    fn new(file: File) -> io::Result<Map> {
        let written = file.metadata()?.modified().ok();
        // SAFETY: nothing keeps other programs from writing the file while the mapping lives, which `&[u8]` does not
        // foresee. So no decision rests on a byte that is read twice: headers are copied before they are parsed (in
        // `format`), and the bytes of tensors are moved, compared and hashed as plain numbers, for which each value is
        // valid; no length, offset or text comes from them. That a file is not cut while a part is read is the user's
        // part, as for each program that maps files; the operating system ends the process then.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Map { file, map, written })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    pub(crate) const fn file(&self) -> &File {
        &self.file
    }

    /// Whether a path leads to this file, by this name of it or another one.
    pub(crate) fn is_at(&self, path: &Path) -> bool {
        // What cannot be looked at cannot be written either.
        is_at(&self.file, path).is_ok_and(|is_at| is_at == Some(true))
    }

    /// Whether the file has the length and the time of its last change that it had when it was mapped.
    pub(crate) fn is_as_it_was(&self, path: &Path) -> Result<(), Error> {
        let now = self.file.metadata().map_err(Error::io(path))?;
        let (expected, found) = (self.map.len() as u64, now.len());
        match expected == found && self.written == now.modified().ok() {
            true => Ok(()),
            false => Err(Error::new(path, ErrorKind::Changed { expected, found })),
        }
    }
}

/// Opens a file to read it.
pub(crate) fn opened(path: &Path) -> Result<File, Error> {
    let io = Error::io(path);
    // Opening a pipe would wait for its writer.
    if !fs::metadata(path).map_err(&io)?.is_file() {
        let what = "not a file: pipes, folders and devices are not mapped into memory";
        let help = "write what they give to a file first";
        return Err(Error::unsupported(path, Message::new(what).with_help(help)));
    }
    File::open(path).map_err(io)
}

/// A name beside a file: the file's, with this after it.
pub(crate) fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}

/// The file that a path leads to, if that is a symbolic link, else the path.
pub(crate) fn followed(path: &Path) -> io::Result<PathBuf> {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_symlink() => fs::canonicalize(path),
        _ => Ok(path.to_owned()),
    }
}

/// Whether a path leads to an open file; `None` where the operating system does not tell.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<Option<bool>> {
    use std::os::unix::fs::MetadataExt as _;

    let own = file.metadata()?;
    match fs::metadata(path) {
        Ok(found) => Ok(Some((found.dev(), found.ino()) == (own.dev(), own.ino()))),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Some(false)),
        Err(error) => Err(error),
    }
}

#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, _: &Path) -> io::Result<Option<bool>> {
    Ok(None)
}
