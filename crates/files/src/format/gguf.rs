//! GGUF, of ggml and llama.cpp: numbers in little-endian order; metadata; a list of tensors; their bytes.

use layout_core::ElementType;
use layout_core::{Message, Visible};

use crate::format::{Contents, bytes_of, cut_off, refuse_twice};
use crate::tensor::Tensor;
use crate::tensor::dtype::Dtype;

/// What the bytes of tensors are aligned to, unless the metadata says otherwise.
const ALIGNMENT: u64 = 32;
/// Lists inside of lists in the metadata.
const MOST_NESTING: usize = 8;
const MOST_DIMS: u32 = 8;
/// Tensors at most: each takes a few hundred bytes of memory, and models have some thousands.
const MOST_TENSORS: u64 = 1 << 16;

/// Types whose values lie in blocks: number, name, values and bytes of a block. Of `Q8_1` these are two `f16` and 32
/// `i8`, as the assertion after `block_q8_1` in ggml's `ggml-common.h` says; gguf-py counts 40, with two `f32`, as older
/// versions of ggml had them.
const BLOCKS: &[(u32, &str, u64, u64)] = &[
    (2, "Q4_0", 32, 18),
    (3, "Q4_1", 32, 20),
    (6, "Q5_0", 32, 22),
    (7, "Q5_1", 32, 24),
    (8, "Q8_0", 32, 34),
    (9, "Q8_1", 32, 36),
    (10, "Q2_K", 256, 84),
    (11, "Q3_K", 256, 110),
    (12, "Q4_K", 256, 144),
    (13, "Q5_K", 256, 176),
    (14, "Q6_K", 256, 210),
    (15, "Q8_K", 256, 292),
    (16, "IQ2_XXS", 256, 66),
    (17, "IQ2_XS", 256, 74),
    (18, "IQ3_XXS", 256, 98),
    (19, "IQ1_S", 256, 50),
    (20, "IQ4_NL", 32, 18),
    (21, "IQ3_S", 256, 110),
    (22, "IQ2_S", 256, 82),
    (23, "IQ4_XS", 256, 136),
    (29, "IQ1_M", 256, 56),
    // Rows of `Q4_0` and `IQ4_NL` that are repacked, in files of late 2024.
    (31, "Q4_0_4_4", 32, 18),
    (32, "Q4_0_4_8", 32, 18),
    (33, "Q4_0_8_8", 32, 18),
    (34, "TQ1_0", 256, 54),
    (35, "TQ2_0", 256, 66),
    (36, "IQ4_NL_4_4", 32, 18),
    (37, "IQ4_NL_4_8", 32, 18),
    (38, "IQ4_NL_8_8", 32, 18),
    (39, "MXFP4", 32, 17),
    (40, "NVFP4", 64, 36),
];

/// A tensor of blocks is one of bytes: its last dimension counts the bytes of a row. The metadata says its type.
pub(super) fn read(bytes: &[u8]) -> Result<Contents, Message> {
    let mut reader = GgufReader { bytes, at: 0 };
    if reader.take(4) != Some(b"GGUF") {
        return Err("not a GGUF file: it does not begin with `GGUF`".into());
    }
    let cut = || cut_off("the header is cut off");
    match reader.u32().ok_or_else(cut)? {
        2 | 3 => {}
        version if version.swap_bytes() <= 3 => {
            return Err("the file is big-endian: these are not read".into());
        }
        version => {
            return Err(format!("version {version} of the format is not known: 2 and 3 are").into());
        }
    }
    let tensors = reader.u64().ok_or_else(cut)?;
    let entries = reader.u64().ok_or_else(cut)?;
    if tensors > MOST_TENSORS {
        return Err(format!("it has {tensors} tensors, and at most {MOST_TENSORS} are read").into());
    }
    let mut alignment = ALIGNMENT;
    for _ in 0..entries {
        let key = reader.string().ok_or_else(cut)?;
        let kind = reader.u32().ok_or_else(cut)?;
        let start = reader.at;
        reader.value(kind, 0).ok_or_else(|| {
            let key = Visible(&key);
            cut_off(format!("the metadata `{key}` is cut off, or of a type that is not known"))
        })?;
        if key == "general.alignment" {
            let value = bytes.get(start..start + 4).and_then(|value| value.first_chunk());
            let value = value.map_or(0, |value| u32::from_le_bytes(*value));
            if kind != 4 {
                return Err("`general.alignment` is not of type u32, as GGUF has it".into());
            }
            if !value.is_power_of_two() {
                return Err("`general.alignment` is not a power of two".into());
            }
            alignment = value.into();
        }
    }
    let mut contents = Contents::default();
    let mut offsets = Vec::new();
    for _ in 0..tensors {
        let (tensor, block, offset) = reader.tensor()?;
        if let Some(block) = block {
            contents.metadata.insert(format!("ggml.{}", tensor.name), block.to_owned());
        }
        contents.tensors.push(tensor);
        offsets.push(offset);
    }
    refuse_twice(&contents.tensors)?;
    let data = (reader.at as u64).next_multiple_of(alignment);
    for (tensor, offset) in contents.tensors.iter_mut().zip(offsets) {
        let start = data.checked_add(offset).and_then(|start| usize::try_from(start).ok());
        let end = start.and_then(|start| start.checked_add(tensor.range.end));
        tensor.range = match (start, end) {
            (Some(start), Some(end)) if end <= bytes.len() => start..end,
            _ => {
                let name = Visible(&tensor.name);
                return Err(cut_off(format!(
                    "the file ends before the tensor `{name}` does: it is cut off"
                )));
            }
        };
    }
    Ok(contents)
}

struct GgufReader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> GgufReader<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(count)?;
        let taken = self.bytes.get(self.at..end)?;
        self.at = end;
        Some(taken)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take(4)?.first_chunk().map(|bytes| u32::from_le_bytes(*bytes))
    }

    fn u64(&mut self) -> Option<u64> {
        self.take(8)?.first_chunk().map(|bytes| u64::from_le_bytes(*bytes))
    }

    fn text(&mut self) -> Option<&'a [u8]> {
        let length = self.u64()?;
        self.take(usize::try_from(length).ok()?)
    }

    /// The file may be written meanwhile: what is looked at is a copy.
    fn string(&mut self) -> Option<String> {
        String::from_utf8(self.text()?.to_vec()).ok()
    }

    /// Skips a value of the metadata.
    fn value(&mut self, kind: u32, nesting: usize) -> Option<()> {
        let fixed = |kind| match kind {
            0 | 1 | 7 => Some(1),
            2 | 3 => Some(2),
            4..=6 => Some(4),
            10..=12 => Some(8),
            _ => None,
        };
        match kind {
            8 => self.text().map(|_| ()),
            9 if nesting < MOST_NESTING => {
                let of = self.u32()?;
                let count = self.u64()?;
                match fixed(of) {
                    Some(bytes) => {
                        let count = usize::try_from(count).ok()?.checked_mul(bytes)?;
                        self.take(count).map(|_| ())
                    }
                    // Each takes bytes, so that the file ends before a false count does.
                    None => (0..count).try_for_each(|_| self.value(of, nesting + 1)),
                }
            }
            _ => self.take(fixed(kind)?).map(|_| ()),
        }
    }

    /// A line of the list: the tensor, whose range is not placed yet, its type if that is of blocks, and its offset.
    fn tensor(&mut self) -> Result<(Tensor, Option<&'static str>, u64), Message> {
        let cut = || cut_off("the list of tensors is cut off");
        let name = self.string().ok_or_else(cut)?;
        let shown = Visible(&name);
        let rank = self.u32().ok_or_else(cut)?;
        if rank > MOST_DIMS {
            return Err(format!("the tensor `{shown}` has {rank} dimensions").into());
        }
        let mut dims = Vec::with_capacity(rank as usize);
        for _ in 0..rank {
            dims.push(self.u64().ok_or_else(cut)?);
        }
        // The file lists the fastest first.
        dims.reverse();
        let kind = self.u32().ok_or_else(cut)?;
        let offset = self.u64().ok_or_else(cut)?;
        let (element, block) = match (Dtype::of_ggml(kind), BLOCKS.iter().find(|row| row.0 == kind))
        {
            (Some(element), _) => (element, None),
            (None, Some(&(_, block, values, bytes))) => {
                let row = dims.last_mut().filter(|size| size.is_multiple_of(values));
                let row = row
                    .and_then(|size| Some((size.checked_div(values)?.checked_mul(bytes)?, size)));
                let (bytes, size) = row.ok_or_else(|| {
                    format!("a row of the tensor `{shown}` is not a multiple of {values}, as {block} needs")
                })?;
                *size = bytes;
                (ElementType::U8, Some(block))
            }
            (None, None) => {
                let what = format!("the tensor `{shown}` has the type {kind}, which is not known");
                return Err(what.into());
            }
        };
        let dtype = Dtype::Element(element);
        let bytes = bytes_of(&dims, dtype.bits()).and_then(|bytes| usize::try_from(bytes).ok());
        let bytes = bytes.ok_or_else(|| format!("the tensor `{shown}` is too large"))?;
        let tensor = Tensor { name, dtype, dims, is_column_major: false, range: 0..bytes };
        Ok((tensor, block, offset))
    }
}
