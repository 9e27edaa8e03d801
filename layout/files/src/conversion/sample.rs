//! Bytes of the new file at any place, each made by itself: what tells the file from others.

use std::ops::Range;
use std::sync::Arc;

use crate::conversion::making::Making;
use crate::conversion::{Conversion, Pair};
use crate::error::Error;
use crate::share::Share;
use crate::sidecar::Mark;
use crate::target::Target;

impl Conversion<'_> {
    /// The mark of the new file. Where only a share of it is written, the samples that lie in others are made too.
    pub(super) fn mark(&self, written: &Target, share: Share) -> Result<Mark, Error> {
        if share.is_whole() {
            return Mark::of(written.file(), share.count()).map_err(Error::io(written.temporary()));
        }
        let mut last = None;
        Mark::new(self.bytes, share.count(), |at, block| self.make_at(at, block, &mut last))
    }

    fn make_at<'a>(
        &'a self,
        at: u64,
        block: &mut [u8],
        last: &mut Option<(&'a Arc<Pair>, Making)>,
    ) -> Result<(), Error> {
        let end = at + block.len() as u64;
        // Those of the file's bytes from `start` on that are asked for, counted from there, and their place in the block.
        let common = |start: u64, bytes: u64| -> (Range<usize>, Range<usize>) {
            let [from, to] = [at, end].map(|place| place.clamp(start, start + bytes));
            let of = |origin: u64| (from - origin) as usize..(to - origin) as usize;
            if from < to { (of(start), of(at)) } else { (0..0, 0..0) }
        };
        let (header, place) = common(0, self.header.len() as u64);
        block[place].copy_from_slice(&self.header[header]);
        let first = self.tensors.partition_point(|planned| planned.end() <= at);
        for planned in self.tensors[first..].iter().take_while(|planned| planned.start < end) {
            let (bytes, place) = common(planned.start, planned.stored.bytes);
            let source = self.source.bytes(planned.tensor)?;
            match &planned.pair {
                None => block[place].copy_from_slice(&source[bytes]),
                Some(pair) => {
                    let making = Making::again(last, pair);
                    block[place].copy_from_slice(&making.bytes(bytes, source));
                }
            }
        }
        Ok(())
    }
}
