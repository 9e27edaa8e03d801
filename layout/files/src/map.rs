//! Files in memory.
#![allow(unsafe_code, reason = "a mapping is unsafe to make: see `Map`")]

use std::fs::File;
use std::io;
use std::ops::Range;

use memmap2::{Mmap, MmapMut, MmapOptions};

/// A file, mapped to be read.
///
/// What other programs write to the file shows in the mapping, and bytes past an end that moved end the process
/// (`SIGBUS`). So the length is compared before each part is read: see [`Map::is_whole`].
#[derive(Debug)]
pub(crate) struct Map {
    file: File,
    map: Mmap,
}

impl Map {
    pub(crate) fn new(file: File) -> io::Result<Map> {
        // SAFETY: the bytes are read as plain numbers, for which each value is valid, and are parsed by code that
        // trusts none of them, each from one read; nothing keeps a reference past a look at `is_whole`. That the
        // file is not cut is the user's part, as for each program that maps files.
        let map = unsafe { Mmap::map(&file)? };
        Ok(Map { file, map })
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.map
    }

    pub(crate) const fn file(&self) -> &File {
        &self.file
    }

    /// The bytes that the file has now, if they are fewer than those of the mapping.
    pub(crate) fn shorter(&self) -> io::Result<Option<u64>> {
        let length = self.file.metadata()?.len();
        Ok((length < self.map.len() as u64).then_some(length))
    }
}

/// A stretch of a file that this process alone writes, mapped to be written. The file has these bytes.
pub(crate) fn map_mut(file: &File, range: &Range<u64>) -> io::Result<MmapMut> {
    let length = usize::try_from(range.end - range.start).map_err(io::Error::other)?;
    // SAFETY: the file is a temporary one that this process made and holds locked, and its bytes have been written,
    // so that there is memory behind each page.
    unsafe { MmapOptions::new().offset(range.start).len(length).map_mut(file) }
}
