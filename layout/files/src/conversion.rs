//! What a conversion writes: decided before anything is written.

mod check;
mod write;

use std::collections::BTreeMap;

use layout::{ArrayShape, ElementType, Relayout};

use crate::change::Change;
use crate::dtype::Dtype;
use crate::error::{Error, ErrorKind};
use crate::format::{Format, Stored, bytes_of};
use crate::sidecar::{KEY, Record, Sidecar};
use crate::tensor::Tensor;
use crate::tensor_file::TensorFile;

/// The conversion of a file: other layouts for some of its tensors, another format, or both.
///
/// Making one reads no tensor and finds every fault that does not lie in the bytes. Its size is known before anything
/// is written.
///
/// # Examples
/// ```
/// use layout_files::{Change, Conversion, Format, Share, TensorFile};
///
/// # let folder = std::env::temp_dir().join(format!("layout-conversion-doc-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// let [rows, tiles] = ["rows.bin", "tiles.bin"].map(|name| folder.join(name));
/// std::fs::write(&rows, (0..15).collect::<Vec<u8>>())?;
///
/// let file = TensorFile::open(&rows)?;
/// let change = Change::new("u8[3,5]".parse()?, "u8[3,5]{1,0:T(2,2)}".parse()?);
/// let conversion = Conversion::new(&file, Format::Raw, |_| Ok(Some(change.clone())))?;
/// assert_eq!(conversion.bytes(), 24);
/// conversion.write(&tiles, Share::WHOLE, &mut |_| ())?;
/// assert_eq!(std::fs::read(&tiles)?[..10], [0, 1, 5, 6, 2, 3, 7, 8, 4, 0]);
///
/// // The sidecar says what the way back is.
/// let tiles = TensorFile::open(&tiles)?;
/// let back = folder.join("back.bin");
/// Conversion::back(&tiles, Format::Raw)?.write(&back, Share::WHOLE, &mut |_| ())?;
/// assert_eq!(std::fs::read(&back)?, std::fs::read(&rows)?);
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Conversion<'a> {
    source: &'a TensorFile,
    header: Vec<u8>,
    tensors: Vec<Planned<'a>>,
    /// Bytes of the file.
    bytes: u64,
    sidecar: Option<Sidecar>,
}

/// A tensor with its place in the new file.
#[derive(Debug)]
struct Planned<'a> {
    tensor: &'a Tensor,
    /// The layouts, if elements move.
    layouts: Option<[ArrayShape; 2]>,
    stored: Stored,
    /// Where it begins in the file.
    start: u64,
}

impl<'a> Conversion<'a> {
    /// Plans the conversion of a file to a format. `change` says for each tensor what becomes of it; without a change
    /// it is copied. A file of one tensor (`.npy`, raw) takes the one that is changed.
    ///
    /// # Errors
    /// If a layout does not go with its tensor, if there is no copy between two layouts, or if the format cannot hold
    /// what it should.
    pub fn new(
        source: &'a TensorFile,
        format: Format,
        mut change: impl FnMut(&Tensor) -> Result<Option<Change>, Error>,
    ) -> Result<Conversion<'a>, Error> {
        let fault = |kind| Error::new(source.path(), kind);
        let (mut records, mut undone) = (BTreeMap::new(), Vec::new());
        let mut tensors = Vec::<Planned<'_>>::new();
        let is_alone = source.tensors().len() == 1;
        for tensor in source.tensors() {
            let change = match change(tensor)? {
                // These files have no other order.
                None if tensor.is_column_major && format == Format::Safetensors => {
                    Some(row_major(tensor).map_err(|why| fault(ErrorKind::Layout(why)))?)
                }
                None if format.has_one_tensor() && !is_alone => continue,
                change => change,
            };
            let planned = planned(tensor, format, change.as_ref());
            let planned = planned.map_err(|kind| fault(kind).of(tensor.name()))?;
            match change {
                Some(change) if change.undone.is_some() => undone.push(tensor.name.clone()),
                Some(change) if change.from != change.to => {
                    let Change { from: before, to: after, .. } = change;
                    let Tensor { name, dtype, dims: shape, .. } = tensor.clone();
                    records.insert(name, Record { dtype, shape, before, after });
                }
                _ => {}
            }
            tensors.push(planned);
        }
        if format.has_one_tensor() && tensors.len() != 1 {
            let count = tensors.len();
            let what = format!(
                "the target holds one tensor, and {count} are to be written\n  = help: `--tensor NAME` chooses one, or name the target `.safetensors`"
            );
            return Err(fault(ErrorKind::Unsupported(what)));
        }
        let is_written = |name: &str| tensors.iter().any(|planned| planned.tensor.name == name);
        let previous = source.sidecar().cloned().and_then(|sidecar| sidecar.without(&undone));
        let sidecar = Sidecar { tensors: records, previous: previous.map(Box::new) };
        let sidecar = sidecar.only(&is_written);
        let mut metadata = source.metadata().clone();
        if let Some(text) = sidecar.as_ref().and_then(|sidecar| serde_json::to_string(sidecar).ok())
        {
            metadata.insert(KEY.to_owned(), text);
        }
        let stored = tensors.iter().map(|planned| planned.stored.clone()).collect::<Vec<_>>();
        let header = format.header(&stored, &metadata);
        let header = header.map_err(|what| fault(ErrorKind::Unsupported(what)))?;
        let mut bytes = header.len() as u64;
        for planned in &mut tensors {
            planned.start = bytes;
            bytes += planned.stored.bytes;
        }
        Ok(Conversion { source, header, tensors, bytes, sidecar })
    }

    /// Plans to undo the conversion that made the file, as its sidecar says; without one, only the format changes.
    ///
    /// # Errors
    /// As [`Conversion::new`].
    pub fn back(source: &'a TensorFile, format: Format) -> Result<Conversion<'a>, Error> {
        Conversion::new(source, format, |tensor| Ok(source.undo(tensor)))
    }

    /// Bytes of the new file.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What will be recorded; nothing if no tensor differs from what the new file's format says.
    pub const fn sidecar(&self) -> Option<&Sidecar> {
        self.sidecar.as_ref()
    }
}

fn row_major(tensor: &Tensor) -> Result<Change, String> {
    let from = tensor.layout()?;
    let to = from.with_default_order().map_err(|fault| fault.to_string())?;
    Ok(Change::new(from, to))
}

fn planned<'a>(
    tensor: &'a Tensor,
    format: Format,
    change: Option<&Change>,
) -> Result<Planned<'a>, ErrorKind> {
    let Some(change) = change else {
        let Tensor { name, dtype, dims, is_column_major, .. } = tensor.clone();
        if !format.has(&dtype) {
            return Err(ErrorKind::Unsupported(format!(
                "the target has no element type `{dtype}`\n  = help: `--from` says what the elements are, as in `--from 'bf16[300,500]'`"
            )));
        }
        let stored = Stored { name, dtype, dims, is_column_major, bytes: tensor.bytes() };
        return Ok(Planned { tensor, layouts: None, stored, start: 0 });
    };
    let Change { from, to, .. } = change;
    let element = from.element_type();
    if change.undone.is_none() && !tensor.dtype.can_carry(element) {
        return Err(ErrorKind::Layout(format!(
            "it has elements of type `{}`, and the layout those of type `{element}`",
            tensor.dtype
        )));
    }
    let relayout = Relayout::new(from, to).map_err(ErrorKind::Plan)?;
    let layout = relayout.source_bytes() as u64;
    if layout != tensor.bytes() {
        return Err(ErrorKind::Bytes { layout, tensor: tensor.bytes() });
    }
    let stored = stored(tensor, format, change, relayout.destination_bytes() as u64);
    let layouts = (from != to).then_some([*from, *to]);
    Ok(Planned { tensor, layouts, stored, start: 0 })
}

/// How a tensor is stored in its new layout. What reads the format sees the array in memory, tiles and padding too:
/// `f32[300,500]{1,0:T(8,128)}` has the dimensions `[38, 4, 8, 128]`. Elements that the format has no type for, packed
/// ones above all, are numbers of the tensor's own type if that carries them, else bytes, in one dimension.
fn stored(tensor: &Tensor, format: Format, change: &Change, bytes: u64) -> Stored {
    let to = &change.to;
    let is_column_major = format == Format::Npy && is_column_major(to);
    let of = |dtype, dims, is_column_major| {
        let name = tensor.name.clone();
        Stored { name, dtype, dims, is_column_major, bytes }
    };
    if let Some(Record { dtype, shape: dims, .. }) = &change.undone
        && format.has(dtype)
    {
        return of(dtype.clone(), dims.clone(), is_column_major);
    }
    let own = Dtype::Element(to.element_type());
    if to.element_bits() as u64 == own.bits() && format.has(&own) {
        let dims = match is_column_major {
            true => to.dims().iter().filter_map(|dim| dim.size()).collect::<Vec<_>>(),
            false => to.physical_dims().map(|dims| dims.as_slice().to_vec()).unwrap_or_default(),
        };
        let flat = vec![to.padded_elements().unwrap_or(0)];
        for dims in [dims, flat] {
            let dims = dims.into_iter().map(|dim| dim as u64).collect::<Vec<_>>();
            if bytes_of(&dims, own.bits()) == Some(bytes) {
                return of(own, dims, is_column_major);
            }
        }
    }
    let width = tensor.dtype.bits() / 8;
    let is_carried = tensor.dtype.element().is_some_and(|element| element != to.element_type());
    let dtype =
        match is_carried && width > 0 && bytes.is_multiple_of(width) && format.has(&tensor.dtype) {
            true => tensor.dtype.clone(),
            false => Dtype::Element(ElementType::U8),
        };
    let dims = vec![bytes / (dtype.bits() / 8)];
    of(dtype, dims, false)
}

/// Whether numpy's `fortran_order` says all of the layout.
fn is_column_major(shape: &ArrayShape) -> bool {
    let order = (0..shape.rank()).collect::<Vec<_>>();
    let plain = shape.without_layout().and_then(|plain| plain.with_minor_to_major(&order));
    shape.rank() > 1 && plain.is_ok_and(|plain| plain == *shape)
}
