//! Packed formats by their names: `marlin`, `q4_0_4_8`, `mma.m16n8k16.A`.
//!
//! Libraries for matrix products reorder their operands, and each writes its order down in code of its own. Most
//! of these orders are layouts: a [`PackedFormat`] is one by its name, with the layout that it stands for, the
//! sizes and element types that it takes, and a link to its definition. [`PackedFormat::ALL`] has them all.
//!
//! A layout is the order of the elements of one array. What stands between the elements is said elsewhere:
//! [`BlockFormat`] has the quantized blocks of llama.cpp, whose codes and scales share one buffer, and a
//! [`MosaicGpu`] spreads an array over the threads of a GPU. Formats that are not an order of elements, such as
//! those with code books, are errors that say why: see [`NOT_LAYOUTS`].
//!
//! Each format is a type too: an alias of `layout::Array` with its sizes as parameters and, where it holds several element
//! types, with its element type: `Marlin<4096, 4096>`, `NChw16c<BF16, 1, 64, 56, 56>`. Where a format takes multiples alone, another
//! size does not compile: `Marlin<60, 4096>` is an error where a constant or a function of it is used. The modules [`one_dnn`],
//! [`ggml`], [`weights`], [`tensor`], [`instruction`], [`nvidia`] and [`amd`] have the types of each family; all names stand here too.
//!
//! # Examples
//! ```
//! use layout::{PackedView, element::F16};
//! use layout_formats::packed_format::{FragmentOf, Marlin, MmaM16n8k16A};
//!
//! type Weights = Marlin<64, 128>;
//! assert_eq!(Weights::TEXT, "u4[64,128]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}");
//! let bytes = [0x21; 64 * 128 / 2];
//! let weights = PackedView::<Weights>::new(&bytes)?;
//! assert_eq!((weights.get([0, 0]), weights.get([8, 0])), (Some(1), Some(2)));
//!
//! // An operand in registers: the element at an offset is a value of a lane.
//! type A = FragmentOf<MmaM16n8k16A<F16>>;
//! const LANE: usize = A::lane_of([10, 7]);
//! assert_eq!((LANE, A::value_of([10, 7]), A::VALUES), (11, 3, 8));
//! # Ok::<(), layout::MemoryError>(())
//! ```
//!
//! Layouts that are known at run time:
//!
//! ```
//! use layout::ArrayShape;
//! use layout_formats::packed_format::PackedFormat;
//!
//! let marlin = PackedFormat::find("marlin")?;
//! let shape = marlin.layout(&"u4[64,128]".parse()?)?;
//! assert_eq!(shape.to_string(), "u4[64,128]{1,0:T(16,8)(8,1)(8,2,1,2,1)(2,2,1,1,1)E(4)}");
//! assert_eq!(shape.digits()?.offset(&[9, 0]), Some(5));
//! assert!(PackedFormat::of(&shape).any(|format| format == marlin));
//!
//! let error = marlin.layout(&"u4[64,100]".parse()?).unwrap_err();
//! assert_eq!(error.to_string(), "`marlin` takes multiples of 64 for `N`, but dimension 1 has size 100: pad it to 128");
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```

#[macro_use]
mod formats;

mod block;
mod blocks;
mod error;
mod families;
mod find;
mod fragment_of;
mod mosaic_gpu;
mod not_a_layout;
mod row;
mod table;
#[cfg(test)]
mod tests;

use core::fmt;

use layout_core::limits::MAX_DIMS;
use layout_core::limits::Size;
use layout_core::{ArrayShape, Dim, ElementType};
use layout_gpu::fragment::Fragment;
use layout_notation::digit_order::DigitOrder;
use row::{FIXED, Form, Row};

pub use block::{BlockFormat, BlockPart};
pub use error::PackedFormatError;
pub use families::{amd, amd::*, ggml, ggml::*, instruction, instruction::*, nvidia, nvidia::*};
pub use families::{one_dnn, one_dnn::*, tensor, tensor::*, weights, weights::*};
pub use fragment_of::FragmentOf;
pub use mosaic_gpu::{MosaicGpu, ThreadDim};
pub use not_a_layout::{NOT_LAYOUTS, NotALayout};
pub use row::Family;

/// A packed format with a name: an order of elements that a library, an instruction or a device uses.
///
/// Two are equal if they are the same format; formats with other names can have the same layout.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
// A format is a text, parsed at one size when it is asked for; order, tiles and `E` hold for all sizes. To
// parse the 200 texts in a `const` would take five seconds of every build, so a test reads them.
pub struct PackedFormat {
    /// Place among all formats.
    number: usize,
}

impl PackedFormat {
    /// All formats, family by family.
    pub const ALL: &'static [PackedFormat] = &{
        let mut all = [PackedFormat { number: 0 }; table::ROWS.len()];
        each!(for number in 0..all.len() {
            all[number] = PackedFormat { number };
        });
        all
    };

    const fn row(&self) -> &'static Row {
        table::ROWS[self.number]
    }

    /// The name as its users write it.
    pub const fn name(&self) -> &'static str {
        self.row().name
    }

    /// Other names of the format.
    pub const fn aliases(&self) -> &'static [&'static str] {
        self.row().aliases
    }

    /// What it belongs to.
    pub const fn family(&self) -> Family {
        self.row().family
    }

    /// What is in this order, and where it is used: a phrase without a full stop.
    pub const fn description(&self) -> &'static str {
        self.row().what
    }

    /// Names of the dimensions, dimension 0 first: `K,N`.
    pub const fn dim_names(&self) -> &'static str {
        self.row().dims
    }

    /// What a reader of the bytes has to know besides the order, such as bits that are stored inverted; empty if
    /// there is nothing.
    pub const fn note(&self) -> &'static str {
        self.row().note
    }

    /// Link to the definition.
    pub const fn definition(&self) -> &'static str {
        self.row().definition
    }

    /// The layout at sizes that show it, once for each group of element types or, if the format has fixed sizes, for
    /// each of them.
    ///
    /// # Examples
    /// ```
    /// use layout_formats::packed_format::PackedFormat;
    ///
    /// let nz = PackedFormat::find("FRACTAL_NZ").unwrap();
    /// let shown = nz.examples().map(|shape| shape.to_string()).collect::<Vec<_>>();
    /// assert_eq!(shown[0], "f16[32,48]{0,1:T(16,16)(16,1)}");
    /// assert_eq!(shown[1], "f32[32,24]{0,1:T(8,16)(8,1)}");
    /// ```
    pub fn examples(&self) -> impl Iterator<Item = ArrayShape> + use<> {
        self.row().forms.iter().map(Form::shape)
    }

    /// Element types of the examples, in their order; an empty list stands for all types.
    pub fn element_types(&self) -> impl Iterator<Item = &'static [ElementType]> + Clone + use<> {
        self.row().forms.iter().map(|form| form.elements)
    }

    /// What the sizes of the dimensions have to be multiples of for an element type, dimension 0 first; 0 for a
    /// dimension that has the size of the [`examples`](Self::examples). `None` if all have, or if the format does not hold
    /// such elements.
    pub fn multiples(&self, element: ElementType) -> Option<&'static [Size]> {
        let form = self.row().forms.iter().find(|form| form.takes(element))?;
        let is_fixed = form.multiples.iter().all(|multiple| *multiple == FIXED);
        (!is_fixed).then_some(form.multiples)
    }

    /// The array in this format: its element type and dimensions, in the format's layout. Dimensions before those of
    /// the format are a stack of arrays, the weights of experts for example. Where the system pads, the tiles extend past
    /// the array; a size that the system refuses is an error.
    ///
    /// A size that is unknown (`?`) is taken to be one that the format takes.
    ///
    /// # Errors
    /// If the format has another number of dimensions, other element types or other sizes.
    pub fn layout(&self, array: &ArrayShape) -> Result<ArrayShape, PackedFormatError> {
        let (format, rank, own) = (*self, array.rank(), self.rank());
        let element = array.element_type();
        let is_stack = rank > own && self.row().stacks;
        if rank != own && !is_stack {
            let (format, dims) = (self.name(), self.dim_names());
            let mut ones = [Dim::Static(1); MAX_DIMS];
            ones[own.saturating_sub(rank)..][..rank].copy_from_slice(array.dims());
            let takes = |form: &Form| form.takes(element) && form.misfit(&ones[..own]).is_none();
            let lacks_ones = rank < own && self.row().forms.iter().any(takes);
            return Err(PackedFormatError::Rank { format, dims, rank, lacks_ones });
        }
        let stacked = rank - own;
        let own_dims = &array.dims()[stacked..];
        let mut misfit = None;
        for form in self.row().forms.iter().filter(|form| form.takes(element)) {
            match form.misfit(own_dims) {
                None => return self.laid_out(array, &form.shape()),
                Some(dim) => misfit = misfit.or(Some((dim, form.multiples[dim]))),
            }
        }
        Err(match misfit {
            None => PackedFormatError::Element { format, element },
            Some((_, FIXED)) => PackedFormatError::FixedSize { format },
            Some((dim, multiple)) => PackedFormatError::Size {
                format: self.name(),
                name: self.dim_names().split(',').nth(dim).unwrap_or(""),
                dim: stacked + dim,
                size: own_dims[dim].size(),
                multiple,
            },
        })
    }

    /// The array with the order of dimensions and the tiles of a form; the dimensions of a stack are the most major ones.
    fn laid_out(
        &self,
        array: &ArrayShape,
        form: &ArrayShape,
    ) -> Result<ArrayShape, PackedFormatError> {
        let stacked = array.rank() - form.rank();
        let own = form.minor_to_major().iter().map(|dim| dim + stacked);
        let mut order = [0; MAX_DIMS];
        for (place, dim) in order.iter_mut().zip(own.chain((0..stacked).rev())) {
            *place = dim;
        }
        let is_packed = form.element_size_in_bits().is_some() || self.row().takes_any_element();
        array
            .laid_out(&order[..array.rank()], form.tiles())
            .and_then(|shape| shape.with_packed_elements(is_packed))
            .map_err(PackedFormatError::Shape)
    }

    /// The formats that have the memory of this layout, for its element type and sizes: every element at the same
    /// offset, and as many slots.
    ///
    /// Layouts that are written differently can have the same memory, and a layout for some sizes can have the memory of
    /// a format that has another one for others.
    ///
    /// # Examples
    /// ```
    /// use layout::ArrayShape;
    /// use layout_formats::packed_format::PackedFormat;
    ///
    /// let shape: ArrayShape = "u4[3,24]{1,0:T(8)(2)(4,1)E(4)}".parse()?;
    /// let names = PackedFormat::of(&shape).map(|format| format.name()).collect::<Vec<_>>();
    /// assert_eq!(names, ["awq", "awq_qzeros"]);
    /// # Ok::<(), layout::Error>(())
    /// ```
    // Equal memory decides, not equal text: redundant tiles do not matter, and formats that coincide at one
    // size are all named.
    pub fn of(shape: &ArrayShape) -> impl Iterator<Item = PackedFormat> + use<> {
        let shape = *shape;
        Self::ALL.iter().copied().filter(move |format| format.is_of(&shape))
    }

    fn is_of(&self, shape: &ArrayShape) -> bool {
        let Ok(own) = self.layout(shape) else { return false };
        let slots = |shape: &ArrayShape| (shape.element_bits(), shape.padded_elements());
        if slots(&own) != slots(shape) {
            return false;
        }
        if let (Ok(own), Ok(other)) = (own.digits(), shape.digits())
            && own.same_digits(&other)
        {
            return true;
        }
        // With unknown sizes the orders of digits for every size decide.
        shape.dims().contains(&Dim::Unbounded)
            && match (DigitOrder::of(&own), DigitOrder::of(shape)) {
                (Ok(own), Ok(other)) => own.digits() == other.digits(),
                _ => false,
            }
    }

    /// Number of dimensions.
    pub const fn rank(&self) -> usize {
        error::names(self.dim_names())
    }

    /// Lanes (threads) that hold the array, if it is an operand in registers: the element at an offset is value
    /// `offset % values` of lane `offset / values`, where `values` is the number of slots by the lanes.
    pub const fn lanes(&self) -> Option<Size> {
        match self.row().lanes {
            0 => None,
            lanes => Some(lanes),
        }
    }

    /// The array spread over lanes and registers, in both directions; several warps hold what 32 lanes (AMD: 64) do not.
    ///
    /// # Errors
    /// Those of [`layout`](Self::layout), and if the format is not one of registers.
    ///
    /// # Examples
    /// ```
    /// use layout_gpu::fragment::Holder;
    /// use layout_formats::packed_format::PackedFormat;
    ///
    /// let a = PackedFormat::find("mma.m16n8k16.A")?.fragment(&"f16[16,16]".parse()?)?;
    /// assert_eq!(*a.index(Holder::register(0, 11, 3)).unwrap(), [10, 7]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn fragment(&self, array: &ArrayShape) -> Result<Fragment, PackedFormatError> {
        let lanes = if self.family() == Family::Amd { 64 } else { 32 };
        let threads = self.lanes().unwrap_or(0);
        let fragment = Fragment::of_layout(&self.layout(array)?, threads, threads.min(lanes));
        fragment.map_err(PackedFormatError::Fragment)
    }

    /// The lane that holds an element and the number of the value in it, low bits of a register first; `None` if the
    /// format is not one of registers, or if `array` is not an array in it or has no such element.
    ///
    /// # Examples
    /// ```
    /// use layout_formats::packed_format::PackedFormat;
    ///
    /// // In PTX's words: row = groupID + 8 and column = threadID_in_group * 2 + 1 is a3.
    /// let a = PackedFormat::find("mma.m16n8k16.A").unwrap();
    /// let array = "f16[16,16]".parse().unwrap();
    /// assert_eq!(a.lane_and_value_of(&array, &[8 + 2, 3 * 2 + 1]), Some((2 * 4 + 3, 3)));
    /// ```
    pub fn lane_and_value_of(&self, array: &ArrayShape, index: &[Size]) -> Option<(Size, Size)> {
        let shape = self.layout(array).ok()?;
        let values = shape.padded_elements()? / self.lanes()?;
        let offset = shape.digits().ok()?.offset(index)?;
        Some((offset / values, offset % values))
    }
}

impl fmt::Debug for PackedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("PackedFormat").field(&self.name()).finish()
    }
}

/// The name.
impl fmt::Display for PackedFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
