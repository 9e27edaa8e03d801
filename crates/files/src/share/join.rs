//! Joining the shares of a file.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use layout_core::{Message, Visible};
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::map;
use crate::share::digest::{DIGITS, Digest};
use crate::sidecar::Sidecar;
use crate::target::output::Output;

/// The last bytes of a share, after its mark, the digest of the mark, and the length of both.
const MAGIC: &[u8; 8] = b"layshare";
/// Bytes of the length and of the magic.
const END: u64 = 16;
/// Bytes of the longest mark: the first one has the record of the file.
const LONGEST: u64 = 1 << 30;
/// Bytes that are copied at once.
const PIECE: usize = 1 << 20;

/// What a share says of itself, after its bytes.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ShareMark {
    /// A digest of all that decides on the file: the source's bytes, the layouts, the header, the record.
    pub conversion: String,
    pub share: u32,
    pub shares: u32,
    /// Bytes of the file.
    pub file_bytes: u64,
    /// Bytes of the share, without the mark.
    pub bytes: u64,
    /// Of these bytes.
    pub digest: String,
    /// What the first share says of the file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<Sidecar>,
}

impl ShareMark {
    /// What stands at the end of a share.
    pub(crate) fn to_bytes(&self) -> io::Result<Vec<u8>> {
        let mut text = serde_json::to_vec(self).map_err(io::Error::other)?;
        text.extend(Digest::of(&text).bytes());
        text.extend((text.len() as u64).to_le_bytes());
        text.extend(MAGIC);
        Ok(text)
    }

    /// The mark at the end of a file, and the bytes before it; `None` if it has none.
    pub(crate) fn of(mut file: &File) -> io::Result<Option<(ShareMark, u64)>> {
        let Some(before) = file.metadata()?.len().checked_sub(END) else { return Ok(None) };
        let (mut length, mut magic) = ([0; 8], [0; 8]);
        file.seek(SeekFrom::Start(before))?;
        file.read_exact(&mut length)?;
        file.read_exact(&mut magic)?;
        let length = u64::from_le_bytes(length);
        if magic != *MAGIC || length > before.min(LONGEST) {
            return Ok(None);
        }
        let mut text = vec![0; length as usize];
        file.seek(SeekFrom::Start(before - length))?;
        file.read_exact(&mut text)?;
        file.rewind()?;
        let mark = text.split_last_chunk::<DIGITS>().and_then(|(text, digest)| {
            let is_whole = Digest::of(text).as_bytes() == digest;
            serde_json::from_slice::<ShareMark>(text).ok().filter(|_| is_whole)
        });
        Ok(mark.map(|mark| (mark, before - length)))
    }
}

/// A share that is read.
struct OpenShare<'a> {
    path: &'a Path,
    file: File,
    mark: ShareMark,
}

/// Joins the shares of a file, in any order: writes the file and its record, as
/// [`Conversion::write`](crate::Conversion::write) does. `progress` is told the bytes of each step.
///
/// Each share has a mark at its end: which conversion of which source it is of, which share it is, and a digest of all of
/// its bytes. So a share of another conversion or of another source, and bytes that are not those that were written, are
/// errors.
///
/// # Errors
/// [`ErrorKind::Share`], which says which share is missing, doubled, of another file or damaged; or if a file cannot be
/// read or written.
pub fn join(shares: &[PathBuf], path: &Path, progress: &mut dyn FnMut(u64)) -> Result<(), Error> {
    let mut shares = shares.iter().map(opened).collect::<Result<Vec<_>, _>>()?;
    shares.sort_by_key(|share| share.mark.share);
    let bytes = are_all(&shares, path)?;
    let output = Output::new(path, |path| {
        shares.iter().any(|share| matches!(map::is_at(&share.file, path), Ok(Some(true))))
    })?;
    let io = Error::io(output.target.temporary());
    let mut buffer = vec![0; PIECE];
    for share in &shares {
        let (mut file, mut target) = (&share.file, output.target.file());
        let (mut left, mut digest) = (share.mark.bytes, Digest::new());
        while left > 0 {
            let piece = &mut buffer[..left.min(PIECE as u64) as usize];
            file.read_exact(piece).map_err(Error::io(share.path))?;
            digest.add(piece);
            target.write_all(piece).map_err(&io)?;
            left -= piece.len() as u64;
            progress(piece.len() as u64);
        }
        if digest.text() != share.mark.digest {
            return Err(fault(
                share.path,
                Message::new("its bytes are not those that were written")
                    .with_help("copy it again, or write it again"),
            ));
        }
    }
    drop(io);
    let record = shares.swap_remove(0).mark.record;
    output.finish(record, bytes)
}

fn fault(path: &Path, what: impl Into<Message>) -> Error {
    Error::new(path, ErrorKind::Share(what.into()))
}

fn opened(path: &PathBuf) -> Result<OpenShare<'_>, Error> {
    let file = map::opened(path)?;
    let found = ShareMark::of(&file).map_err(Error::io(path))?;
    let is_share = |(mark, bytes): &(ShareMark, u64)| {
        mark.bytes == *bytes && (1..=mark.shares).contains(&mark.share)
    };
    let (mark, _) = found.filter(is_share).ok_or_else(|| {
        let what = Message::new("not a share of a file, or its end is cut off");
        let help =
            "name shares, which a conversion in parts writes; copy it again if it was copied";
        fault(path, what.with_help(help))
    })?;
    Ok(OpenShare { path, file, mark })
}

/// Whether shares, in the order of their numbers, are all those of one file: its bytes.
fn are_all(shares: &[OpenShare<'_>], path: &Path) -> Result<u64, Error> {
    let name = |share: &OpenShare<'_>| format!("`{}`", Visible(&share.path.display().to_string()));
    let Some(first) = shares.first() else {
        return Err(fault(path, Message::new("no share is given").with_help("name all of them")));
    };
    let of = |mark: &ShareMark| (mark.conversion.clone(), mark.shares, mark.file_bytes);
    // The one that differs from most others is the wrong one; of two, the second.
    let count = |share: &OpenShare<'_>| {
        shares.iter().filter(|other| of(&other.mark) == of(&share.mark)).count()
    };
    let most = shares.iter().rev().max_by_key(|share| count(share)).unwrap_or(first);
    let own = of(&most.mark);
    if let Some(other) = shares.iter().find(|share| of(&share.mark) != own) {
        let what = format!(
            "a share of another conversion than {}: another source, other layouts or another number of shares",
            name(most)
        );
        let help = format!(
            "write share {} of {} again, from the same source with the same arguments",
            other.mark.share, own.1
        );
        return Err(fault(other.path, Message::from(what).with_help(help)));
    }
    let mut neighbours = shares.windows(2);
    if let Some([a, b]) = neighbours.find(|pair| pair[0].mark.share == pair[1].mark.share) {
        let what = Message::from(format!("the same share as {}", name(a)));
        return Err(fault(b.path, what.with_help("name each share once")));
    }
    let missing = own.1 as usize - shares.len();
    if missing > 0 {
        let found =
            shares.iter().zip(1..).take_while(|(share, number)| share.mark.share == *number);
        let number = found.count() + 1;
        let more = if missing > 1 { format!(" and {} more", missing - 1) } else { String::new() };
        let what = format!("share {number} of {} is missing{more}", own.1);
        let help = format!("name all of them, or write share {number} of {}", own.1);
        return Err(fault(path, Message::from(what).with_help(help)));
    }
    let bytes = shares.iter().try_fold(0, |sum: u64, share| sum.checked_add(share.mark.bytes));
    match bytes == Some(own.2) {
        true => Ok(own.2),
        false => Err(fault(path, "the shares together have another length than the file")),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// What no run writes: the arithmetic holds all the same.
    #[test]
    fn marks_that_somebody_made() {
        let path = |number: usize| {
            let name = format!("layout-files-marks-{}-{number}", std::process::id());
            std::env::temp_dir().join(name)
        };
        for (numbers, count, file_bytes, expected) in [
            ([1, 2, 3], 2, 12, "not a share"),
            ([0, 1, 2], 2, 12, "not a share"),
            ([1, 2, 3], 3, 13, "another length"),
            ([1, 2, 3], u32::MAX, 12, "share 4 of 4294967295 is missing and 4294967291 more"),
        ] {
            let paths = [0, 1, 2].map(path);
            for (path, share) in paths.iter().zip(numbers) {
                let mark = ShareMark {
                    conversion: String::new(),
                    share,
                    shares: count,
                    file_bytes,
                    bytes: 4,
                    digest: Digest::of(&[0; 4]),
                    record: None,
                };
                fs::write(path, [&[0; 4], &mark.to_bytes().unwrap()[..]].concat()).unwrap();
            }
            let error = join(&paths, &path(3), &mut |_| ()).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
            paths.iter().for_each(|path| fs::remove_file(path).unwrap());
        }
    }
}
