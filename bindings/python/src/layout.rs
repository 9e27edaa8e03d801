//! The class `Layout`.

use layout::ArrayShape;
use layout::shape::limits::MAX_DIMS;
use layout::shape::{Digits, Size};
use layout::shape::{Dim, TileDim, TileDims};
use layout::tpu::{Tpu, advise, cheaper_layouts};
use layout_formats::parse_any::{self, ParseAnyError};
use layout_notation::notation::Jax;
use layout_picture::Picture;
use numpy::{PyArrayDyn, PyArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};

use crate::element::{element, numpy_name};
use crate::error::{argument, refusal, refused, shown};
use crate::index::{dims, in_bounds, of_rank, sizes};

/// The shape of an array with its layout in memory, in XLA's notation.
///
/// Properties that depend on a size that is not known (`?`) raise `LayoutError`.
///
/// >>> layout = Layout("bf16[4096,300]{1,0:T(8,128)(2,1)}")
/// >>> layout.dims, layout.tiles, layout.padded_bytes
/// ((4096, 300), ((8, 128), (2, 1)), 3145728)
/// >>> layout == tiled_layout.parse(layout.text)
/// True
#[pyclass(frozen, eq, hash, module = "tiled_layout")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Layout {
    pub(crate) shape: ArrayShape,
}

impl From<ArrayShape> for Layout {
    fn from(shape: ArrayShape) -> Layout {
        Layout { shape }
    }
}

/// Reads the shape of an array: `bf16[4096,300]{1,0:T(8,128)(2,1)}`. Without a layout in braces it is row-major.
///
/// >>> parse("f32[3,5]{1,0:T(2,2)}").padded_bytes
/// 96
#[pyfunction]
pub(crate) fn parse(#[pyo3(from_py_with = argument)] text: &str) -> PyResult<Layout> {
    text.parse::<ArrayShape>().map(Layout::from).map_err(refusal)
}

/// The layout that the compiler of a TPU gives an array as a parameter of a program. `dtype` is a name of XLA or of
/// numpy, or a dtype; `tpu` is v2, v3, v4, v5e, v5p, v6e or v7x.
///
/// >>> default((300, 4096), "bf16", tpu="v6e")
/// Layout('bf16[300,4096]{1,0:T(8,128)(2,1)}')
#[pyfunction]
#[pyo3(signature = (dims, dtype, *, tpu))]
pub(crate) fn default(
    #[pyo3(from_py_with = dims)] dims: Vec<i64>,
    dtype: &Bound<'_, PyAny>,
    #[pyo3(from_py_with = argument)] tpu: &str,
) -> PyResult<Layout> {
    let array = array(dims, dtype)?;
    array.with_default_layout(generation(tpu)?).map(Layout::from).map_err(refusal)
}

/// The layout that JAX prints as `Layout(major_to_minor=.., tiling=..)`, of an array.
#[pyfunction]
pub(crate) fn jax_layout(
    text: &str,
    #[pyo3(from_py_with = dims)] dims: Vec<i64>,
    dtype: &Bound<'_, PyAny>,
) -> PyResult<Layout> {
    let array = array(dims, dtype)?;
    let jax = text.parse::<Jax>().map_err(refusal)?;
    jax.layout(&array).map(Layout::from).map_err(refusal)
}

/// The row-major array that numpy has.
#[pyfunction]
pub(crate) fn row_major(
    #[pyo3(from_py_with = dims)] dims: Vec<i64>,
    dtype: &Bound<'_, PyAny>,
) -> PyResult<Layout> {
    array(dims, dtype).map(Layout::from)
}

/// The layout that a text says; `of()` is the array where the text is a layout alone.
#[pyfunction]
pub(crate) fn layout_of(
    #[pyo3(from_py_with = argument)] text: &str,
    of: &Bound<'_, PyAny>,
) -> PyResult<Layout> {
    let of = match parse_any::needs_array(text) {
        true => Some(of.call0()?.cast_into::<Layout>()?),
        false => None,
    };
    let of = of.as_ref().map(|of| &of.get().shape);
    Said::Text(text.to_owned()).layout(of).map(Layout::from).map_err(refusal)
}

/// A layout as users give it.
pub(crate) enum Said {
    Layout(Box<ArrayShape>),
    /// A text that `parse_any` reads.
    Text(String),
}

impl Said {
    pub(crate) fn new(given: &Bound<'_, PyAny>) -> PyResult<Said> {
        match given.cast::<Layout>() {
            Ok(layout) => Ok(Said::Layout(Box::new(layout.get().shape))),
            Err(_) => argument::<String>(given).map(Said::Text),
        }
    }

    /// The layout, of an array if one is known.
    pub(crate) fn layout(&self, of: Option<&ArrayShape>) -> Result<ArrayShape, ParseAnyError> {
        match (self, of) {
            (Said::Layout(layout), _) => Ok(**layout),
            (Said::Text(text), Some(of)) => parse_any::layout(text, of),
            (Said::Text(text), None) => parse_any::array(text),
        }
    }
}

/// An array without a layout.
fn array(dims: Vec<i64>, dtype: &Bound<'_, PyAny>) -> PyResult<ArrayShape> {
    let dims = sizes(&dims)?.into_iter().map(Dim::Static).collect::<Vec<_>>();
    ArrayShape::new(element(dtype)?, &dims).map_err(refusal)
}

pub(crate) fn generation(name: &str) -> PyResult<Tpu> {
    Tpu::from_name(name).ok_or_else(|| {
        refused(format!("{} is not a TPU", shown(name)), format!("write one of {}", Tpu::NAMES))
    })
}

impl Layout {
    /// What is known if every size is.
    fn known<T>(&self, value: Option<T>) -> PyResult<T> {
        value.ok_or_else(|| match self.shape.unknown_size() {
            Some(error) => refused(error, "`Layout.with_dims` gives all sizes"),
            None => refusal(format!("`{}` is too large", self.shape)),
        })
    }

    fn digits(&self) -> PyResult<Digits> {
        self.known(self.shape.digits().ok())
    }
}

#[pymethods]
impl Layout {
    #[new]
    fn new(#[pyo3(from_py_with = argument)] text: &str) -> PyResult<Layout> {
        parse(text)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, (String,)) {
        (py.get_type::<Layout>(), (self.text(),))
    }

    fn __repr__(&self) -> String {
        format!("Layout('{}')", self.shape)
    }

    fn __str__(&self) -> String {
        self.text()
    }

    /// The shape in XLA's notation.
    #[getter]
    fn text(&self) -> String {
        self.shape.to_string()
    }

    /// XLA's name of the element type: `bf16`.
    #[getter]
    fn element_type(&self) -> &'static str {
        self.shape.element_type().name()
    }

    /// The dtype of numpy, or of `ml_dtypes`.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let name = numpy_name(self.shape.element_type());
        let numpy = py.import("numpy")?;
        if let Ok(found) = py.import("ml_dtypes")?.getattr(name.as_str()) {
            return numpy.call_method1("dtype", (found,));
        }
        numpy.call_method1("dtype", (name,)).map_err(|_| {
            refused(
                format!(
                    "neither numpy nor this version of ml_dtypes has `{}`",
                    self.element_type()
                ),
                "update ml_dtypes",
            )
        })
    }

    /// The size of each dimension; `None` where it is not known, the bound of a bounded one.
    #[getter]
    fn dims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shape.dims().iter().map(|dim| dim.size()))
    }

    /// The numbers of the dimensions, the one that varies fastest in memory first.
    #[getter]
    fn minor_to_major<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.shape.minor_to_major())
    }

    /// The tiles, in the order in which they are applied; -1 is a `*`.
    #[getter]
    fn tiles<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let tile = |tile: TileDims| {
            PyTuple::new(
                py,
                tile.iter().map(|dim| match dim {
                    TileDim::Size(size) => *size as i64,
                    TileDim::Combined => -1,
                }),
            )
        };
        PyTuple::new(py, self.shape.tiles().iter().map(tile).collect::<PyResult<Vec<_>>>()?)
    }

    /// Elements of the array.
    #[getter]
    fn elements(&self) -> PyResult<Size> {
        self.known(self.shape.elements())
    }

    /// Elements that the memory has room for, padding included.
    #[getter]
    fn padded_elements(&self) -> PyResult<Size> {
        self.known(self.shape.padded_elements())
    }

    /// Bits of an element in memory: 4 where `E(4)` packs two in a byte.
    #[getter]
    fn element_bits(&self) -> Size {
        self.shape.element_bits()
    }

    /// Bytes in memory, padding included.
    #[getter]
    fn padded_bytes(&self) -> PyResult<Size> {
        self.known(self.shape.bytes())
    }

    /// Bytes of the elements alone.
    #[getter]
    fn unpadded_bytes(&self) -> PyResult<Size> {
        self.known(self.shape.unpadded_bytes())
    }

    /// Bytes of padding.
    ///
    /// >>> parse("bf16[32,128,2,64]{3,2,1,0:T(8,128)(2,1)}").wasted_bytes
    /// 7340032
    #[getter]
    pub(crate) fn wasted_bytes(&self) -> PyResult<Size> {
        Ok(self.padded_bytes()?.saturating_sub(self.unpadded_bytes()?))
    }

    /// Padded bytes divided by unpadded bytes.
    ///
    /// >>> parse("f32[3,5]{1,0:T(2,2)}").expansion
    /// 1.6
    #[getter]
    fn expansion(&self) -> PyResult<f64> {
        self.known(self.shape.expansion())
    }

    /// The dimensions of the array in memory, after all tiles, the most major first: the shape that `relayout` returns.
    ///
    /// >>> parse("bf16[300,500]{1,0:T(8,128)(2,1)}").memory_dims
    /// (38, 4, 4, 128, 2, 1)
    #[getter]
    fn memory_dims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.known(self.shape.physical_dims())?.iter())
    }

    /// Where an element lies, in elements from the start of the memory.
    ///
    /// >>> parse("f32[3,5]{1,0:T(2,2)}").offset(2, 3)
    /// 17
    #[pyo3(signature = (*index))]
    fn offset(&self, index: &Bound<'_, PyTuple>) -> PyResult<Size> {
        let digits = self.digits()?;
        let dims = (0..digits.rank()).map(|dim| digits.dim(dim)).collect::<Vec<_>>();
        let index = argument::<Vec<i64>>(index)?;
        Ok(digits.offset_unchecked(&in_bounds(&dims, &index)?))
    }

    /// The element at an offset; `None` if it is padding.
    ///
    /// >>> parse("f32[3,5]{1,0:T(2,2)}").index(17)
    /// (2, 3)
    fn index<'py>(
        &self,
        py: Python<'py>,
        #[pyo3(from_py_with = argument)] offset: i64,
    ) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let (digits, slots) = (self.digits()?, self.padded_elements()?);
        let Some(offset) = Size::try_from(offset).ok().filter(|offset| *offset < slots) else {
            return Err(refused(
                format!("offset {offset} is out of bounds"),
                format!("offsets of `{}` are less than {slots}", self.shape),
            ));
        };
        digits.index(offset).map(|index| PyTuple::new(py, index.iter())).transpose()
    }

    /// Where many elements lie: of an array of integers whose last dimension has the coordinates, the offsets as an
    /// array of the other dimensions.
    ///
    /// >>> parse("f32[3,5]{1,0:T(2,2)}").offsets([[0, 0], [2, 3]])
    /// array([ 0, 17])
    fn offsets<'py>(
        &self,
        py: Python<'py>,
        indices: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<i64>>> {
        let digits = self.digits()?;
        let rank = digits.rank();
        let numpy = py.import("numpy")?;
        let given = numpy.call_method1("asarray", (indices,))?;
        let kind = given.getattr("dtype")?.getattr("kind")?.extract::<String>()?;
        let shape = given.getattr("shape")?.extract::<Vec<usize>>()?;
        let (Some((&last, outer)), "i" | "u") = (shape.split_last(), kind.as_str()) else {
            return Err(refused(
                "indices are an array of integers, whose last dimension has the coordinates",
                "as in `layout.offsets([[0, 0], [2, 3]])`",
            ));
        };
        let dims = (0..rank).map(|dim| digits.dim(dim)).collect::<Vec<_>>();
        of_rank(rank, last)?;
        let given = numpy.call_method1("ascontiguousarray", (given, "int64"))?;
        let given = given.cast_into::<PyArrayDyn<i64>>()?;
        let out = numpy
            .call_method1("zeros", (outer.to_vec(), "int64"))?
            .cast_into::<PyArrayDyn<i64>>()?;
        if rank == 0 {
            return Ok(out);
        }
        let (from, mut to) = (given.readonly(), out.readwrite());
        let (from, to) = (from.as_slice()?, to.as_slice_mut()?);
        let wrong = py.detach(|| {
            let mut index = [0; MAX_DIMS];
            for (given, offset) in from.chunks_exact(rank).zip(to) {
                for (coordinate, (at, size)) in index.iter_mut().zip(given.iter().zip(&dims)) {
                    match Size::try_from(*at) {
                        Ok(at) if at < *size => *coordinate = at,
                        _ => return Some(given),
                    }
                }
                *offset = digits.offset_unchecked(&index[..rank]) as i64;
            }
            None
        });
        if let Some(given) = wrong {
            in_bounds(&dims, given)?;
        }
        Ok(out)
    }

    /// The bytes of `array[index]`, as `(start, stop)`: a slice where the index has fewer coordinates than the array. With a
    /// swizzle, and with some `*`, every element of the memory is looked at.
    ///
    /// >>> parse("bf16[4,100,128]{2,1,0:T(8,128)(2,1)}").slice_bytes(1)
    /// (26624, 53248)
    /// >>> parse("bf16[512,3,2048]{2,0,1:T(8,128)(2,1)}").slice_bytes(0)
    /// Traceback (most recent call last):
    ///     ...
    /// tiled_layout.LayoutError: not one stretch of memory: [1, 0, 0] is at offset 1, between elements at 0 and 2112766
    ///   = help: copy the elements, or choose a layout in which dimension 0 is more major and outside of the tiles
    #[pyo3(signature = (*index))]
    fn slice_bytes(&self, py: Python<'_>, index: &Bound<'_, PyTuple>) -> PyResult<(Size, Size)> {
        let digits = self.digits()?;
        let index = argument::<Vec<i64>>(index)?;
        let given = index.len().min(digits.rank());
        let dims = (0..given).map(|dim| digits.dim(dim)).collect::<Vec<_>>();
        let index = in_bounds(&dims, &index)?;
        let range = py.detach(|| self.shape.slice_bytes(&index).map_err(|error| error.to_string()));
        let range = range.map_err(refusal)?;
        Ok((range.start, range.end))
    }

    /// This layout with all sizes known.
    ///
    /// >>> parse("f32[?,128]").with_dims((4, 128))
    /// Layout('f32[4,128]{1,0}')
    fn with_dims(&self, #[pyo3(from_py_with = dims)] dims: Vec<i64>) -> PyResult<Layout> {
        self.shape.with_dims(&sizes(&dims)?).map(Layout::from).map_err(refusal)
    }

    /// The array row-major and without padding, as numpy has it; elements narrower than a byte have one each.
    ///
    /// >>> parse("s4[64,128]{1,0:T(8,128)(8,1)E(4)}").row_major()
    /// Layout('s4[64,128]{1,0}')
    fn row_major(&self) -> PyResult<Layout> {
        self.shape.without_layout().map(Layout::from).map_err(refusal)
    }

    /// Layouts that take fewer bytes, the cheapest first: other orders of the dimensions, fewer rows in a tile. With
    /// `tpu`, those that its compiler gives the orders of the dimensions, its default first.
    ///
    /// >>> parse("s32[8388608,8,4]{2,1,0:T(8,128)}").advise()[0]
    /// Layout('s32[8388608,8,4]{0,1,2:T(8,128)}')
    #[pyo3(signature = (tpu = None))]
    fn advise(&self, #[pyo3(from_py_with = argument)] tpu: Option<&str>) -> PyResult<Vec<Layout>> {
        self.padded_bytes()?;
        let mut found = match tpu {
            Some(tpu) => advise(&self.shape, generation(tpu)?).map_err(refusal)?,
            None => cheaper_layouts(&self.shape).into_iter().flatten().collect(),
        };
        found.sort_by_key(ArrayShape::bytes);
        Ok(found.into_iter().map(Layout::from).collect())
    }

    /// The layout as a `Layout` of JAX, which has no dimensions and no element type. It imports JAX.
    fn to_jax<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let text = Jax::of(&self.shape).map_err(refusal)?.to_string();
        py.import("tiled_layout._jax")?.call_method1("jax_layout_of", (text,))
    }

    /// The picture that a notebook shows.
    fn _repr_svg_(&self) -> Option<String> {
        Picture::new(&self.shape).map(|picture| picture.svg())
    }

    /// The picture with the sizes.
    fn _repr_html_(&self) -> Option<String> {
        let (bytes, unpadded) = (self.shape.bytes()?, self.shape.unpadded_bytes()?);
        let sizes = format!("<p>{bytes} bytes, {unpadded} without padding</p>");
        Some(format!("<div>{}{sizes}</div>", self._repr_svg_()?))
    }
}
