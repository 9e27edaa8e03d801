//! Comparing a new file with the source: by [`Places`] alone, so that it does not matter what wrote the file.
#![allow(clippy::unnecessary_cast, reason = "`Size` is another type on 32-bit targets")]

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::num::NonZero;
use std::ops::Range;
use std::path::Path;
use std::{panic, thread};

use layout_core::{ArrayShape, Message, Size};

use crate::conversion::places::{Places, WrongSlot};
use crate::conversion::{Conversion, TensorPlan};
use crate::error::{Difference, Error, ErrorKind};
use crate::share::Share;
use crate::tensor::Tensor;
use crate::tensor_file::TensorFile;

/// Bytes of the new file that are read at once.
const PIECE: u64 = 1 << 20;
/// Values that are not worth a thread.
const FEW: usize = 1 << 14;

/// Random elements of a sample, in each tensor.
const RANDOM: usize = 1 << 17;
/// How far from an end of its dimension a coordinate is near it.
const NEAR: Size = 256;
/// Values of a sample before and after each start of a piece.
const AROUND: Size = 4;

/// How much of a new file is compared with its source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Check {
    /// Every element, and all padding.
    All,
    /// A sample of each converted tensor: 131,072 random elements, and the values at both ends of each MiB. Tensors that
    /// are not converted, and those with fewer values, are compared whole.
    ///
    /// Each coordinate of a random element is one of the first 256, of the last 256, or any, with equal chances. Each run
    /// takes the same elements. So a sample finds a mistake in one element of ten thousand, or in the last tiles of an
    /// array, but perhaps not a single wrong element.
    Sample,
}

/// How much a check compared. A value is an element, or padding of the size of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Coverage {
    /// Values that were compared.
    pub values: u64,
    /// Values of the tensors in the new file, or in its share.
    pub of: u64,
}

/// A stretch of a new tensor's bytes, and its place in a file.
struct Stretch<'a> {
    file: &'a File,
    path: &'a Path,
    /// Where the stretch begins in that file.
    start: u64,
    stretch: Range<u64>,
}

impl Stretch<'_> {
    /// The bytes of the tensor from `at` on. They are read, not mapped: another program may cut the file.
    fn read(&self, at: u64, bytes: &mut [u8]) -> Result<(), Error> {
        let mut file = self.file;
        let place = self.start + (at - self.stretch.start);
        let read = file.seek(SeekFrom::Start(place)).and_then(|_| file.read_exact(bytes));
        read.map_err(Error::io(self.path))
    }
}

impl Conversion<'_> {
    /// Compares a file that such a conversion wrote before with the source: each element is where the digits of its new
    /// layout say, and padding is what [`write`](Self::write) makes it. Nothing is written. `progress` is told the bytes
    /// that are compared.
    ///
    /// The copy itself takes no part in it: see [`write_checked`](Self::write_checked). Of bytes that became narrower
    /// elements, the low bits count.
    ///
    /// # Errors
    /// [`ErrorKind::Check`] if a value is another one, about the file at `path`; if that file cannot be read, or has not the
    /// tensors that this conversion makes; if one of both was written meanwhile.
    ///
    /// # Examples
    /// ```
    /// use layout_files::{Change, Check, Conversion, ErrorKind, Format, Share, TensorFile};
    ///
    /// # let folder = std::env::temp_dir().join(format!("layout-check-doc-{}", std::process::id()));
    /// # std::fs::create_dir_all(&folder)?;
    /// let [rows, tiles] = ["rows.bin", "tiles.bin"].map(|name| folder.join(name));
    /// std::fs::write(&rows, (0..15).collect::<Vec<u8>>())?;
    ///
    /// let file = TensorFile::open(&rows)?;
    /// let change = Change::new("u8[3,5]".parse()?, "u8[3,5]{1,0:T(2,2)}".parse()?);
    /// let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone())))?;
    /// conversion.write(&tiles, Share::WHOLE, &mut |_| ())?;
    /// assert_eq!(conversion.check(&tiles, Check::All, &mut |_| ())?.values, 24);
    ///
    /// # std::fs::remove_file(folder.join("tiles.bin.layout.json"))?;
    /// let mut bytes = std::fs::read(&tiles)?;
    /// bytes.swap(1, 2); // [0,1] and [1,0]
    /// std::fs::write(&tiles, bytes)?;
    /// let error = conversion.check(&tiles, Check::All, &mut |_| ()).unwrap_err();
    /// let ErrorKind::Check(difference) = error.kind() else { panic!("{error}") };
    /// assert_eq!((&difference.index, difference.target_bit), (&Some(vec![0, 1]), 8));
    /// # std::fs::remove_dir_all(&folder)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn check(
        &self,
        path: &Path,
        check: Check,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Coverage, Error> {
        let new = TensorFile::open(path)?;
        let other = |what: String| {
            let help =
                "name the file that was made of this source, and the layouts that it was made with";
            Error::new(path, ErrorKind::Layout(Message::from(what).with_help(help)))
        };
        let [expected, found] = [self.tensors.len(), new.tensors().len()];
        if expected != found {
            return Err(other(format!(
                "it has {found} tensors, and this conversion makes {expected}"
            )));
        }
        let mut checked = Coverage::default();
        for planned in &self.tensors {
            let (name, bytes) = (planned.tensor.name(), planned.stored.bytes);
            let tensor = match self.format.has_one_tensor() {
                true => new.tensors().first(),
                false => new.tensor(name),
            };
            let Some(tensor) = tensor else {
                return Err(other("it has no such tensor".to_owned()).of(name));
            };
            if tensor.bytes() != bytes {
                let found = tensor.bytes();
                return Err(other(format!("it has {found} bytes instead of {bytes}")).of(name));
            }
            let start = tensor.range().start as u64;
            let found = Stretch { file: new.file(), path, start, stretch: 0..bytes };
            let compared = self.compare(planned, &found, start, check, progress);
            checked.add(compared.map_err(|error| error.if_check_at(path))?);
        }
        new.is_as_it_was()?;
        self.source.is_as_it_was()?;
        Ok(checked)
    }

    /// Compares a share that was written to a file.
    pub(super) fn check_share(
        &self,
        file: &File,
        path: &Path,
        share: Share,
        check: Check,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Coverage, Error> {
        let mut start = 0;
        if share.is_first() {
            start = self.header.len() as u64;
            let mut found = vec![0; self.header.len()];
            Stretch { file, path, start: 0, stretch: 0..start }.read(0, &mut found)?;
            if let Some(at) = first_difference(&self.header, &found) {
                let difference = Difference {
                    index: None,
                    source_bit: None,
                    target_bit: 8 * at as u64,
                    expected: self.header[at].into(),
                    found: found[at].into(),
                };
                return Err(Error::new(self.source.path(), ErrorKind::Check(Box::new(difference))));
            }
        }
        let mut checked = Coverage::default();
        for planned in self.of(share) {
            let Some(stretch) = self.stretch(planned, share) else { continue };
            let bytes = stretch.end - stretch.start;
            let found = Stretch { file, path, start, stretch };
            checked.add(self.compare(planned, &found, planned.start, check, progress)?);
            start += bytes;
        }
        Ok(checked)
    }

    /// Compares a stretch of a new tensor. The tensor begins at byte `place` of the new file.
    fn compare(
        &self,
        planned: &TensorPlan<'_>,
        found: &Stretch<'_>,
        place: u64,
        check: Check,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Coverage, Error> {
        let Some(copy) = &planned.copy else {
            return self.compare_bytes(planned.tensor, found, place, progress);
        };
        let tensor = planned.tensor;
        let first = 8 * tensor.range().start as u64;
        let fail = |kind| Error::new(self.source.path(), kind).of(tensor.name());
        let mut memory = Vec::new();
        let Stretch { stretch, .. } = found;
        let places = Places::new(copy.layouts());
        let [_, to] = copy.layouts();
        let [from_bits, to_bits] = places.bits().map(u64::from);
        let wrong = |WrongSlot { slot, element, expected, found }| {
            let (index, source) = element.unzip();
            fail(ErrorKind::Check(Box::new(Difference {
                index,
                source_bit: source.map(|slot| first + slot as u64 * from_bits),
                target_bit: 8 * place + slot as u64 * to_bits,
                expected,
                found,
            })))
        };
        let is_whole = *stretch == (0..planned.stored.bytes);
        let slots = [stretch.start, stretch.end]
            .map(|byte| (8 * byte / to_bits).min(places.slots() as u64) as Size);
        let of = (slots[1] - slots[0]) as u64;
        let sample = match check {
            Check::Sample if of > 2 * RANDOM as u64 => {
                Some(sample(&places, to, slots[0]..slots[1]))
            }
            _ => None,
        };
        if let Some(sample) = sample {
            for &slot in &sample {
                let bit = slot as u64 * to_bits;
                // Of narrower elements, the byte that has it.
                memory.resize(to_bits.div_ceil(8) as usize, 0);
                found.read(bit / 8, &mut memory)?;
                memory[0] >>= bit % 8;
                let source = self.source.bytes(tensor)?;
                places.compare(source, slot..slot + 1, &memory).map_err(wrong)?;
            }
            progress(stretch.end - stretch.start);
            return Ok(Coverage { values: sample.len() as u64, of });
        }
        let mut elements = 0;
        let step = (8 * PIECE / to_bits) as usize;
        for start in (slots[0]..slots[1]).step_by(step) {
            let end = slots[1].min(start + step as Size);
            let bits = [start, end].map(|slot| slot as u64 * to_bits);
            memory.resize((bits[1].div_ceil(8) - bits[0] / 8) as usize, 0);
            found.read(bits[0] / 8, &mut memory)?;
            let source = self.source.bytes(tensor)?;
            let compared = in_threads(&places, source, start..end, &memory);
            elements += compared.map_err(Error::io(found.path))?.map_err(wrong)?;
            // The bits after the last element.
            let rest = bits[1] % 8;
            let rest = memory.last().filter(|_| rest > 0).map_or(0, |last| last >> rest);
            if rest > 0 {
                let (element, expected) = (None, 0);
                return Err(wrong(WrongSlot { slot: end, element, expected, found: rest.into() }));
            }
            progress(memory.len() as u64);
        }
        // Each slot that is an element is another one, so that as many as there are elements are all of them.
        if is_whole && elements != places.elements() {
            let all = places.elements();
            let what = format!("{elements} of the {all} elements of `{to}` have a place");
            let help = "this is a mistake of this library: report the layout";
            return Err(fail(ErrorKind::Layout(Message::from(what).with_help(help))));
        }
        Ok(Coverage { values: of, of })
    }

    /// Compares a stretch of a tensor that is only copied.
    fn compare_bytes(
        &self,
        tensor: &Tensor,
        found: &Stretch<'_>,
        place: u64,
        progress: &mut dyn FnMut(u64),
    ) -> Result<Coverage, Error> {
        let Stretch { stretch, .. } = found;
        let mut memory = Vec::new();
        for start in stretch.clone().step_by(PIECE as usize) {
            let piece = start..stretch.end.min(start + PIECE);
            memory.resize((piece.end - piece.start) as usize, 0);
            found.read(start, &mut memory)?;
            let source = &self.source.bytes(tensor)?[piece.start as usize..piece.end as usize];
            if let Some(at) = first_difference(source, &memory) {
                let byte = start + at as u64;
                let difference = Difference {
                    index: None,
                    source_bit: Some(8 * (tensor.range().start as u64 + byte)),
                    target_bit: 8 * (place + byte),
                    expected: source[at].into(),
                    found: memory[at].into(),
                };
                let fault = Error::new(self.source.path(), ErrorKind::Check(Box::new(difference)));
                return Err(fault.of(tensor.name()));
            }
            progress(memory.len() as u64);
        }
        let values = 8 * (stretch.end - stretch.start) / tensor.dtype().bits().max(1);
        Ok(Coverage { values, of: values })
    }
}

impl Coverage {
    fn add(&mut self, other: Coverage) {
        self.values += other.values;
        self.of += other.of;
    }
}

fn first_difference(expected: &[u8], found: &[u8]) -> Option<usize> {
    // Most pieces are equal, and slices are compared faster than bytes.
    if expected == found {
        return None;
    }
    expected.iter().zip(found).position(|(a, b)| a != b)
}

/// Compares slots by all processors, each its own stretch of them: how many are elements, or the first that is wrong.
fn in_threads(
    places: &Places,
    source: &[u8],
    slots: Range<Size>,
    found: &[u8],
) -> io::Result<Result<Size, WrongSlot>> {
    let count = (slots.end - slots.start) as usize;
    let processors = thread::available_parallelism().map_or(1, NonZero::get);
    let threads = processors.min(count.div_ceil(FEW)).max(1);
    // Each begins at a byte.
    let step = count.div_ceil(threads).next_multiple_of(8);
    thread::scope(|scope| {
        let starts = (0..count).step_by(step);
        let workers = starts.map(|start| {
            let own =
                slots.start + start as Size..slots.end.min(slots.start + (start + step) as Size);
            let found = &found[start / 8 * places.bits()[1] as usize..];
            thread::Builder::new().spawn_scoped(scope, move || places.compare(source, own, found))
        });
        let workers = workers.collect::<io::Result<Vec<_>>>()?;
        let results = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        // Of several, the first error is the one of the first slots.
        Ok(results.sum())
    })
}

/// The slots of a sample, in order: see [`Check::Sample`].
fn sample(places: &Places, layout: &ArrayShape, slots: Range<Size>) -> Vec<Size> {
    let mut state = 0_u64;
    let mut below = |end: Size| {
        // SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % end as u64) as Size
    };
    let dims = layout.dims().iter().map(|dim| dim.size().unwrap_or(0)).collect::<Vec<_>>();
    let mut sample = Vec::new();
    if places.elements() > 0 {
        for _ in 0..RANDOM {
            let index = dims.iter().map(|&size| match below(3) {
                0 => below(size.min(NEAR)),
                1 => size - 1 - below(size.min(NEAR)),
                _ => below(size),
            });
            sample.extend(places.slot(&index.collect::<Vec<_>>()));
        }
    }
    let step = (8 * PIECE / u64::from(places.bits()[1])) as usize;
    for start in (0..places.slots()).step_by(step) {
        sample.extend(start.saturating_sub(AROUND)..start + AROUND);
    }
    sample.extend(places.slots().saturating_sub(AROUND)..places.slots());
    sample.retain(|slot| slots.contains(slot));
    sample.sort_unstable();
    sample.dedup();
    sample
}
