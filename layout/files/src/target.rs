//! Files that appear whole or not at all.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::{Error, ErrorKind};
use crate::map::is_at;

/// A temporary file in the folder of its target, which takes the target's place when it is whole.
///
/// A run that was killed leaves it, and the next one for the same
/// target begins it anew. Two runs at once are kept apart by a lock.
#[derive(Debug)]
pub(crate) struct Target {
    path: PathBuf,
    temporary: PathBuf,
    file: File,
    is_done: bool,
}

impl Target {
    pub(crate) fn new(path: PathBuf, temporary: PathBuf) -> Result<Target, Error> {
        let fault = |what: &str| Error::new(&path, ErrorKind::Unsupported(what.to_owned()));
        if path.file_name().is_none() {
            return Err(fault("not the name of a file\n  = help: name a file, as in `OUT.npy`"));
        }
        match fs::metadata(&path) {
            Ok(found) if !found.is_file() => {
                return Err(fault(
                    "not a file, which alone can be replaced\n  = help: name a file, and send that where it should go",
                ));
            }
            Ok(found) if found.permissions().readonly() => {
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
        let file = locked(&temporary)?;
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
        if found != bytes {
            let what = format!(
                "another run wrote this file: it has {found} bytes instead of {bytes}\n  = help: the target is as it was; wait for the other run, or name another target"
            );
            return Err(Error::new(&self.temporary, ErrorKind::Unsupported(what)));
        }
        Ok(())
    }

    /// Puts the file of this many bytes at its place, with the permissions of the one that it replaces.
    pub(crate) fn finish(mut self, bytes: u64) -> Result<(), Error> {
        let io = Error::io(&self.temporary);
        if let Ok(replaced) = fs::metadata(&self.path) {
            self.file.set_permissions(replaced.permissions()).map_err(&io)?;
        }
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

/// Makes a file, or empties one that a killed run left, and locks it.
fn locked(path: &Path) -> Result<File, Error> {
    let io = Error::io(path);
    loop {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let file = options.open(path).map_err(&io)?;
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
        // Before there was the lock, the run that held it may have renamed the file.
        // Where nobody can tell, a file that is open is not renamed.
        if is_at(&file, path).map_err(&io)?.unwrap_or(true) {
            file.set_len(0).map_err(&io)?;
            return Ok(file);
        }
    }
}

impl Drop for Target {
    fn drop(&mut self) {
        if !self.is_done {
            let _ = fs::remove_file(&self.temporary);
        }
    }
}
