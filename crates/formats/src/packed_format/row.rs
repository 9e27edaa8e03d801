//! What a row of the table of formats has.
//!
//! Each family has its table in a call of `formats!`, which makes values and types of the same tokens. A row is
//! ```text
//! BASE "name" "K,N" ["other name"] "what is in this order, and where it is used"
//!     TypeName U4[K % 8 = 32, N = 4]{1,0:T(8,1)E(4)} for CODES,
//!     TypeName8 U8[K % 4 = 16, N = 4]{1,0:T(4,1)};
//! ```
//! - `BASE` is a [`Row`] with what rows have in common: family, definition, lanes, note.
//! - `"K,N"` names the dimensions.
//! - Then comes a form for each group of element types, as the layout of an array that shows it. `K % 8 = 32` is the
//!   parameter `K` of the type, which takes multiples of 8 and is 32 in the array. `K = 32` takes every size: where the
//!   tiles extend past the array, the system pads it so. A number alone is a fixed size.
//! - `for CODES` names the list of element types. Without it the form holds that of the array only. With `E(n)` the type
//!   has the element type of the array, and otherwise a parameter `E`.

// The table of a family is a hidden macro that calls back with its rows: values, types and the tests of all
// examples are made of them. A layout stands in a row once, as XLA writes it.

use layout_core::limits::Size;
use layout_core::{ArrayShape, Dim, ElementType};

named! {
    /// What a packed format belongs to; the name is a heading.
    #[non_exhaustive]
    pub enum Family {
        /// oneDNN's format tags.
        OneDnn = "oneDNN",
        /// The quantized blocks of ggml: llama.cpp, whisper.cpp, candle.
        Ggml = "ggml: llama.cpp",
        /// Quantized weights of GPUs: GPTQ, AWQ, Marlin, MLX.
        Weights = "quantized weights",
        /// Tiles of Tenstorrent, Ascend, Hexagon and of displays.
        Tensor = "tensors of accelerators and displays",
        /// Operands of CPU instructions.
        Cpu = "operands of CPU instructions",
        /// Operands of NVIDIA's tensor cores.
        Nvidia = "operands of NVIDIA's tensor cores",
        /// Operands of AMD's matrix cores.
        Amd = "operands of AMD's matrix cores",
    }
}

/// A format.
#[derive(Clone, Copy)]
pub(super) struct Row {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub family: Family,
    pub what: &'static str,
    /// Names of the dimensions.
    pub dims: &'static str,
    /// Whether dimensions before these are a stack of such arrays.
    pub stacks: bool,
    /// Lanes of an operand in registers; 0 for an array in memory.
    pub lanes: Size,
    pub forms: &'static [Form],
    pub note: &'static str,
    pub definition: &'static str,
}

/// The layout for some element types.
#[derive(Clone, Copy)]
pub(super) struct Form {
    /// Empty for all.
    pub elements: &'static [ElementType],
    /// What each size has to be a multiple of, or [`FIXED`].
    pub multiples: &'static [Size],
    /// At sizes that show it, or the fixed ones.
    pub text: &'static str,
}

/// Of a dimension that has the size of the form's text and no other.
pub(super) const FIXED: Size = 0;

impl Form {
    pub(super) const fn shape(&self) -> ArrayShape {
        parsed(self.text)
    }

    pub(super) fn takes(&self, element: ElementType) -> bool {
        self.elements.is_empty() || self.elements.contains(&element)
    }

    /// The first dimension with a size that the form does not take.
    pub(super) fn misfit(&self, dims: &[Dim]) -> Option<usize> {
        let shape = self.shape();
        (0..dims.len()).find(|&dim| match (self.multiples[dim], dims[dim].size()) {
            (FIXED, _) => dims[dim] != shape.dims()[dim],
            (multiple, Some(size)) => !size.is_multiple_of(multiple),
            (_, None) => false,
        })
    }
}

/// A layout that a table has as text.
pub(super) const fn parsed(text: &str) -> ArrayShape {
    match ArrayShape::parse_const(text) {
        Ok(shape) => shape,
        Err(_) => panic!("tests read every text of the table"),
    }
}

impl Row {
    /// What the rows of a definition have in common.
    pub(super) const fn of(family: Family, definition: &'static str) -> Row {
        Row {
            name: "",
            aliases: &[],
            family,
            what: "",
            dims: "",
            stacks: false,
            lanes: 0,
            forms: &[],
            note: "",
            definition,
        }
    }

    pub(super) fn takes_any_element(&self) -> bool {
        self.forms.len() == 1 && self.forms[0].elements.is_empty()
    }
}

/// All element types.
pub(super) const ANY: &[ElementType] = &[];
/// 4-bit codes.
pub(super) const CODES: &[ElementType] = &[ElementType::U4, ElementType::S4];
/// 2-bit codes.
pub(super) const CODES_2: &[ElementType] = &[ElementType::U2, ElementType::S2];
/// Bytes.
pub(super) const BYTES: &[ElementType] = &[ElementType::S8, ElementType::U8];
/// Scales of blocks of narrow floats, and their bits.
pub(super) const SCALES: &[ElementType] =
    &[ElementType::F8E4M3FN, ElementType::F8E8M0FNU, ElementType::U8];
/// Floats of 16 bits.
pub(super) const HALVES: &[ElementType] = &[ElementType::F16, ElementType::BF16];
