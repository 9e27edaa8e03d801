//! What a conversion writes: decided before anything is written.

mod arrange;
mod check;
pub(crate) mod copy;
mod places;
mod recording;
mod write;

use std::collections::HashMap;
use std::sync::Arc;

use layout_core::{ArrayShape, ElementType, Message};

pub(crate) use self::arrange::arrange;
pub use self::check::{Check, Coverage};
use crate::conversion::copy::LayoutCopy;
use crate::conversion::recording::Recording;
use crate::error::{Error, ErrorKind};
use crate::format::{Format, TensorHeader, bytes_of};
use crate::sidecar::change::{Change, ChangeKind};
use crate::sidecar::{Form, Record, Sidecar};
use crate::tensor::Tensor;
use crate::tensor::dtype::Dtype;
use crate::tensor_file::TensorFile;

/// The most that a record can multiply the bytes of a file by: a tile of `T(8,128)(4,1)` for one element.
/// Without a limit, a few bytes that someone wrote would fill a disk.
const MOST_EXPANSION: u64 = 4096;
/// Bytes that it may have in any case.
const ALWAYS_BELIEVED: u64 = 16 << 20;

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
    format: Format,
    header: Vec<u8>,
    tensors: Vec<TensorPlan<'a>>,
    /// Bytes of the file.
    bytes: u64,
    sidecar: Option<Sidecar>,
}

/// The change of a tensor in a conversion.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct TensorChange<'a> {
    /// The tensor as it is.
    pub tensor: &'a Tensor,
    /// Its layouts before and after, if elements move.
    pub layouts: Option<[&'a ArrayShape; 2]>,
    /// Its bytes in the new file.
    pub bytes: u64,
}

/// A tensor with its place in the new file.
#[derive(Debug)]
pub(crate) struct TensorPlan<'a> {
    pub(crate) tensor: &'a Tensor,
    /// The copy between two layouts, if elements move.
    pub(crate) copy: Option<Arc<LayoutCopy>>,
    pub(crate) stored: TensorHeader,
    /// Where it begins in the file.
    pub(crate) start: u64,
    pub(crate) is_truncated: bool,
}

impl TensorPlan<'_> {
    /// Where it ends in the file.
    const fn end(&self) -> u64 {
        self.start + self.stored.bytes
    }
}

/// Each pair of layouts once: files have many tensors and few shapes.
type Copies = HashMap<[ArrayShape; 2], Arc<LayoutCopy>>;

fn copy(copies: &mut Copies, layouts: [ArrayShape; 2]) -> Result<Arc<LayoutCopy>, ErrorKind> {
    if let Some(known) = copies.get(&layouts) {
        return Ok(Arc::clone(known));
    }
    let copy = Arc::new(LayoutCopy::new(&layouts)?);
    copies.insert(layouts, Arc::clone(&copy));
    Ok(copy)
}

impl<'a> Conversion<'a> {
    /// Plans the conversion of a file to a format. `change` says for each tensor what becomes of it. For `None` the tensor is
    /// copied; but if the new file can hold only one tensor (`.npy`, raw) and this one has several, it is left out.
    ///
    /// # Errors
    /// If a layout does not fit its tensor, if the library cannot copy between two layouts, or if the format cannot hold
    /// a tensor: [`Error::with_target`] then gives the error the target's path.
    pub fn new(
        source: &'a TensorFile,
        format: Format,
        mut change: impl FnMut(&Tensor) -> Result<Option<Change>, Error>,
    ) -> Result<Conversion<'a>, Error> {
        let fault = |kind| match kind {
            // It is the target that cannot hold something.
            ErrorKind::Unsupported(_) | ErrorKind::ElementType(_) | ErrorKind::Choice(_) => {
                Error::of_target(kind)
            }
            _ => Error::new(source.path(), kind),
        };
        let (mut tensors, mut copies) = (Vec::<TensorPlan<'_>>::new(), Copies::new());
        let mut record = Recording::new(source, format);
        let is_alone = source.tensors().len() == 1;
        for tensor in source.tensors() {
            let fault = |kind| fault(kind).of(tensor.name());
            let change = change(tensor)?;
            if change.is_none() && format.has_one_tensor() && !is_alone {
                continue;
            }
            let change = change.unwrap_or(Change::NONE);
            let planned = planned(&mut record, tensor, format, change, &mut copies);
            tensors.push(planned.map_err(fault)?);
        }
        if format.has_one_tensor() && tensors.len() != 1 {
            let count = tensors.len();
            let what = format!("the target holds one tensor, and {count} are to be written");
            let help = "choose one, or name the target `.safetensors`";
            return Err(fault(ErrorKind::Choice(Message::from(what).with_help(help))));
        }
        let is_believed = record.is_believed;
        let sidecar = record.finish();
        let metadata = source.metadata();
        let arranged = arrange(format, &mut tensors, metadata, sidecar.as_ref());
        let (header, bytes) = arranged.map_err(fault)?;
        let most = source.len().saturating_mul(MOST_EXPANSION).saturating_add(ALWAYS_BELIEVED);
        if is_believed && bytes > most {
            let what = format!(
                "its record says layouts of {bytes} bytes, and the file has {}: a record is believed up to {most}",
                source.len()
            );
            let help = "restore the record; or, if it is right, say the layouts";
            return Err(fault(ErrorKind::Record(Message::from(what).with_help(help))));
        }
        Ok(Conversion { source, format, header, tensors, bytes, sidecar })
    }

    /// Plans to undo the newest conversion that was not undone, as the file's sidecar says. Without one, only the format
    /// changes.
    ///
    /// # Errors
    /// Those of [`Conversion::new`].
    pub fn back(source: &'a TensorFile, format: Format) -> Result<Conversion<'a>, Error> {
        let mut changes = source.undo(|_| true)?;
        Conversion::new(source, format, |tensor| {
            Ok(Some(changes.remove(tensor.name()).unwrap_or(Change::NONE)))
        })
    }

    /// Whether the new file would equal the source: it has the same format, no element moves, and the record is the same.
    pub fn is_idle(&self) -> bool {
        self.format == self.source.format()
            && self.tensors.len() == self.source.tensors().len()
            && self.tensors.iter().all(|planned| planned.copy.is_none())
            && self.sidecar() == self.source.sidecar()
    }

    /// The change of each tensor, in the order of the new file.
    pub fn tensors(&self) -> impl Iterator<Item = TensorChange<'_>> {
        self.tensors.iter().map(|planned| TensorChange {
            tensor: planned.tensor,
            layouts: planned.copy.as_ref().map(|copy| copy.layouts()),
            bytes: planned.stored.bytes,
        })
    }

    /// Bytes of the new file.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The record of the new file; `None` if the file describes all of its tensors, and no conversion is left to undo.
    pub const fn sidecar(&self) -> Option<&Sidecar> {
        self.sidecar.as_ref()
    }
}

/// Checks that a layout given for a tensor has its dimensions, or that the format would store the array with them.
fn agrees(tensor: &Tensor, format: Format, from: &ArrayShape) -> Result<(), ErrorKind> {
    let Tensor { dtype, dims, is_column_major, .. } = tensor;
    let sizes = from.dims().iter().map(|dim| dim.size().unwrap_or(0) as u64);
    if *dtype != Dtype::Element(from.element_type()) || sizes.eq(dims.iter().copied()) {
        return Ok(());
    }
    if from.bytes().is_some_and(|bytes| bytes as u64 == tensor.bytes()) {
        let form = stored(tensor, format, from, None, tensor.bytes());
        if (&form.dims, form.is_column_major) == (dims, *is_column_major) {
            return Ok(());
        }
    }
    let sizes = dims.iter().map(u64::to_string).collect::<Vec<_>>().join(",");
    let what = format!("`{from}` has other dimensions than the tensor, {dims:?}");
    let help = format!(
        "write those of the tensor, as in `{dtype}[{sizes}]`; a shape with tiles may also be the one whose tiles in memory have them"
    );
    Err(ErrorKind::Layout(Message::from(what).with_help(help)))
}

/// What is written of a tensor. It is recorded.
fn planned<'a>(
    record: &mut Recording<'a>,
    tensor: &'a Tensor,
    format: Format,
    Change { kind, is_truncated }: Change,
    copies: &mut Copies,
) -> Result<TensorPlan<'a>, ErrorKind> {
    let source = record.source;
    let Tensor { dtype, dims, is_column_major: is_column, .. } = tensor;
    // What was written anew has no record any more.
    let known = source.record(tensor).ok().flatten();
    let plain = |layout: &ArrayShape| {
        Record::new(Form::new(dtype.clone(), dims.clone(), *is_column, layout), None)
    };
    let (from, before) = match (&kind, known) {
        (ChangeKind::Layouts(layouts), None) => (layouts[0], plain(&layouts[0])),
        (ChangeKind::Layouts(layouts), Some(known)) => (layouts[0], known.clone()),
        (_, Some(known)) => (known.now.layout(), known.clone()),
        (_, None) if format.reads(dtype).is_none() => {
            return Err(ErrorKind::ElementType(dtype.refused(format!(
                "the target has no element type `{dtype}`, but `.npy` has those of numpy, and a raw file any"
            ))));
        }
        (_, None) => {
            // Elements that layouts do not have are bytes.
            let own = tensor.layout().or_else(|_| tensor.as_bytes().layout());
            let own = own.map_err(ErrorKind::Source)?;
            (own, plain(&own))
        }
    };
    // The tensor that the new one shall be, in which layout its bytes are made, and which one they have then: a user
    // may have read the bytes of one array as those of another one.
    let (wanted, mut to, other) = match &kind {
        ChangeKind::Copy => (Some(before.form()), before.form().layout(), None),
        ChangeKind::Layouts(layouts) => (None, layouts[1], None),
        ChangeKind::Undo(_, undone) => match undone.other_layout() {
            None => (Some(undone.form()), undone.form().layout(), None),
            Some(to) => (Some(&undone.now), to, Some(undone.now.layout())),
        },
    };
    if wanted.is_none() {
        let element = from.element_type();
        if !dtype.can_carry(element) {
            return Err(ErrorKind::Layout(match dtype {
                Dtype::Other { .. } => dtype.no_layout(),
                Dtype::Element(_) => {
                    let what = format!(
                        "it has elements of type `{dtype}`, and the layout those of type `{element}`"
                    );
                    Message::from(what).with_help(format!(
                        "write `{dtype}`; other types are for bytes without one, and for integers of as many bits or more that carry them"
                    ))
                }
            }));
        }
        if known.is_none_or(|known| known.now.layout() != from) {
            agrees(tensor, source.format(), &from)?;
        }
    }
    // These files have no other order.
    let has_order = format != Format::Safetensors;
    let is_column = wanted.is_some_and(|wanted| wanted.fortran_order) && is_column_major(&to);
    if is_column && !has_order && other.is_none() {
        to = to.with_default_order().map_err(|fault| ErrorKind::Layout(Message::new(fault)))?;
    }
    let is_move = from != to;
    let is_sized = !matches!(kind, ChangeKind::Copy) || is_move;
    let copy = is_sized.then(|| copy(copies, [from, to])).transpose()?;
    let [layout, bytes] = copy.as_ref().map_or([tensor.bytes(); 2], |copy| copy.bytes());
    if layout != tensor.bytes() {
        return Err(ErrorKind::Bytes { shape: from.to_string(), layout, tensor: tensor.bytes() });
    }
    let to = other.unwrap_or(to);
    let stored = stored(tensor, format, &to, wanted, bytes);
    let TensorHeader { dtype, dims, is_column_major, .. } = stored.clone();
    if wanted.is_some() && bytes_of(&dims, dtype.bits()) != Some(bytes) {
        let what = format!("its record says `{dtype}` of {dims:?}, and a layout of {bytes} bytes");
        let help = "restore the record, or say how the tensor lies now";
        return Err(ErrorKind::Record(Message::from(what).with_help(help)));
    }
    let dtype = format.reads(&dtype).unwrap_or(dtype);
    let now = Form::new(dtype, dims, is_column_major, &to);
    record.is_believed |= wanted.is_some();
    record.add(tensor.name(), known.is_some(), kind, before.read_as(&from), now);
    Ok(TensorPlan { tensor, copy: copy.filter(|_| is_move), stored, start: 0, is_truncated })
}

/// How a tensor is stored in its new layout. What reads the format sees the array in memory, tiles and padding too:
/// `f32[300,500]{1,0:T(8,128)}` has the dimensions `[38, 4, 8, 128]`. Elements that the format has no type for, packed
/// ones above all, are numbers of the tensor's own type if that carries them, else bytes, in one dimension. What is
/// `kept` has this form, where the format has its type and order.
pub(crate) fn stored(
    tensor: &Tensor,
    format: Format,
    to: &ArrayShape,
    kept: Option<&Form>,
    bytes: u64,
) -> TensorHeader {
    let is_column_major = format == Format::Npy && is_column_major(to);
    let of = |dtype, dims, is_column_major| {
        let name = tensor.name.clone();
        TensorHeader { name, dtype, dims, is_column_major, bytes }
    };
    // A file without a header.
    if format == Format::Raw {
        return of(Dtype::untyped(), vec![bytes], false);
    }
    // The array as it was, but column-major order where the format has none.
    if let Some(before @ Form { dtype, shape: dims, fortran_order, .. }) = kept
        && format.reads(dtype).is_some()
        && (!fortran_order || format == Format::Npy || *to != before.layout())
    {
        return of(dtype.clone(), dims.clone(), *fortran_order && format == Format::Npy);
    }
    let own = Dtype::Element(to.element_type());
    if to.element_bits() as u64 == own.bits() && format.reads(&own).is_some() {
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
    let is_whole = width > 0 && bytes.is_multiple_of(width);
    let dtype = match is_carried && is_whole && format.reads(&tensor.dtype).is_some() {
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
