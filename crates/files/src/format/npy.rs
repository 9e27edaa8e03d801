//! Numpy's `.npy`: a magic text, a version, the length of the header, and the header: a dict of Python.

use layout_core::{Message, Visible};

use crate::format::{Contents, MOST_DIMS, TensorHeader, bytes_of, cut_off};
use crate::tensor::Tensor;
use crate::tensor::dtype::Dtype;

const MAGIC: &[u8] = b"\x93NUMPY";
/// Bytes of the longest header that is read. Numpy's own have about a hundred, and it trusts 10,000.
const LONGEST: usize = 1 << 20;
/// What a header is padded to.
const ALIGNMENT: usize = 64;
/// Digits that numpy leaves room for, so that the dimension that grows can be written in place.
const GROWTH_DIGITS: usize = 21;

pub(super) fn read(bytes: &[u8], name: &str) -> Result<Contents, Message> {
    let rest = bytes
        .strip_prefix(MAGIC)
        .ok_or("not a `.npy` file: it does not begin with `\\x93NUMPY`")?;
    let cut = || cut_off("the header is cut off");
    let (length, rest) = match rest {
        [1, _, a, b, rest @ ..] => (u16::from_le_bytes([*a, *b]).into(), rest),
        [2 | 3, _, a, b, c, d, rest @ ..] => (u32::from_le_bytes([*a, *b, *c, *d]), rest),
        [major, ..] if *major > 3 => {
            return Err(format!("version {major} of the format is not known").into());
        }
        _ => return Err(cut()),
    };
    let length = usize::try_from(length).map_err(|_| cut())?;
    if length > LONGEST {
        return Err(format!("its header has {length} bytes, and at most {LONGEST} are read").into());
    }
    // The file may be written meanwhile: what is parsed is a copy.
    let header = rest.get(..length).ok_or_else(cut)?.to_vec();
    let header = String::from_utf8(header).map_err(|_| "the header is not text")?;
    let header = Dict::read(&header).ok_or_else(|| {
        let help = "numpy writes `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`";
        let what = format!("the header cannot be read: `{}`", Visible(header.trim()));
        Message::from(what).with_help(help)
    })?;
    if header.dims.len() > MOST_DIMS {
        return Err(
            format!("the array has more than {MOST_DIMS} dimensions, which are not read").into()
        );
    }
    let dtype = Dtype::of_numpy(header.descr).ok_or_else(|| {
        let descr = Visible(header.descr);
        let what = format!("arrays of `{descr}` are not converted: an element is one number");
        let help = "save each field as an array of its own, and objects as numbers";
        Message::from(what).with_help(help)
    })?;
    let data = rest.len() - length;
    let start = bytes.len() - data;
    let needed = bytes_of(&header.dims, dtype.bits())
        .ok_or("the array has more bytes than can be counted")?;
    if needed != data as u64 {
        let what = format!(
            "the array has {needed} bytes and the file holds {data} of them: it is cut off, or longer than its array"
        );
        return Err(cut_off(what));
    }
    let tensor = Tensor {
        name: name.to_owned(),
        dtype,
        // Of one dimension both orders are the same.
        is_column_major: header.is_column_major && header.dims.len() > 1,
        dims: header.dims,
        range: start..bytes.len(),
    };
    Ok(Contents { tensors: vec![tensor], ..Contents::default() })
}

struct Dict<'a> {
    descr: &'a str,
    is_column_major: bool,
    dims: Vec<u64>,
}

impl<'a> Dict<'a> {
    /// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }`. The keys stand in any order, and each is
    /// needed.
    fn read(text: &'a str) -> Option<Dict<'a>> {
        let (mut descr, mut order, mut dims) = (None, None, None);
        let mut rest = text.trim().strip_prefix('{')?.strip_suffix('}')?.trim();
        while !rest.is_empty() {
            let (key, after) = quoted(rest)?;
            let after = after.trim_start().strip_prefix(':')?.trim_start();
            rest = match key {
                "descr" if after.starts_with(['\'', '"']) => {
                    let (value, after) = quoted(after)?;
                    descr = Some(value);
                    after
                }
                // Fields of records.
                "descr" => {
                    let end = after.find(']')? + 1;
                    descr = Some(&after[..end]);
                    after.get(end..)?
                }
                "fortran_order" => {
                    let (value, after) = match after.strip_prefix("True") {
                        Some(after) => (true, after),
                        None => (false, after.strip_prefix("False")?),
                    };
                    order = Some(value);
                    after
                }
                "shape" => {
                    let (list, after) = after.strip_prefix('(')?.split_once(')')?;
                    let sizes = list.split(',').map(str::trim).filter(|size| !size.is_empty());
                    // Python 2 wrote `4L`.
                    let sizes = sizes.take(MOST_DIMS + 1);
                    dims = Some(
                        sizes
                            .map(|size| size.strip_suffix('L').unwrap_or(size).parse().ok())
                            .collect::<Option<_>>()?,
                    );
                    after
                }
                _ => return None,
            };
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(',') {
                rest = after.trim_start();
            } else if !rest.is_empty() {
                return None;
            }
        }
        Some(Dict { descr: descr?, is_column_major: order?, dims: dims? })
    }
}

/// A text between quotes, and what follows it.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let quote = text.chars().next().filter(|c| matches!(c, '\'' | '"'))?;
    text[1..].split_once(quote)
}

/// The header, byte for byte as numpy 1.23 and later write it.
pub(super) fn header(tensor: &TensorHeader) -> Result<Vec<u8>, Message> {
    let descr = tensor.dtype.numpy();
    let descr = descr.ok_or_else(|| format!("no element type `{}`", tensor.dtype))?;
    let order = if tensor.is_column_major { "True" } else { "False" };
    let sizes = tensor.dims.iter().map(u64::to_string).collect::<Vec<_>>();
    let shape = match &sizes[..] {
        [one] => format!("({one},)"),
        _ => format!("({})", sizes.join(", ")),
    };
    let mut text = format!("{{'descr': '{descr}', 'fortran_order': {order}, 'shape': {shape}, }}");
    let growing = if tensor.is_column_major { sizes.last() } else { sizes.first() };
    if let Some(size) = growing {
        text.push_str(&" ".repeat(GROWTH_DIGITS - size.len()));
    }
    let before = MAGIC.len() + 4;
    let whole = (before + text.len() + 1).next_multiple_of(ALIGNMENT);
    let length = u16::try_from(whole - before).map_err(|_| "too many dimensions")?;
    text.push_str(&" ".repeat(whole - before - 1 - text.len()));
    text.push('\n');
    let mut header = [MAGIC, &[1, 0], &length.to_le_bytes()].concat();
    header.extend(text.into_bytes());
    Ok(header)
}
