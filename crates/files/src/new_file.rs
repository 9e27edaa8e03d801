//! Arrays of a program as a file.
#![allow(clippy::unnecessary_cast, reason = "`Size` is another type on 32-bit targets")]

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write as _;
use std::ops::Deref;
use std::path::Path;

use bytemuck::{NoUninit, cast_slice};
use layout::dynamic::{DynBits, DynLayout};
use layout::memory::{Aligned, Narrow, Packed};
use layout::{AnyLayout, Memory, WithDims};
use layout_core::{ArrayShape, ElementType, Message, Size, Visible};

use crate::conversion::copy::LayoutCopy;
use crate::conversion::{TensorPlan, arrange, stored};
use crate::error::{Error, ErrorKind};
use crate::format::{Format, TensorHeader, bytes_of};
use crate::sidecar::{Form, Record, Sidecar};
use crate::target::output::Output;
use crate::tensor::Tensor;
use crate::tensor::dtype::Dtype;

/// An array in memory: its layout and its bytes, in this machine's order.
pub trait ArrayMemory {
    /// The shape with its layout.
    fn shape(&self) -> ArrayShape;

    /// The memory of the array: all bytes that the layout takes, padding included.
    fn bytes(&self) -> &[u8];
}

macro_rules! array_memory {
    ($([$($of:tt)*] $place:ty, $storage:ty: $bytes:ident;)*) => {$(
        impl<$($of)*> ArrayMemory for Memory<$place, $storage> {
            fn shape(&self) -> ArrayShape {
                ArrayShape::clone(&self.layout().shape())
            }

            fn bytes(&self) -> &[u8] {
                cast_slice(self.$bytes())
            }
        }
    )*};
}

// Each by its name: packed elements with the first one of a byte in its high bits are none of a file's.
array_memory! {
    [L: AnyLayout, T: NoUninit] WithDims<L>, &[T]: as_slice;
    [L: AnyLayout, T: NoUninit] WithDims<L>, &mut [T]: as_slice;
    [L: AnyLayout, T: NoUninit] WithDims<L>, Aligned<T>: as_slice;
    [L: AnyLayout, B: Deref<Target = [u8]>] WithDims<L>, Packed<B, Narrow<L>>: as_bytes;
    [T: NoUninit] DynLayout, &[T]: as_slice;
    [T: NoUninit] DynLayout, &mut [T]: as_slice;
    [T: NoUninit] DynLayout, Aligned<T>: as_slice;
    [B: Deref<Target = [u8]>] DynLayout, DynBits<B>: as_bytes;
}

/// Arrays of a program, to be written to a file: `.npy`, `.safetensors` or raw.
///
/// # Examples
/// ```
/// use layout::dynamic::DynLayout;
/// use layout::{Buffer, layout};
/// use layout_files::{Conversion, Format, NewFile, Share, TensorFile};
///
/// # let folder = std::env::temp_dir().join(format!("layout-new-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let [path, back] = ["new.safetensors", "back.safetensors"].map(|name| folder.join(name));
/// let weights = Buffer::<layout!(F32[3,5]{1,0:T(2,2)})>::from_fn(|[i, j]| (5 * i + j) as f32);
/// let bias = DynLayout::new(&"bf16[300]{0:T(256)(128)(2,1)}".parse()?)?.filled(0x3f80_u16)?;
/// NewFile::new().add("weights", &weights).add_in_layout("bias", &bias).write(&path)?;
///
/// let file = TensorFile::open(&path)?;
/// let [weights, bias] = ["weights", "bias"].map(|name| file.tensor(name).unwrap());
/// // Any program reads it: `weights` as the array, `bias` as its tiles.
/// assert_eq!((weights.dims(), bias.dims()), (&[3, 5][..], &[2, 1, 128, 2, 1][..]));
/// assert_eq!(file.bytes(weights)?[4..8], 1_f32.to_le_bytes());
///
/// // The record says the layout, and what the array is without it.
/// assert_eq!(file.layout(bias)?.to_string(), "bf16[300]{0:T(256)(128)(2,1)}");
/// Conversion::back(&file, Format::Safetensors)?.write(&back, Share::WHOLE, &mut |_| ())?;
/// assert_eq!(TensorFile::open(&back)?.tensor("bias").unwrap().dims(), [300]);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct NewFile<'a> {
    arrays: Vec<NewTensor<'a>>,
    metadata: BTreeMap<String, String>,
}

#[derive(Debug)]
struct NewTensor<'a> {
    name: String,
    shape: ArrayShape,
    /// In the order of files.
    bytes: Cow<'a, [u8]>,
    keeps_layout: bool,
}

/// A tensor as it will be in the file.
struct NewBytes<'a> {
    tensor: Tensor,
    stored: TensorHeader,
    record: Option<Record>,
    /// What it is before the conversion that would have made it.
    before: Option<Record>,
    bytes: Cow<'a, [u8]>,
}

impl<'a> NewFile<'a> {
    /// A file of nothing yet.
    pub fn new() -> NewFile<'a> {
        NewFile::default()
    }

    /// Adds an array, which will be row-major: what any reader of the format expects. Elements narrower than a byte stay
    /// packed, but of `PRED` each becomes a byte, as numpy has them. `.npy` and raw files have one array, and leave its name
    /// out.
    pub fn add(&mut self, name: &str, array: &'a impl ArrayMemory) -> &mut NewFile<'a> {
        self.push(name, array, false)
    }

    /// Adds an array in its own layout: the bytes of its memory, padding included. It has the dimensions that it has in
    /// memory, and the record that a conversion from row-major order would have written: [`TensorFile::layout`] gives the
    /// layout, [`Conversion::back`] the row-major array.
    ///
    /// [`TensorFile::layout`]: crate::TensorFile::layout
    /// [`Conversion::back`]: crate::Conversion::back
    pub fn add_in_layout(&mut self, name: &str, array: &'a impl ArrayMemory) -> &mut NewFile<'a> {
        self.push(name, array, true)
    }

    /// Adds a text: of safetensors the file has it, of other formats the record.
    pub fn metadata(&mut self, key: &str, text: &str) -> &mut NewFile<'a> {
        self.metadata.insert(key.to_owned(), text.to_owned());
        self
    }

    fn push(
        &mut self,
        name: &str,
        array: &'a impl ArrayMemory,
        keeps_layout: bool,
    ) -> &mut NewFile<'a> {
        let shape = array.shape();
        let bytes = little_endian(array.bytes(), &shape);
        self.arrays.push(NewTensor { name: name.to_owned(), shape, bytes, keeps_layout });
        self
    }

    /// Writes the file, in the format of its extension, and its record if it needs one. Like
    /// [`Conversion::write`](crate::Conversion::write), this writes the whole file or leaves the old one.
    ///
    /// An element type that the format has no name for is stored as bytes in one dimension, and the record says what it is.
    /// An array that is not row-major is copied in memory, one at a time.
    ///
    /// # Errors
    /// If the format holds one array and there are others, or cannot hold one of these; if two have one name; if an array's
    /// layout cannot be copied to row-major order; if the file cannot be written.
    pub fn write(&self, path: impl AsRef<Path>) -> Result<(), Error> {
        let path = path.as_ref();
        let format = Format::of_path(path);
        let fault = |kind| Error::new(path, kind);
        let count = self.arrays.len();
        if format.has_one_tensor() && count != 1 {
            let what = format!("such a file holds one array, and {count} are to be written");
            let help = "name it `.safetensors`, or write a file for each";
            return Err(Error::unsupported(path, Message::from(what).with_help(help)));
        }
        let mut names = self.arrays.iter().map(|array| &array.name).collect::<Vec<_>>();
        names.sort_unstable();
        if let Some(pair) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            let what = format!("two arrays are called `{}`", Visible(pair[0]));
            let help = "give each a name of its own";
            return Err(Error::unsupported(path, Message::from(what).with_help(help)));
        }
        let made = self
            .arrays
            .iter()
            .map(|array| array.made(format).map_err(|kind| Error::new(path, kind).of(&array.name)));
        let made = made.collect::<Result<Vec<_>, Error>>()?;
        let sidecar = self.sidecar(format, &made);
        let planned = made.iter().map(|NewBytes { tensor, stored, .. }| TensorPlan {
            tensor,
            copy: None,
            stored: stored.clone(),
            start: 0,
            is_truncated: false,
        });
        let mut planned = planned.collect::<Vec<_>>();
        let (header, bytes) =
            arrange(format, &mut planned, &self.metadata, sidecar.as_ref()).map_err(fault)?;
        let output = Output::new(path, |_| false)?;
        let io = Error::io(output.target.temporary());
        let mut file = output.target.file();
        file.write_all(&header).map_err(&io)?;
        for planned in &planned {
            let own = made.iter().find(|made| std::ptr::eq(&made.tensor, planned.tensor));
            file.write_all(own.map_or(&[][..], |made| &made.bytes)).map_err(&io)?;
        }
        drop(io);
        output.finish(sidecar, bytes)
    }

    fn sidecar(&self, format: Format, made: &[NewBytes<'_>]) -> Option<Sidecar> {
        let of = |record: fn(&NewBytes<'_>) -> Option<Record>| {
            let records =
                made.iter().filter_map(|made| Some((made.tensor.name.clone(), record(made)?)));
            records.collect::<BTreeMap<_, _>>()
        };
        let step = of(|made| made.before.clone());
        let sidecar = Sidecar {
            tensors: of(|made| made.record.clone()),
            steps: if step.is_empty() { Vec::new() } else { vec![step] },
            metadata: match format {
                Format::Safetensors => BTreeMap::new(),
                _ => self.metadata.clone(),
            },
            is_named: !format.has_one_tensor(),
        };
        (!sidecar.is_empty()).then_some(sidecar)
    }
}

impl NewTensor<'_> {
    fn made(&self, format: Format) -> Result<NewBytes<'_>, ErrorKind> {
        let NewTensor { name, shape, bytes, .. } = self;
        let [needed, given] = [shape.bytes().map_or(0, |bytes| bytes as usize), bytes.len()];
        if needed != given {
            let (shape, [layout, tensor]) = (shape.to_string(), [needed as u64, given as u64]);
            return Err(ErrorKind::Bytes { shape, layout, tensor });
        }
        let sizes = shape.dims().iter().map(|dim| dim.size().unwrap_or(0)).collect::<Vec<_>>();
        let fault = |fault: &dyn Display| ErrorKind::Layout(Message::new(fault));
        let [shape, row_major] = without_bounds(shape, &sizes).map_err(|error| fault(&error))?;
        let row_major = row_major.with_packed_elements(shape.element_bits() < 8);
        let row_major = row_major.map_err(|error| fault(&error))?;
        let layout = if self.keeps_layout { shape } else { row_major };
        let bytes = match layout == shape {
            true => Cow::Borrowed(&**bytes),
            false => Cow::Owned(copied(&shape, &layout, bytes)?),
        };
        let own = Dtype::Element(shape.element_type());
        let tensor = Tensor {
            name: name.clone(),
            dtype: own,
            dims: sizes.iter().map(|&size| size as u64).collect(),
            is_column_major: false,
            range: 0..bytes.len(),
        };
        let stored = stored(&tensor, format, &layout, None, bytes.len() as u64);
        let read = format.reads(&stored.dtype).unwrap_or_else(|| stored.dtype.clone());
        let now = Form::new(read, stored.dims.clone(), stored.is_column_major, &layout);
        let plain = plain(&tensor, &row_major);
        let is_moved = layout != row_major;
        let lost = (!is_moved && plain != now).then(|| plain.clone());
        let is_said = tensor_says(&now, &layout);
        let record = (is_moved || lost.is_some() || !is_said).then(|| Record::new(now, lost));
        let before = is_moved.then(|| Record::new(plain, None));
        Ok(NewBytes { tensor, stored, record, before, bytes })
    }
}

/// The array with as many elements as its bounds say, which is what a file has of it, and the same one without a layout.
fn without_bounds(
    shape: &ArrayShape,
    sizes: &[Size],
) -> Result<[ArrayShape; 2], layout_core::Error> {
    let dims = sizes.iter().map(|&size| size.to_string()).collect::<Vec<_>>().join(",");
    let plain = format!("{}[{dims}]", shape.element_type()).parse::<ArrayShape>()?;
    let own = match shape.to_string().split_once('{') {
        Some((_, layout)) => plain.with_layout_text(&format!("{{{layout}"))?,
        None => plain,
    };
    Ok([own, plain])
}

/// What the row-major array is where a format can hold that: its own element type and dimensions; or bytes, if it packs
/// elements of a type that formats hold otherwise.
fn plain(tensor: &Tensor, row_major: &ArrayShape) -> Form {
    let Tensor { dtype, dims, .. } = tensor;
    let bytes = row_major.bytes().map_or(0, |bytes| bytes as u64);
    let has_name =
        [Format::Npy, Format::Safetensors].iter().any(|format| format.reads(dtype).is_some());
    if has_name && bytes_of(dims, dtype.bits()) != Some(bytes) {
        return Form::new(Dtype::Element(ElementType::U8), vec![bytes], false, row_major);
    }
    Form::new(dtype.clone(), dims.clone(), false, row_major)
}

/// Whether the header of a file says the layout.
fn tensor_says(now: &Form, layout: &ArrayShape) -> bool {
    let tensor = Tensor {
        name: String::new(),
        dtype: now.dtype.clone(),
        dims: now.shape.clone(),
        is_column_major: now.fortran_order,
        range: 0..0,
    };
    tensor.layout().is_ok_and(|said| said == *layout)
}

fn copied(from: &ArrayShape, to: &ArrayShape, bytes: &[u8]) -> Result<Vec<u8>, ErrorKind> {
    let copy = LayoutCopy::new(&[*from, *to])?;
    let mut copied = vec![0; copy.bytes()[1] as usize];
    for part in copy.parts() {
        let made = copy.make(part.clone(), bytes, &mut copied[part]);
        made.map_err(|error| ErrorKind::Layout(Message::new(error)))?;
    }
    Ok(copied)
}

/// The bytes in the order of files.
fn little_endian<'a>(bytes: &'a [u8], shape: &ArrayShape) -> Cow<'a, [u8]> {
    let parts = match shape.element_type() {
        ElementType::C64 | ElementType::C128 => 2,
        _ => 1,
    };
    let number = shape.element_bits() as usize / 8 / parts;
    if cfg!(target_endian = "little") || number < 2 {
        return Cow::Borrowed(bytes);
    }
    let numbers = bytes.chunks(number).flat_map(|number| number.iter().rev());
    Cow::Owned(numbers.copied().collect())
}
