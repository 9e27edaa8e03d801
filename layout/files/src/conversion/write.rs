//! Writing a conversion: tensor by tensor, part by part, in the order of the file.

use std::fs;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;
use std::path::Path;

use layout::{ArrayShape, Padding, Relayout};

use crate::conversion::{Conversion, Planned};
use crate::error::{Error, ErrorKind};
use crate::map::map_mut;
use crate::share::Share;
use crate::sidecar::Sidecar;
use crate::target::{Target, temporary};

/// Bytes of a part: what the second cache holds, so that the copy is still there when it is written.
pub(super) const PART: usize = 1 << 20;
/// Bytes of the longest part that is made in memory.
const MOST_IN_MEMORY: usize = 32 << 20;

impl Conversion<'_> {
    /// Writes the new file, or a share of it at the path that [`Share::path`] says, and its sidecar. `progress` is
    /// told the bytes that each step has written.
    ///
    /// It writes to a temporary file beside the target (its name with `.tmp` at the end), which then takes the
    /// target's place: whatever happens, the target is what it was or whole. It takes a few MiB of memory besides the
    /// mapping of the source. Padding becomes zero, or what the layout declares.
    ///
    /// A share of a file has no sidecar, but the first one writes that of the whole.
    ///
    /// # Errors
    /// If the source becomes shorter, or the target cannot be written or is the source.
    pub fn write(
        &self,
        path: &Path,
        share: Share,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let target = self.written(path, share, progress)?;
        self.finish(target, path, share)
    }

    /// Writes the new file as [`write`](Self::write) does, but puts it at its place only if, converted back, it is
    /// the source. `progress` is told the bytes that are compared too.
    ///
    /// What tensors of two layouts without a common split have is compared in memory.
    ///
    /// # Errors
    /// Those of [`write`](Self::write), and [`ErrorKind::Check`].
    pub fn write_checked(&self, path: &Path, progress: &mut dyn FnMut(u64)) -> Result<(), Error> {
        let target = self.written(path, Share::WHOLE, progress)?;
        self.check(&target, progress)?;
        self.finish(target, path, Share::WHOLE)
    }

    /// The temporary file with all of its bytes.
    fn written(
        &self,
        path: &Path,
        share: Share,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Target, Error> {
        let place = share.path(path);
        self.other_files([path, &place, &Sidecar::path(path)])?;
        let target = Target::new(&place)?;
        let mut output = Output { target: &target, at: 0, buffer: Vec::new() };
        if share.has(0, self.bytes) {
            output.write(&self.header)?;
        }
        for planned in &self.tensors {
            let layouts = planned.layouts.as_ref();
            let relayout = layouts.map(|[from, to]| planned_relayout(from, to));
            for part in parts(relayout.as_ref(), planned) {
                if !share.has(planned.start + part.start as u64, self.bytes) {
                    continue;
                }
                self.source.is_whole()?;
                let bytes = part.len() as u64;
                match &relayout {
                    Some(relayout) => self.convert(planned, relayout, part, &mut output)?,
                    None => self.copy(planned, part, &mut output)?,
                }
                progress(bytes);
            }
        }
        Ok(target)
    }

    fn finish(&self, target: Target, path: &Path, share: Share) -> Result<(), Error> {
        let place = Sidecar::path(path);
        // A sidecar without its file harms nobody, but a file without its sidecar is not known.
        if share.is_first()
            && let Some(record) = &self.sidecar
        {
            let sidecar = Target::new(&place)?;
            let text = serde_json::to_string_pretty(record).map_err(io::Error::other);
            let written = text.and_then(|text| sidecar.file().write_all(text.as_bytes()));
            written.map_err(Error::io(sidecar.temporary()))?;
            sidecar.finish()?;
        }
        target.finish()?;
        if share.is_first() && self.sidecar.is_none() {
            match fs::remove_file(&place) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(Error::io(&place)(error));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The source is read while these files are written, each through its temporary file.
    fn other_files(&self, written: [&Path; 3]) -> Result<(), Error> {
        let Ok(source) = fs::canonicalize(self.source.path()) else { return Ok(()) };
        for path in written {
            for path in [path.to_owned(), temporary(path)] {
                if fs::canonicalize(&path).is_ok_and(|target| target == source) {
                    let what = "the target is the source\n  = help: name another target";
                    return Err(Error::new(&path, ErrorKind::Unsupported(what.to_owned())));
                }
            }
        }
        Ok(())
    }

    fn convert(
        &self,
        planned: &Planned<'_>,
        relayout: &Relayout,
        part: Range<usize>,
        output: &mut Output<'_>,
    ) -> Result<(), Error> {
        let source = self.source.bytes(planned.tensor)?;
        let padding = padding(relayout.destination());
        let run = |dst: &mut [u8]| {
            let copied = relayout.run_part(part.clone(), source, dst, padding);
            copied.map_err(|error| Error::layout(self.source.path(), planned.tensor.name(), error))
        };
        if part.len() > MOST_IN_MEMORY {
            return output.write_mapped(part.len(), run);
        }
        let mut buffer = std::mem::take(&mut output.buffer);
        buffer.resize(part.len(), 0);
        // Bits after the last element.
        if let Some(last) = buffer.last_mut() {
            *last = 0;
        }
        run(&mut buffer)?;
        output.write(&buffer)?;
        output.buffer = buffer;
        Ok(())
    }

    /// Copies bytes within the operating system.
    fn copy(
        &self,
        planned: &Planned<'_>,
        part: Range<usize>,
        output: &mut Output<'_>,
    ) -> Result<(), Error> {
        let start = (planned.tensor.range.start + part.start) as u64;
        let mut source = self.source.file();
        source.seek(SeekFrom::Start(start)).map_err(Error::io(self.source.path()))?;
        let bytes = part.len() as u64;
        let mut target = output.target.file();
        let copied = io::copy(&mut source.take(bytes), &mut target);
        let copied = copied.map_err(Error::io(output.target.temporary()))?;
        output.at += copied;
        if copied < bytes {
            self.source.is_whole()?;
            let kind = ErrorKind::Io(io::ErrorKind::UnexpectedEof.into());
            return Err(Error::new(self.source.path(), kind));
        }
        Ok(())
    }
}

/// The plan of a copy that was planned before.
pub(super) fn planned_relayout(from: &ArrayShape, to: &ArrayShape) -> Relayout {
    match Relayout::new(from, to) {
        Ok(relayout) => relayout,
        Err(error) => unreachable!("planned before: {error}"),
    }
}

/// The parts of a tensor that are written one after another.
fn parts(relayout: Option<&Relayout>, planned: &Planned<'_>) -> Vec<Range<usize>> {
    match relayout {
        Some(relayout) => relayout.parts(PART).collect(),
        None => chunks(planned.tensor.range.len()).collect(),
    }
}

/// Stretches of so many bytes.
pub(super) fn chunks(bytes: usize) -> impl Iterator<Item = Range<usize>> {
    (0..bytes.div_ceil(PART)).map(move |at| at * PART..((at + 1) * PART).min(bytes))
}

fn padding(to: &ArrayShape) -> Padding<u128> {
    let declared = to.fill().and_then(|fill| fill.bits(to.element_type()));
    declared.map_or(Padding::Zero, Padding::Fill)
}

/// The temporary file, written from its start on.
struct Output<'a> {
    target: &'a Target,
    at: u64,
    buffer: Vec<u8>,
}

impl Output<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.target.file().write_all(bytes).map_err(Error::io(self.target.temporary()))?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    /// Writes a part that is too long for memory. Zeros are written first, since a full disk is an error there, and
    /// not in a mapping.
    fn write_mapped(
        &mut self,
        bytes: usize,
        run: impl FnOnce(&mut [u8]) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let start = self.at;
        let zeros = vec![0; PART];
        for chunk in chunks(bytes) {
            self.write(&zeros[..chunk.len()])?;
        }
        let map = map_mut(self.target.file(), &(start..self.at));
        let mut map = map.map_err(Error::io(self.target.temporary()))?;
        run(&mut map)
    }
}
