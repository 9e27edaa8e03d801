//! What a conversion writes: decided before anything is written.

mod elements;
mod making;
mod sample;
mod write;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use layout::{ArrayShape, ElementType, Relayout};

use crate::change::Change;
use crate::dtype::Dtype;
use crate::error::{Error, ErrorKind};
use crate::format::{Format, Stored, bytes_of};
use crate::sidecar::{Form, KEY, Record, Sidecar};
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
    pair: Option<Arc<Pair>>,
    stored: Stored,
    /// Where it begins in the file.
    start: u64,
    is_truncated: bool,
}

impl Planned<'_> {
    /// Where it ends in the file.
    const fn end(&self) -> u64 {
        self.start + self.stored.bytes
    }
}

/// The layouts before and after, and the bytes in each.
#[derive(Debug)]
struct Pair {
    layouts: Layouts,
    bytes: [u64; 2],
}

/// Layouts that are quickly found: of the 3 KB few make the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Layouts([ArrayShape; 2]);

impl Hash for Layouts {
    fn hash<H: Hasher>(&self, state: &mut H) {
        for shape in &self.0 {
            (shape.dims(), shape.minor_to_major()).hash(state);
        }
    }
}

impl Pair {
    /// Whether bytes become narrower elements.
    fn narrows(&self) -> bool {
        let [from, to] = self.layouts.0.each_ref().map(ArrayShape::element_bits);
        from > to
    }
}

/// Each pair of layouts once: files have many tensors and few shapes.
type Pairs = HashMap<Layouts, Arc<Pair>>;

fn pair(pairs: &mut Pairs, layouts: Layouts) -> Result<Arc<Pair>, ErrorKind> {
    if let Some(known) = pairs.get(&layouts) {
        return Ok(Arc::clone(known));
    }
    let relayout = Relayout::new(&layouts.0[0], &layouts.0[1]).map_err(|error| {
        let [from, to] = layouts.0.each_ref().map(ArrayShape::to_string);
        ErrorKind::Plan { from, to, error: Box::new(error) }
    })?;
    let bytes = [relayout.source_bytes(), relayout.destination_bytes()].map(|bytes| bytes as u64);
    let pair = Arc::new(Pair { layouts, bytes });
    pairs.insert(layouts, Arc::clone(&pair));
    Ok(pair)
}

impl<'a> Conversion<'a> {
    /// Plans the conversion of a file to a format. `change` says for each tensor what becomes of it. One without an
    /// answer is copied; but where the new file has one tensor (`.npy`, raw) and this one several, it is left out.
    ///
    /// # Errors
    /// If a layout does not go with its tensor, if there is no copy between two layouts, or if the format cannot hold
    /// what it should: [`Error::with_target`] then gives the error the target's path.
    pub fn new(
        source: &'a TensorFile,
        format: Format,
        mut change: impl FnMut(&Tensor) -> Result<Option<Change>, Error>,
    ) -> Result<Conversion<'a>, Error> {
        let fault = |kind| match kind {
            // It is the target that cannot hold something.
            ErrorKind::Unsupported(_) => Error::of_target(kind),
            _ => Error::new(source.path(), kind),
        };
        let (mut records, mut undone) = (BTreeMap::new(), HashSet::new());
        let (mut tensors, mut pairs) = (Vec::<Planned<'_>>::new(), Pairs::new());
        let is_alone = source.tensors().len() == 1;
        for tensor in source.tensors() {
            let fault = |kind| fault(kind).of(tensor.name());
            let change = change(tensor)?;
            if change.is_none() && format.has_one_tensor() && !is_alone {
                continue;
            }
            let change = change.unwrap_or(Change::NONE);
            if change.undone.is_some() {
                undone.insert(tensor.name.as_str());
            }
            let planned = planned(source, tensor, format, change, &mut pairs);
            let (planned, record) = planned.map_err(fault)?;
            if record.before != record.after {
                records.insert(tensor.name.clone(), record);
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
        let written = tensors.iter().map(|planned| planned.tensor.name()).collect::<HashSet<_>>();
        let previous = source.sidecar().cloned().and_then(|sidecar| sidecar.without(&undone));
        let sidecar = Sidecar { tensors: records, previous: previous.map(Box::new) };
        let sidecar = sidecar.only(&|name| written.contains(name));
        let mut metadata = source.metadata().clone();
        if let Some(text) = sidecar.as_ref().and_then(|sidecar| serde_json::to_string(sidecar).ok())
        {
            metadata.insert(KEY.to_owned(), text);
        }
        let (_, is_aligned) = place(&mut tensors, 0).map_err(fault)?;
        if !is_aligned {
            // The widest elements first, as the crate does it.
            tensors.sort_by_key(|planned| std::cmp::Reverse(planned.stored.dtype.bits()));
        }
        let stored = tensors.iter().map(|planned| &planned.stored).collect::<Vec<_>>();
        let header = format.header(&stored, &metadata);
        let header = header.map_err(|what| fault(ErrorKind::Unsupported(what)))?;
        let (bytes, _) = place(&mut tensors, header.len() as u64).map_err(fault)?;
        Ok(Conversion { source, header, tensors, bytes, sidecar })
    }

    /// Plans to undo the conversion that made the file, as its sidecar says; without one, only the format changes.
    ///
    /// # Errors
    /// As [`Conversion::new`].
    pub fn back(source: &'a TensorFile, format: Format) -> Result<Conversion<'a>, Error> {
        Conversion::new(source, format, |tensor| {
            let change = source.undo(tensor);
            change.map(Some).map_err(|why| Error::layout(source.path(), tensor.name(), why))
        })
    }

    /// Bytes of the new file.
    pub const fn bytes(&self) -> u64 {
        self.bytes
    }

    /// What will be recorded; nothing if each tensor is what it was before the first conversion.
    pub const fn sidecar(&self) -> Option<&Sidecar> {
        self.sidecar.as_ref()
    }
}

/// Gives each tensor its place, one after another from `start` on: where the last one ends, and whether each is aligned
/// to its elements.
fn place(tensors: &mut [Planned<'_>], start: u64) -> Result<(u64, bool), ErrorKind> {
    let (mut end, mut is_aligned) = (start, true);
    for planned in tensors {
        planned.start = end;
        is_aligned &= end.is_multiple_of((planned.stored.dtype.bits() / 8).max(1));
        end = end.checked_add(planned.stored.bytes).ok_or_else(|| {
            ErrorKind::Unsupported("the new file has more bytes than can be counted".to_owned())
        })?;
    }
    Ok((end, is_aligned))
}

/// A layout that is said of a tensor has its dimensions, or those by which the format would have such an array.
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
    Err(ErrorKind::Layout(format!(
        "`{from}` has other dimensions than the tensor, {dims:?}\n  = help: write those of the tensor, as in `{dtype}[{sizes}]`; a shape with tiles may also be the one whose tiles in memory have them"
    )))
}

/// What is written of a tensor, and the record of it.
fn planned<'a>(
    source: &TensorFile,
    tensor: &'a Tensor,
    format: Format,
    change: Change,
    pairs: &mut Pairs,
) -> Result<(Planned<'a>, Record), ErrorKind> {
    let Change { layouts, undone, is_truncated } = change;
    let Tensor { dtype, dims, is_column_major: is_column, .. } = tensor;
    let (is_copy, is_kept) = (layouts.is_none(), layouts.is_none() || undone.is_some());
    if is_copy && format.reads(dtype).is_none() {
        return Err(ErrorKind::Unsupported(format!(
            "the target has no element type `{dtype}`\n  = help: raw files hold any type, and `.npy` those of numpy; or `--from` says what the elements are, as in `--from 'bf16[300,500]'`"
        )));
    }
    let [from, mut to] = match layouts {
        Some(layouts) => layouts,
        None => {
            let own = source.layout(tensor).or_else(|_| tensor.layout());
            // Elements that layouts do not have are bytes.
            let own = own.or_else(|_| tensor.as_bytes().layout());
            [own.map_err(ErrorKind::Layout)?; 2]
        }
    };
    if !is_kept {
        let element = from.element_type();
        if !dtype.can_carry(element) {
            return Err(ErrorKind::Layout(format!(
                "it has elements of type `{dtype}`, and the layout those of type `{element}`\n  = help: write `{dtype}`; other types are for bytes without one, and for integers of as many bits or more that carry them"
            )));
        }
        if let Err(fault) = agrees(tensor, source.format(), &from)
            && source.layout(tensor).as_ref() != Ok(&from)
        {
            return Err(fault);
        }
    }
    let before = undone.unwrap_or_else(|| {
        let is_named = !source.format().has_one_tensor();
        Form::new(is_named, dtype.clone(), dims.clone(), *is_column, &from)
    });
    // These files have no other order.
    let has_order = format != Format::Safetensors;
    if is_kept && before.fortran_order && !has_order && is_column_major(&to) {
        to = to.with_default_order().map_err(|fault| ErrorKind::Layout(fault.to_string()))?;
    }
    let pair = (!is_copy || from != to).then(|| pair(pairs, Layouts([from, to]))).transpose()?;
    let [layout, bytes] = pair.as_ref().map_or([tensor.bytes(); 2], |pair| pair.bytes);
    if layout != tensor.bytes() {
        return Err(ErrorKind::Bytes { shape: from.to_string(), layout, tensor: tensor.bytes() });
    }
    let stored = stored(tensor, format, &to, is_kept.then_some(&before), bytes);
    let Stored { dtype, dims, is_column_major, .. } = stored.clone();
    if is_kept && bytes_of(&dims, dtype.bits()) != Some(bytes) {
        return Err(ErrorKind::Record(format!(
            "its record says `{dtype}` of {dims:?}, and a layout of {bytes} bytes\n  = help: restore the record; or `--from` says how the tensor lies now"
        )));
    }
    let is_named = before.is_named && !format.has_one_tensor();
    let dtype = format.reads(&dtype).unwrap_or(dtype);
    let after = Form::new(is_named, dtype, dims, is_column_major, &to);
    let planned =
        Planned { tensor, pair: pair.filter(|_| from != to), stored, start: 0, is_truncated };
    Ok((planned, Record { before, after }))
}

/// How a tensor is stored in its new layout. What reads the format sees the array in memory, tiles and padding too:
/// `f32[300,500]{1,0:T(8,128)}` has the dimensions `[38, 4, 8, 128]`. Elements that the format has no type for, packed
/// ones above all, are numbers of the tensor's own type if that carries them, else bytes, in one dimension. What is
/// `kept` has this form, where the format has its type and order.
fn stored(
    tensor: &Tensor,
    format: Format,
    to: &ArrayShape,
    kept: Option<&Form>,
    bytes: u64,
) -> Stored {
    let is_column_major = format == Format::Npy && is_column_major(to);
    let of = |dtype, dims, is_column_major| {
        let name = tensor.name.clone();
        Stored { name, dtype, dims, is_column_major, bytes }
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
