//! Comparing what was written with the source.

use std::ops::Range;

use layout::Padding;

use crate::conversion::write::{PART, chunks, planned_relayout};
use crate::conversion::{Conversion, Planned};
use crate::error::{Error, ErrorKind};
use crate::map::Map;
use crate::target::Target;

impl Conversion<'_> {
    /// Converts each tensor of the whole file back, part by part, and compares its elements. Padding of the source is
    /// not compared.
    pub(super) fn check(
        &self,
        target: &Target,
        progress: &mut dyn FnMut(u64),
    ) -> Result<(), Error> {
        let map = target.file().try_clone().and_then(Map::new);
        let map = map.map_err(Error::io(target.temporary()))?;
        for planned in &self.tensors {
            let source = self.source.bytes(planned.tensor)?;
            let start = planned.start as usize;
            let written = &map.bytes()[start..start + planned.stored.bytes as usize];
            let Some([from, to]) = &planned.layouts else {
                for part in chunks(source.len()) {
                    self.source.is_whole()?;
                    self.same(planned, &part, &source[part.clone()], &written[part.clone()])?;
                    progress(part.len() as u64);
                }
                continue;
            };
            let back = planned_relayout(to, from);
            let mut buffer = Vec::new();
            for part in back.parts(PART) {
                self.source.is_whole()?;
                let expected = &source[part.clone()];
                // Where no element is written it is padding, which is then the same.
                buffer.clear();
                buffer.extend_from_slice(expected);
                let copied = back.run_part(part.clone(), written, &mut buffer, Padding::Leave);
                copied.map_err(|error| {
                    Error::layout(self.source.path(), planned.tensor.name(), error)
                })?;
                self.same(planned, &part, expected, &buffer)?;
                progress(part.len() as u64);
            }
        }
        Ok(())
    }

    fn same(
        &self,
        planned: &Planned<'_>,
        part: &Range<usize>,
        expected: &[u8],
        found: &[u8],
    ) -> Result<(), Error> {
        if expected == found {
            return Ok(());
        }
        let at = expected.iter().zip(found).take_while(|(a, b)| a == b).count();
        let byte = (part.start + at) as u64;
        Err(Error::new(self.source.path(), ErrorKind::Check { byte }).of(planned.tensor.name()))
    }
}
