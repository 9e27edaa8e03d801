//! Writing a conversion: tensor by tensor, part by part, in the order of the file; and comparing what was written.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::{panic, thread};

use crate::conversion::making::{Making, chunks};
use crate::conversion::{Conversion, Pair, Planned};
use crate::error::{Error, ErrorKind};
use crate::map::Map;
use crate::share::Share;
use crate::sidecar::{Beside, Mark, Sidecar};
use crate::target::{Target, temporary};

/// The operating system's number for memory that cannot be read.
const EFAULT: i32 = 14;

/// Bytes on the way to the file.
enum Bytes<'a> {
    Made(Vec<u8>),
    /// Of the source.
    Mapped(&'a [u8]),
}

impl Conversion<'_> {
    /// Writes the new file, or a share of it at the path that [`Share::path`] says, and its sidecar. `progress` is
    /// told the bytes of each step.
    ///
    /// It writes to a temporary file beside the target (its name with `.tmp` at the end), which then takes the
    /// target's place: whatever happens, the target is what it was or whole, and its sidecar is its own. One thread
    /// converts and one writes, and both take a few MiB of memory besides the mapping of the source. Padding becomes
    /// zero, or what the layout declares.
    ///
    /// A share of a file has no sidecar, but the first one writes that of the whole, which knows the file by its
    /// length and by the first share's bytes.
    ///
    /// # Errors
    /// If the source was written meanwhile, or the target cannot be written or is the source.
    pub fn write(
        &self,
        path: &Path,
        share: Share,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        self.put(path, share, false, progress)
    }

    /// Writes the new file as [`write`](Self::write) does, but puts it at its place only if each element of it is that
    /// of the source. `progress` is told the bytes that are compared too.
    ///
    /// Elements are compared one by one, at the offsets that the layouts' formula gives, and not by the copies' plans:
    /// in no more memory, and some nanoseconds for an element.
    ///
    /// # Errors
    /// Those of [`write`](Self::write), and [`ErrorKind::Check`].
    pub fn write_checked(
        &self,
        path: &Path,
        share: Share,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        self.put(path, share, true, progress)
    }

    fn put(
        &self,
        path: &Path,
        share: Share,
        is_checked: bool,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        // Both are locked before the work begins.
        let target = self.target(share.path(path), share.path(&temporary(path)))?;
        let beside = Sidecar::path(path);
        let beside = share.is_first().then(|| self.target(beside.clone(), temporary(&beside)));
        let beside = beside.transpose()?;
        if share.is_first() {
            // What is there and no record is not replaced.
            Beside::read(&Sidecar::path(path))?;
        }
        let bytes = self.write_all(&target, share, progress)?;
        // Before the record says that it is there.
        target.flush(bytes)?;
        let written = target.file().try_clone().and_then(Map::new);
        let written = written.map_err(Error::io(target.temporary()))?;
        if is_checked {
            self.check(written.bytes(), share, progress)?;
        }
        self.source.is_as_it_was()?;
        let mark = Mark::new(written.bytes(), self.bytes);
        drop(written);
        if let Some(beside) = beside {
            self.put_beside(beside, mark, path)?;
        }
        target.finish(bytes)?;
        match self.sidecar {
            None if share.is_whole() => remove(&Sidecar::path(path)),
            _ => Ok(()),
        }
    }

    /// A file to write, which is not the source.
    fn target(&self, path: PathBuf, temporary: PathBuf) -> Result<Target, Error> {
        if let Some(path) = [&path, &temporary].into_iter().find(|path| self.source.is_at(path)) {
            let what = "the target is the source\n  = help: name another target";
            return Err(Error::new(path, ErrorKind::Unsupported(what.to_owned())));
        }
        Target::new(path, temporary)
    }

    /// Puts the sidecar at its place, before the file: it also has the record of the file that is still there.
    fn put_beside(&self, beside: Target, mark: Mark, path: &Path) -> Result<(), Error> {
        let old = Map::open(path).ok();
        let record = Beside::new(mark, self.sidecar.clone(), path, old.as_ref().map(Map::bytes));
        if record.is_empty() {
            return remove(&Sidecar::path(path));
        }
        let io = Error::io(beside.temporary());
        let text = record.to_json().map_err(&io)?;
        beside.file().write_all(text.as_bytes()).map_err(&io)?;
        drop(io);
        beside.finish(text.len() as u64)
    }

    /// Makes parts, and has another thread write them: how many bytes.
    fn write_all(
        &self,
        target: &Target,
        share: Share,
        progress: &mut dyn FnMut(u64),
    ) -> Result<u64, Error> {
        let mut count = 0;
        let (parts, to_write) = mpsc::sync_channel(0);
        let (written, buffers) = mpsc::channel();
        thread::scope(|scope| {
            let writer = thread::Builder::new();
            let writer = writer.spawn_scoped(scope, move || -> io::Result<()> {
                let mut file: &File = target.file();
                for part in to_write {
                    match part {
                        Bytes::Mapped(bytes) => file.write_all(bytes)?,
                        Bytes::Made(buffer) => {
                            file.write_all(&buffer)?;
                            let _ = written.send(buffer);
                        }
                    }
                }
                Ok(())
            });
            let writer = writer.map_err(Error::io(target.temporary()))?;
            if share.has(0, self.bytes) {
                count += self.header.len() as u64;
                let _ = parts.send(Bytes::Mapped(&self.header));
            }
            let made = self.for_each_part(share, |planned, making, part| {
                let source = self.source.bytes(planned.tensor)?;
                let bytes = part.len();
                let part = match making {
                    None => Bytes::Mapped(&source[part]),
                    Some(making) => {
                        let mut buffer: Vec<u8> = buffers.try_recv().unwrap_or_default();
                        buffer.resize(bytes, 0);
                        making.make(part, source, &mut buffer).map_err(|error| {
                            Error::layout(self.source.path(), planned.tensor.name(), error)
                        })?;
                        Bytes::Made(buffer)
                    }
                };
                count += bytes as u64;
                progress(bytes as u64);
                // If nobody receives it, the writer says why.
                Ok(parts.send(part).is_ok())
            });
            drop(parts);
            let written = writer.join().unwrap_or_else(|panic| panic::resume_unwind(panic));
            self.source.is_as_it_was()?;
            made?;
            written.map_err(|error| match error.raw_os_error() {
                // What the mapping has lost is no fault of the target.
                Some(EFAULT) => Error::io(self.source.path())(io::ErrorKind::UnexpectedEof.into()),
                _ => Error::io(target.temporary())(error),
            })?;
            Ok(count)
        })
    }

    /// Compares each element of a share with the source. Padding is not compared.
    fn check(
        &self,
        written: &[u8],
        share: Share,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let header = if share.has(0, self.bytes) { self.header.len() } else { 0 };
        let mut rest = &written[header..];
        self.for_each_part(share, |planned, making, part| {
            let source = self.source.bytes(planned.tensor)?;
            let (bytes, found);
            (found, rest) = rest.split_at(part.len());
            bytes = part.len() as u64;
            let byte = match making {
                Some(making) => making.difference(part, source, found),
                None if source[part.clone()] == *found => None,
                None => {
                    let pairs = source[part.clone()].iter().zip(found);
                    Some((part.start + pairs.take_while(|(a, b)| a == b).count()) as u64)
                }
            };
            if let Some(byte) = byte {
                let fault = Error::new(self.source.path(), ErrorKind::Check { byte });
                return Err(fault.of(planned.tensor.name()));
            }
            progress(bytes);
            Ok(true)
        })
    }

    /// Calls `visit` for the parts of a share's tensors, until it says `false`. Equal shapes that follow one another
    /// share their plan, which goes with the last of them.
    fn for_each_part(
        &self,
        share: Share,
        mut visit: impl FnMut(&Planned<'_>, Option<&Making>, Range<usize>) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let mut last: Option<(&Arc<Pair>, Making)> = None;
        for planned in &self.tensors {
            last = planned.pair.as_ref().map(|pair| match last.take() {
                Some(last) if Arc::ptr_eq(last.0, pair) => last,
                _ => (pair, Making::new(&pair.layouts)),
            });
            let making = last.as_ref().map(|(_, making)| making);
            let parts = making.map_or_else(|| chunks(planned.tensor.range.len()), Making::parts);
            for part in parts {
                let is_ours = share.has(planned.start + part.start as u64, self.bytes);
                if is_ours && !visit(planned, making, part)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Removes a file, if there is one.
fn remove(path: &Path) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Error::io(path)(error)),
        _ => Ok(()),
    }
}
