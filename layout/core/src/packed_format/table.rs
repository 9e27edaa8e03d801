//! What a line of the table has.

use core::fmt;

use super::{PackedFormat, amd, ggml, instruction, nvidia, one_dnn, tensor, weights};
use crate::limits::Size;
use crate::shape::array::ArrayShape;
use crate::shape::element::ElementType;

/// What a packed format belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Family {
    /// oneDNN's format tags.
    OneDnn,
    /// The quantized blocks of ggml: llama.cpp, whisper.cpp, candle.
    Ggml,
    /// Quantized weights of GPUs: GPTQ, AWQ, Marlin, MLX.
    Weights,
    /// Tiles of Tenstorrent, Ascend, Hexagon and of displays.
    Tensor,
    /// Operands of CPU instructions.
    Cpu,
    /// Operands of NVIDIA's tensor cores.
    Nvidia,
    /// Operands of AMD's matrix cores.
    Amd,
}

impl Family {
    /// All families, in the order of [`PackedFormat::ALL`].
    pub const ALL: &'static [Family] = &[
        Family::OneDnn,
        Family::Ggml,
        Family::Weights,
        Family::Tensor,
        Family::Cpu,
        Family::Nvidia,
        Family::Amd,
    ];
}

/// A heading: `oneDNN`.
impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Family::OneDnn => "oneDNN",
            Family::Ggml => "ggml: llama.cpp",
            Family::Weights => "quantized weights",
            Family::Tensor => "tensors of accelerators and displays",
            Family::Cpu => "operands of CPU instructions",
            Family::Nvidia => "operands of NVIDIA's tensor cores",
            Family::Amd => "operands of AMD's matrix cores",
        })
    }
}

/// A format.
pub(super) struct Entry {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub family: Family,
    pub what: &'static str,
    /// Names of the dimensions.
    pub dims: &'static str,
    pub sizes: Sizes,
    /// Whether dimensions in front are a stack of such arrays.
    pub stacks: bool,
    /// Lanes of an operand in registers; 0 for an array in memory.
    pub lanes: Size,
    pub forms: &'static [Form],
    pub note: &'static str,
    pub definition: &'static str,
}

/// The sizes that a format takes.
pub(super) enum Sizes {
    /// Multiples of these.
    Multiples(&'static [Size]),
    /// Multiples of these for each form.
    MultiplesOfForms(&'static [&'static [Size]]),
    /// Those of a form.
    Fixed,
}

/// The layout for some element types.
pub(super) struct Form {
    /// Empty for all.
    pub elements: &'static [ElementType],
    /// At sizes that show it, or the fixed ones.
    pub text: &'static str,
}

impl Form {
    pub(super) fn shape(&self) -> ArrayShape {
        match ArrayShape::parse_const(self.text) {
            Ok(shape) => shape,
            Err(_) => unreachable!("tests read every text of the table"),
        }
    }

    pub(super) fn takes(&self, element: ElementType) -> bool {
        self.elements.is_empty() || self.elements.contains(&element)
    }
}

impl Entry {
    /// What the fields are that a family leaves out.
    pub(super) const NONE: Entry = Entry {
        name: "",
        aliases: &[],
        family: Family::OneDnn,
        what: "",
        dims: "",
        sizes: Sizes::Fixed,
        stacks: false,
        lanes: 0,
        forms: &[],
        note: "",
        definition: "",
    };

    pub(super) const fn takes_any_element(&self) -> bool {
        self.forms.len() == 1 && self.forms[0].elements.is_empty()
    }
}

/// 4-bit codes.
pub(super) const CODES: &[ElementType] = &[ElementType::U4, ElementType::S4];
/// Bytes.
pub(super) const BYTES: &[ElementType] = &[ElementType::S8, ElementType::U8];
/// Floats of 16 bits.
pub(super) const HALVES: &[ElementType] = &[ElementType::F16, ElementType::BF16];

const FAMILIES: &[&[Entry]] = &[
    one_dnn::FORMATS,
    ggml::FORMATS,
    weights::FORMATS,
    tensor::FORMATS,
    instruction::FORMATS,
    nvidia::FORMATS,
    amd::FORMATS,
];

const COUNT: usize = {
    let (mut count, mut family) = (0, 0);
    while family < FAMILIES.len() {
        count += FAMILIES[family].len();
        family += 1;
    }
    count
};

pub(super) const fn all() -> [PackedFormat; COUNT] {
    let mut all = [PackedFormat { entry: &Entry::NONE, number: 0 }; COUNT];
    let (mut number, mut family) = (0, 0);
    while family < FAMILIES.len() {
        let mut i = 0;
        while i < FAMILIES[family].len() {
            all[number] = PackedFormat { entry: &FAMILIES[family][i], number };
            number += 1;
            i += 1;
        }
        family += 1;
    }
    all
}
