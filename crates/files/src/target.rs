//! Files that appear whole or not at all.

pub(crate) mod output;

use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};

use layout_core::Message;

use crate::error::Error;
use crate::map::{self, is_at, with_end};

/// How a lock begins; a file that begins otherwise was made by somebody else. After it comes a number, which is part of
/// the names of the run's temporary files.
const SIGNATURE: &str =
    "layout convert writes the file of this name, by temporary files of this number: ";
/// Digits of the number.
const DIGITS: usize = 16;

/// A run that writes a file: a lock beside it, `OUT.layout.lock`, keeps others away.
///
/// The lock has a random number, which is part of the names of the run's temporary files. So the next run knows what a
/// killed run left, and removes nothing that others made.
#[derive(Debug)]
pub(crate) struct Run {
    lock: PathBuf,
    file: File,
    number: String,
}

impl Run {
    /// Of the file that will be at this path.
    pub(crate) fn new(path: &Path) -> Result<Run, Error> {
        if path.file_name().is_none() {
            let what = Message::new("not the name of a file");
            return Err(Error::unsupported(path, what.with_help("name a file, as in `OUT.npy`")));
        }
        let lock = with_end(path, ".layout.lock");
        let io = Error::io(&lock);
        // Opening a pipe would wait, and a link would have what it leads to overwritten.
        if fs::symlink_metadata(&lock).is_ok_and(|found| !found.is_file()) {
            return Err(foreign(&lock));
        }
        let mut file = loop {
            let mut options = OpenOptions::new();
            let file = options.read(true).write(true).create(true).truncate(false).open(&lock);
            if let Some(file) = locked(file.map_err(&io)?, &lock)? {
                break file;
            }
        };
        let mut text = String::new();
        let read = (&file).take((SIGNATURE.len() + DIGITS) as u64).read_to_string(&mut text);
        if read.is_err() || !(text.starts_with(SIGNATURE) || SIGNATURE.starts_with(&text)) {
            return Err(foreign(&lock));
        }
        // A run was killed.
        if let Some(number) = text.strip_prefix(SIGNATURE)
            && number.len() == DIGITS
            && number.bytes().all(|c| c.is_ascii_hexdigit())
        {
            for end in ["", ".layout.json"] {
                remove(&temporary(&with_end(path, end), number))?;
            }
        }
        let number = format!("{:016x}", RandomState::new().hash_one(std::process::id()));
        let text = format!("{SIGNATURE}{number}\n");
        io::Seek::rewind(&mut file).and_then(|()| file.write_all(text.as_bytes())).map_err(&io)?;
        drop(io);
        Ok(Run { lock, file, number })
    }
}

impl Drop for Run {
    fn drop(&mut self) {
        // On file systems without locks, another run may have its own file there.
        if !matches!(is_at(&self.file, &self.lock), Ok(Some(false))) {
            let _ = fs::remove_file(&self.lock);
        }
    }
}

/// Removes a file, if it is there.
pub(crate) fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path)(error)),
        _ => Ok(()),
    }
}

fn foreign(lock: &Path) -> Error {
    let what = Message::new("not the lock of a conversion, which needs this name");
    Error::unsupported(lock, what.with_help("give the file another name"))
}

/// Locks an open file; `None` if it is not at its path any more: before there was the lock, the run that held it may
/// have removed the file.
fn locked(file: File, path: &Path) -> Result<Option<File>, Error> {
    match file.try_lock() {
        Ok(()) => {}
        // Some file systems of networks have no locks.
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
        Err(TryLockError::Error(error)) => return Err(Error::io(path)(error)),
        Err(TryLockError::WouldBlock) => {
            let what = Message::new("another run writes this file");
            let what = what.with_help("wait for it, or name another target");
            return Err(Error::unsupported(path, what));
        }
    }
    // Where nobody can tell, a file that is open is not removed.
    let is_there = is_at(&file, path).map_err(Error::io(path))?.unwrap_or(true);
    Ok(is_there.then_some(file))
}

/// A temporary file in the folder of its target, which takes the target's place when it is whole. From the start it has
/// the permissions of the target that it replaces.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    is_done: bool,
}

/// The path that is replaced: of a symbolic link what it leads to, so that it stays.
pub(crate) fn followed(path: &Path) -> Result<PathBuf, Error> {
    map::followed(path).map_err(|error| {
        let what = Message::from(format!("a symbolic link that leads to no file: {error}"));
        let help = "remove the link, or name the file that it should lead to";
        Error::unsupported(path, what.with_help(help))
    })
}

impl Target {
    /// Of a path that is not a link.
    pub(crate) fn new(path: PathBuf, run: &Run) -> Result<Target, Error> {
        let replaced = fs::metadata(&path).ok();
        match &replaced {
            Some(found) if !found.is_file() => {
                let what = Message::new("not a file, which alone can be replaced");
                let help = "name a file, and send that where it should go";
                return Err(Error::unsupported(&path, what.with_help(help)));
            }
            Some(found) if found.permissions().readonly() => {
                let error =
                    io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only");
                return Err(Error::io(&path)(error));
            }
            _ => {}
        }
        let temporary = temporary(&path, &run.number);
        let file = made(&temporary, replaced.as_ref()).map_err(Error::io(&temporary))?;
        Ok(Target { path, temporary, file, is_done: false })
    }

    pub(crate) const fn file(&self) -> &File {
        &self.file
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Where what is written stands for now.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Flushes the file to the disk. It has this many bytes, unless the file system has no locks and another run wrote it.
    pub(crate) fn flush(&self, bytes: u64) -> Result<(), Error> {
        let io = Error::io(&self.temporary);
        self.file.sync_all().map_err(&io)?;
        let found = self.file.metadata().map_err(&io)?.len();
        let what = match is_at(&self.file, &self.temporary).map_err(&io)? {
            Some(false) => "it is another file now".to_owned(),
            _ if found != bytes => format!("it has {found} bytes instead of {bytes}"),
            _ => return Ok(()),
        };
        let what = Message::from(format!("another run wrote this file: {what}"));
        let help = "the target is as it was; wait for the other run, or name another target";
        Err(Error::unsupported(&self.temporary, what.with_help(help)))
    }

    /// Puts the file of this many bytes at its place.
    pub(crate) fn finish(mut self, bytes: u64) -> Result<(), Error> {
        self.flush(bytes)?;
        fs::rename(&self.temporary, &self.path).map_err(Error::io(&self.path))?;
        self.is_done = true;
        // The folder holds the new name. Where that cannot be flushed, a loss of power leaves one of the two files,
        // whole.
        #[cfg(unix)]
        if let Some(folder) = self.path.parent() {
            let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
            let _ = File::open(folder).and_then(|folder| folder.sync_all());
        }
        Ok(())
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        // On file systems without locks, another run may have its own file there.
        if !self.is_done && !matches!(is_at(&self.file, &self.temporary), Ok(Some(false))) {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}

/// Where a run writes a file before it takes its place.
fn temporary(path: &Path, number: &str) -> PathBuf {
    with_end(path, &format!(".{number}.tmp"))
}

/// Makes a file with the owner and permissions of the one that it will replace.
fn made(path: &Path, replaced: Option<&Metadata>) -> io::Result<File> {
    let file = options(replaced).create_new(true).open(path)?;
    #[cfg(unix)]
    if let Some(replaced) = replaced {
        use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, fchown};

        // If that is allowed.
        let _ = fchown(&file, Some(replaced.uid()), Some(replaced.gid()));
        file.set_permissions(fs::Permissions::from_mode(replaced.mode() & PERMISSIONS))?;
    }
    Ok(file)
}

/// What others may do with a file. That it runs as its owner (setuid) was said of other bytes.
#[cfg(unix)]
const PERMISSIONS: u32 = 0o777;

/// How a file is made: never with more permissions than the one that it will replace.
fn options(replaced: Option<&Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    if let Some(replaced) = replaced {
        use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
        options.mode(replaced.mode() & PERMISSIONS);
    }
    options
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    /// Each test has names of its own.
    fn path(name: &str) -> PathBuf {
        std::env::temp_dir().join(format!("layout-files-{name}-{}", std::process::id()))
    }

    /// The run that holds a lock removes it, and another run has opened the file before.
    #[test]
    fn a_lock_that_was_removed_is_none() {
        let path = path("removed");
        let open = || File::create(&path).unwrap();
        let opened = open();
        fs::remove_file(&path).unwrap();
        assert!(locked(opened.try_clone().unwrap(), &path).unwrap().is_none());
        let other = open();
        assert!(locked(opened, &path).unwrap().is_none());
        assert!(locked(other, &path).unwrap().is_some());
        fs::remove_file(path).unwrap();
    }

    /// Before the owner is known, and for the moment until the permissions are set.
    #[test]
    fn a_file_begins_with_few_permissions() {
        let [replaced, new] = ["replaced", "new"].map(path);
        fs::write(&replaced, "").unwrap();
        fs::set_permissions(&replaced, fs::Permissions::from_mode(0o600)).unwrap();
        let found = fs::metadata(&replaced).unwrap();
        let file = options(Some(&found)).create_new(true).open(&new).unwrap();
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o7777, 0o600);
        fs::remove_file(replaced).unwrap();
        fs::remove_file(new).unwrap();
    }
}
