//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::map::{self, is_at};

/// A temporary file in the folder of its target, which takes the target's place when it is whole.
///
/// From the start it has the permissions of the target that it replaces. A run that was killed leaves it, and the next
/// one for the same target begins it anew. Two runs at once are kept apart by a lock.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    is_done: bool,
}

impl Target {
    /// What is replaced, and where that is written at first: of a symbolic link what it leads to, so that it stays.
    pub(crate) fn followed(path: PathBuf, temporary: PathBuf) -> Result<[PathBuf; 2], Error> {
        match map::followed(&path) {
            Ok(file) if file != path => {
                let temporary = self::temporary(&file);
                Ok([file, temporary])
            }
            Ok(_) => Ok([path, temporary]),
            Err(error) => {
                let what = format!(
                    "a symbolic link that leads to no file: {error}\n  = help: remove the link, or name the file that it should lead to"
                );
                Err(Error::new(&path, ErrorKind::Unsupported(what)))
            }
        }
    }

    pub(crate) fn new(path: PathBuf, temporary: PathBuf) -> Result<Target, Error> {
        let fault = |what: &str| Error::new(&path, ErrorKind::Unsupported(what.to_owned()));
        if path.file_name().is_none() {
            return Err(fault("not the name of a file\n  = help: name a file, as in `OUT.npy`"));
        }
        let replaced = fs::metadata(&path).ok();
        match &replaced {
            Some(found) if !found.is_file() => {
                return Err(fault(
                    "not a file, which alone can be replaced\n  = help: name a file, and send that where it should go",
                ));
            }
            Some(found) if found.permissions().readonly() => {
                let error =
                    io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only");
                return Err(Error::io(&path)(error));
            }
            _ => {}
        }
        // A link would have what it leads to overwritten.
        if fs::symlink_metadata(&temporary).is_ok_and(|found| !found.is_file()) {
            let what =
                "not a file, but this is where the target is written at first\n  = help: remove it";
            return Err(Error::new(&temporary, ErrorKind::Unsupported(what.to_owned())));
        }
        let file = locked(&temporary, replaced.as_ref())?;
        Ok(Target { path, temporary, file, is_done: false })
    }

    pub(crate) const fn file(&self) -> &File {
        &self.file
    }

    /// Where what is written stands for now.
    pub(crate) fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// Flushes the file to the disk. It has this many bytes, unless another run wrote it where there are no locks.
    pub(crate) fn flush(&self, bytes: u64) -> Result<(), Error> {
        let io = Error::io(&self.temporary);
        self.file.sync_all().map_err(&io)?;
        let found = self.file.metadata().map_err(&io)?.len();
        let what = match is_at(&self.file, &self.temporary).map_err(&io)? {
            Some(false) => "it is another file now".to_owned(),
            _ if found != bytes => format!("it has {found} bytes instead of {bytes}"),
            _ => return Ok(()),
        };
        let what = format!(
            "another run wrote this file: {what}\n  = help: the target is as it was; wait for the other run, or name another target"
        );
        Err(Error::new(&self.temporary, ErrorKind::Unsupported(what)))
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

/// Where a file is written before it takes its place.
pub(crate) fn temporary(path: &Path) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(".tmp");
    name.into()
}

/// Makes a file with the owner and permissions of the one that it will replace, and locks it. One that a killed run left
/// is removed: it may have others.
fn locked(path: &Path, replaced: Option<&Metadata>) -> Result<File, Error> {
    let io = Error::io(path);
    loop {
        let (file, is_new) = match options(replaced).create_new(true).open(path) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                match OpenOptions::new().read(true).write(true).open(path) {
                    Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                    file => (file.map_err(&io)?, false),
                }
            }
            file => (file.map_err(&io)?, true),
        };
        match file.try_lock() {
            Ok(()) => {}
            // Some file systems of networks have no locks.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(io(error)),
            Err(TryLockError::WouldBlock) => {
                let what =
                    "another run writes this file\n  = help: wait for it, or name another target";
                return Err(Error::new(path, ErrorKind::Unsupported(what.to_owned())));
            }
        }
        // Before there was the lock, the run that held it may have renamed the file, or another one removed it.
        // Where nobody can tell, a file that is open is not renamed.
        if !is_at(&file, path).map_err(&io)?.unwrap_or(true) {
            continue;
        }
        if is_new {
            if let Some(replaced) = replaced {
                keep_owner(&file, replaced);
                file.set_permissions(replaced.permissions()).map_err(&io)?;
            }
            return Ok(file);
        }
        fs::remove_file(path).map_err(&io)?;
    }
}

/// How a file is made: never with more permissions than the one that it will replace.
fn options(replaced: Option<&Metadata>) -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    if let Some(replaced) = replaced {
        use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
        options.mode(replaced.mode() & 0o777);
    }
    options
}

/// Gives a file the owner and the group of another one, if that is allowed.
#[cfg(unix)]
fn keep_owner(file: &File, of: &Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};

    let _ = fchown(file, Some(of.uid()), Some(of.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &File, _: &Metadata) {}

impl Drop for Target {
    fn drop(&mut self) {
        // Where there are no locks, another run may have its own file there.
        if !self.is_done && !matches!(is_at(&self.file, &self.temporary), Ok(Some(false))) {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
