//! Writing a conversion: tensor by tensor, part by part, in the order of the file.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;
use std::sync::mpsc;
use std::{panic, thread};

use layout_core::{ArrayShape, Message};

use crate::conversion::copy::{LayoutCopy, chunks};
use crate::conversion::{Check, Conversion, Coverage, TensorPlan};
use crate::error::Error;
use crate::share::Share;
use crate::share::digest::Digest;
use crate::share::join::ShareMark;
use crate::target::output::{Output, refuse_source};
use crate::target::{Run, Target, followed};

/// The operating system's number for memory that cannot be read.
const EFAULT: i32 = 14;

impl Conversion<'_> {
    /// Writes the new file and its sidecar, or a share of it at the path that [`Share::path`] says. `progress` is told
    /// the bytes of each step.
    ///
    /// It writes to a temporary file beside the target (`OUT.NUMBER.tmp`), and then renames it to the target. So at any
    /// time the target is either the old file or the whole new one, and its sidecar belongs to it. A lock,
    /// `OUT.layout.lock`, keeps other runs away. One thread converts and one writes, and both take a few MiB of memory
    /// besides the mapping of the source. Padding becomes zero, or the value that the layout declares.
    ///
    /// A new file has the permissions of the one that it replaces; a symbolic link stays, and what it leads to is
    /// replaced.
    ///
    /// A share has a mark at its end, for [`join`](crate::join): digests of its bytes and of what decides on the file,
    /// for which all of the source is read.
    ///
    /// # Errors
    /// If the source was written meanwhile, or the target cannot be written or is the source; [`ErrorKind::Narrow`](crate::ErrorKind::Narrow).
    pub fn write(
        &self,
        path: &Path,
        share: Share,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        self.put(path, share, None, progress).map(drop)
    }

    /// Writes the new file as [`write`](Self::write) does, but puts it at its place only if each element of it is that
    /// of the source, and padding as it should be. `progress` is told the bytes that are compared too.
    ///
    /// What was written is read from the file, and the copy takes no part in the comparison: the place of each element in
    /// both files is that of `layout::shape::Digits::offset`. That takes about 60 ns for an element, divided by
    /// the number of processors; [`Check::Sample`] takes less. It takes a MiB of memory.
    ///
    /// # Errors
    /// Those of [`write`](Self::write), and [`ErrorKind::Check`](crate::ErrorKind::Check): what stood at the path is then still there.
    pub fn write_checked(
        &self,
        path: &Path,
        share: Share,
        check: Check,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Coverage, Error> {
        self.put(path, share, Some(check), progress)
    }

    fn put(
        &self,
        path: &Path,
        share: Share,
        check: Option<Check>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Coverage, Error> {
        let is_source = |path: &Path| self.source.is_at(path);
        if share.is_whole() {
            // It is locked before the work begins.
            let output = Output::new(path, is_source)?;
            let (bytes, _, checked) = self.make(&output.target, share, check, progress)?;
            output.finish(self.sidecar.clone(), bytes)?;
            return Ok(checked);
        }
        let path = followed(&share.path(&followed(path)?))?;
        refuse_source(&path, is_source)?;
        let run = Run::new(&path)?;
        let target = Target::new(path, &run)?;
        let (bytes, digest, checked) = self.make(&target, share, check, progress)?;
        let mark = ShareMark {
            conversion: self.digest()?,
            share: share.number(),
            shares: share.count(),
            file_bytes: self.bytes,
            bytes,
            digest: digest.text(),
            record: self.sidecar.clone().filter(|_| share.is_first()),
        };
        let io = Error::io(target.temporary());
        let mark = mark.to_bytes().map_err(&io)?;
        let mut file = target.file();
        file.seek(SeekFrom::End(0)).and_then(|_| file.write_all(&mark)).map_err(&io)?;
        drop(io);
        target.finish(bytes + mark.len() as u64)?;
        Ok(checked)
    }

    /// Writes the bytes of a share, and compares them: how many, their digest, and what was compared.
    fn make(
        &self,
        target: &Target,
        share: Share,
        check: Option<Check>,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(u64, Digest, Coverage), Error> {
        self.refuse_lost(share)?;
        let (bytes, digest) = self.write_all(target, share, progress)?;
        let mut checked = Coverage::default();
        if let Some(check) = check {
            target.flush(bytes)?;
            let (file, path) = (target.file(), target.temporary());
            checked = self.check_share(file, path, share, check, progress)?;
        }
        self.source.is_as_it_was()?;
        Ok((bytes, digest, checked))
    }

    /// A digest of all that decides on the bytes of the new file and its record.
    fn digest(&self) -> Result<String, Error> {
        let mut digest = Digest::new();
        digest.add(&self.header);
        for planned in &self.tensors {
            let layouts =
                planned.copy.as_ref().map(|copy| copy.layouts().map(ArrayShape::to_string));
            let (start, range) = (planned.start, planned.tensor.range());
            digest
                .add(format!("{start} {range:?} {layouts:?} {}", planned.is_truncated).as_bytes());
        }
        digest.add(format!("{:?}", self.sidecar).as_bytes());
        self.source.add_to(&mut digest)?;
        Ok(digest.text())
    }

    /// Looks whether elements that get narrower keep their values, before anything is written.
    fn refuse_lost(&self, share: Share) -> Result<(), Error> {
        for planned in self.of(share).filter(|planned| !planned.is_truncated) {
            let Some(copy) = planned.copy.as_ref().filter(|copy| copy.narrows()) else { continue };
            let source = self.source.bytes(planned.tensor)?;
            let Some(stretch) = self.stretch(planned, share) else { continue };
            let stretch = stretch.start as usize..stretch.end as usize;
            if let Some(lost) = copy.lost(stretch, source) {
                return Err(Error::new(self.source.path(), lost).of(planned.tensor.name()));
            }
        }
        Ok(())
    }

    /// Makes parts, and has another thread write them: how many bytes, and of a share their digest.
    fn write_all(
        &self,
        target: &Target,
        share: Share,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(u64, Digest), Error> {
        let mut count = 0;
        // What was made, and what is mapped from the source.
        let (parts, to_write) = mpsc::sync_channel::<Cow<'_, [u8]>>(0);
        let (written, buffers) = mpsc::channel();
        thread::scope(|scope| {
            let writer = thread::Builder::new();
            let writer = writer.spawn_scoped(scope, move || -> io::Result<Digest> {
                let mut file: &File = target.file();
                let mut digest = Digest::new();
                for part in to_write {
                    if !share.is_whole() {
                        digest.add(&part);
                    }
                    file.write_all(&part)?;
                    if let Cow::Owned(buffer) = part {
                        let _ = written.send(buffer);
                    }
                }
                Ok(digest)
            });
            let writer = writer.map_err(Error::io(target.temporary()))?;
            if share.is_first() {
                count += self.header.len() as u64;
                let _ = parts.send(Cow::Borrowed(&self.header[..]));
            }
            let made = self.for_each_part(share, |planned, part| {
                let source = self.source.bytes(planned.tensor)?;
                let bytes = part.len();
                let part = match &planned.copy {
                    None => Cow::Borrowed(&source[part]),
                    Some(copy) => {
                        let mut buffer: Vec<u8> = buffers.try_recv().unwrap_or_default();
                        buffer.resize(bytes, 0);
                        copy.make(part, source, &mut buffer).map_err(|error| {
                            let why = Message::new(error);
                            Error::layout(self.source.path(), planned.tensor.name(), why)
                        })?;
                        Cow::Owned(buffer)
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
            let digest = written.map_err(|error| match error.raw_os_error() {
                // What the mapping has lost is not a fault of the target.
                Some(EFAULT) => Error::io(self.source.path())(io::ErrorKind::UnexpectedEof.into()),
                _ => Error::io(target.temporary())(error),
            })?;
            Ok((count, digest))
        })
    }

    /// The tensors of which a share has pieces.
    pub(super) fn of(&self, share: Share) -> impl Iterator<Item = &TensorPlan<'_>> {
        let starts = share.starts(self.bytes);
        let first = self.tensors.partition_point(|planned| planned.end() <= starts.start);
        self.tensors[first..].iter().take_while(move |planned| planned.start < starts.end)
    }

    /// The bytes of a new tensor that a share has.
    pub(super) fn stretch(&self, planned: &TensorPlan<'_>, share: Share) -> Option<Range<u64>> {
        if share.is_whole() {
            return Some(0..planned.stored.bytes);
        }
        let mut parts = planned.parts(share.starts(self.bytes));
        let first = parts.next()?;
        let end = parts.last().map_or(first.end, |last| last.end);
        Some(first.start as u64..end as u64)
    }

    /// Calls `visit` for the parts of a share's tensors, until it says `false`.
    fn for_each_part(
        &self,
        share: Share,
        mut visit: impl FnMut(&TensorPlan<'_>, Range<usize>) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        for planned in self.of(share) {
            for part in planned.parts(share.starts(self.bytes)) {
                if !visit(planned, part)? {
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

impl TensorPlan<'_> {
    /// The parts of the new tensor that begin in a stretch of the file.
    fn parts(&self, starts: Range<u64>) -> impl Iterator<Item = Range<usize>> {
        let copy = self.copy.as_deref();
        let parts = copy.map_or_else(|| chunks(self.tensor.range.len()), LayoutCopy::parts);
        let start = self.start;
        parts.filter(move |part| starts.contains(&(start + part.start as u64)))
    }
}
