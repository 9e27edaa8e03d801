//! Kernels of Pallas as lines of JSON, and the answers about them.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use super::block::{BlockDim, BlockSize};
use super::index::{BlockIndex, zero};
use super::kernel::{Body, DYNAMIC, Kernel};
use super::operand::{MemorySpace, Operand, OperandRole};
use super::window::block_bytes;
use layout_core::limits::MAX_SIZE;
use layout_core::tpu::Tpu;
use layout_core::{ArrayShape, ElementType, Size};
use serde::{Deserialize, Serialize};
use serde_json::Number;

/// What the compiler of a TPU would say of a kernel of Pallas, and what it takes in VMEM: a line of JSON.
#[derive(Debug, Serialize)]
#[non_exhaustive]
pub struct KernelAnswer {
    /// That of the kernel.
    pub id: serde_json::Value,
    /// `ok` or `refused`.
    pub verdict: &'static str,
    /// Why it is refused, and what would be legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// Bytes of each operand in VMEM, all buffers together.
    pub windows: Vec<Size>,
    /// Bytes of all of them, as [`Kernel::vmem_bytes`] counts.
    pub vmem_bytes: Size,
    /// Bytes that were never exceeded: [`Kernel::bound_bytes`].
    pub bound_bytes: Size,
    /// Bytes that the kernel gets.
    pub limit_bytes: Size,
    /// The layout of one buffer of each operand that has a window.
    #[serde(skip)]
    pub layouts: Vec<Option<ArrayShape>>,
}

impl KernelAnswer {
    /// The answer about a kernel, whose fields `layout pallas --help` lists.
    ///
    /// # Errors
    /// If the text is not JSON, or not a kernel.
    ///
    /// # Examples
    /// ```
    /// use layout_hlo::pallas::KernelAnswer;
    ///
    /// let kernel = r#"{"tpu": "v5e", "grid": [4], "operands": [{"role": "in", "dtype": "f32", "array": [32, 128],
    ///     "block": [9, 128], "index_map": ["g0", "0"]}]}"#;
    /// let answer = KernelAnswer::of(kernel)?;
    /// assert!(answer.reason.unwrap().ends_with("8 or 16 would be legal"));
    /// # Ok::<(), String>(())
    /// ```
    pub fn of(kernel: &str) -> Result<KernelAnswer, String> {
        let row = serde_json::from_str::<KernelRow>(kernel).map_err(|error| error.to_string())?;
        let given = |what, given: &Option<Number>| {
            given.as_ref().map(|given| number(what, given)).transpose()
        };
        let size = |size| Ok(given("a size of the grid", size)?.unwrap_or(DYNAMIC));
        let grid = row.grid.iter().map(size).collect::<Result<Vec<_>, String>>()?;
        let operands = row.operands()?;
        let bytes = |(dtype, dims): &(String, Vec<Size>)| {
            element(dtype).map(|element| block_bytes(element, dims))
        };
        let values = row.intermediates.as_ref().map(|values| values.iter().map(bytes).collect());
        let values: Option<Vec<Size>> = values.transpose()?;
        let unknown = || format!("`{}` is not a TPU: write one of {}", row.tpu, Tpu::NAMES);
        let mut kernel = Kernel {
            body: Body::from_name(&row.body).unwrap_or(Body::Other),
            intermediates: values.as_deref(),
            vmem_limit: given("the limit of VMEM", &row.vmem_limit)?,
            internal_scratch: given("the internal scratch", &row.internal_scratch)?,
            ..Kernel::new(Tpu::from_name(&row.tpu).ok_or_else(unknown)?, &grid, &operands)
        };
        let semantics = row.semantics.iter().flatten().enumerate();
        for (axis, _) in semantics.filter(|(_, semantics)| *semantics == "parallel") {
            kernel = kernel.parallel(axis);
        }
        let refusal = kernel.refusal();
        let all = 0..operands.len();
        Ok(KernelAnswer {
            id: row.id,
            verdict: if refusal.is_none() { "ok" } else { "refused" },
            reason: refusal.map(|refusal| refusal.to_string()),
            windows: all.clone().map(|number| kernel.window_bytes(number)).collect(),
            vmem_bytes: kernel.vmem_bytes(),
            bound_bytes: kernel.bound_bytes(),
            limit_bytes: kernel.limit_bytes(),
            layouts: all.map(|number| kernel.window(number)).collect(),
        })
    }
}

#[derive(Deserialize)]
struct KernelRow {
    #[serde(default)]
    id: serde_json::Value,
    tpu: String,
    /// `None` is a size that is known only at run time.
    grid: Vec<Option<Number>>,
    operands: Vec<RowOperand>,
    /// What the kernel does, where that is known: `none` touches no operand, `zero` only outputs, `copy` and `add` no scratch;
    /// `add` and `matmul` compute; `store_first` and `scratch_live` write scratch.
    #[serde(default)]
    body: String,
    semantics: Option<Vec<String>>,
    /// Above 0 if operands are forced into HBM.
    pin: Option<u8>,
    vmem_limit: Option<Number>,
    internal_scratch: Option<Number>,
    /// Of each input.
    input_fusion: Option<Vec<bool>>,
    scoped_alloc: Option<Vec<(String, Vec<Size>)>>,
    /// Values that the body computes, beside blocks.
    intermediates: Option<Vec<(String, Vec<Size>)>>,
}

#[derive(Deserialize)]
struct RowOperand {
    role: String,
    dtype: String,
    array: Vec<Number>,
    block: Option<Vec<BlockEntry>>,
    space: Option<String>,
    index_map: Option<IndexMap>,
    buffers: Option<u32>,
    /// Above 0 if indices count elements.
    element: Option<u8>,
    in_vmem: Option<bool>,
}

/// What a block takes of a dimension; nothing if it is squeezed.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a block has a size or `null` for each dimension")]
enum BlockEntry {
    Size(Number),
    Squeezed(()),
    Element {
        element: Number,
        /// Before the array and after it.
        #[serde(default)]
        padding: (u64, u64),
    },
    BoundedSlice {
        bounded_slice: Number,
    },
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "an index map is a list of texts, or `constant`")]
enum IndexMap {
    Constant(String),
    Indices(Vec<String>),
}

impl KernelRow {
    /// The operands, and after them what `run_scoped` allocates.
    fn operands(&self) -> Result<Vec<Operand>, String> {
        let mut operands = Vec::new();
        let mut inputs = 0;
        for (number, row) in self.operands.iter().enumerate() {
            let mut operand =
                row.operand().map_err(|error| format!("operand {number}: {error}"))?;
            if operand.role == OperandRole::Input {
                operand.is_fused =
                    self.input_fusion.as_ref().and_then(|fused| fused.get(inputs)) == Some(&true);
                inputs += 1;
            }
            operand.is_touched = match self.body.as_str() {
                "none" => false,
                "zero" => operand.role == OperandRole::Output,
                "copy" | "add" => operand.role != OperandRole::Scratch,
                _ => true,
            };
            operand.is_stored = matches!(self.body.as_str(), "store_first" | "scratch_live");
            operand.is_in_vmem = row.in_vmem.or((self.pin > Some(0)).then_some(false));
            operands.push(operand);
        }
        for (dtype, dims) in self.scoped_alloc.iter().flatten() {
            operands.push(Operand::new(OperandRole::Scoped, element(dtype)?, dims));
        }
        Ok(operands)
    }
}

impl RowOperand {
    fn operand(&self) -> Result<Operand, String> {
        let unknown = |what: &str, name: &str| format!("`{name}` is not a {what}");
        let role = OperandRole::from_name(&self.role).ok_or_else(|| unknown("role", &self.role))?;
        let is_given = |name: &&String| !name.eq_ignore_ascii_case("default");
        let space =
            self.space.as_ref().filter(is_given).map(|name| {
                MemorySpace::from_name(name).ok_or_else(|| unknown("memory space", name))
            });
        let space = space.transpose()?;
        let element = match space {
            Some(MemorySpace::Semaphore) => ElementType::U32,
            _ => element(&self.dtype)?,
        };
        let dims = self.array.iter().map(|size| number("a size of its array", size));
        let mut operand = Operand::new(role, element, &dims.collect::<Result<Vec<_>, _>>()?);
        operand = space.map_or(operand, |space| operand.space(space));
        operand = self.buffers.map_or(operand, |buffers| operand.buffers(buffers));
        let Some(block) = &self.block else { return Ok(operand) };
        let indices = match &self.index_map {
            Some(IndexMap::Indices(texts)) => {
                texts.iter().map(|text| text.parse::<BlockIndex>()).collect()
            }
            Some(IndexMap::Constant(name)) if name != "constant" => {
                return Err(unknown("index map", name));
            }
            _ => Ok(vec![zero(); block.len()]),
        };
        let indices = indices.map_err(|error| error.to_string())?;
        if indices.len() != block.len() {
            return Err(format!(
                "its block has rank {}, and its index map returns a list of length {}; squeezed dimensions have an index too",
                block.len(),
                indices.len()
            ));
        }
        let along = |(entry, index): (&BlockEntry, &BlockIndex)| {
            let size = |size: &Number| number("a size of its block", size);
            let size = match entry {
                BlockEntry::Squeezed(()) => BlockSize::Squeezed,
                BlockEntry::Size(given) if self.element > Some(0) => {
                    BlockSize::Element(size(given)?)
                }
                BlockEntry::Size(given) => BlockSize::Blocked(size(given)?),
                BlockEntry::Element { element, padding: (0, _) } => {
                    BlockSize::Element(size(element)?)
                }
                BlockEntry::Element { element, .. } => BlockSize::PaddedElement(size(element)?),
                BlockEntry::BoundedSlice { bounded_slice } => {
                    BlockSize::BoundedSlice(size(bounded_slice)?)
                }
            };
            Ok(BlockDim { size, index: *index })
        };
        let block = block.iter().zip(&indices).map(along).collect::<Result<Vec<_>, String>>()?;
        Ok(operand.block(&block))
    }
}

/// A number that sizes can have: of another one, serde would say only that it is not of a type of Rust.
fn number(what: &str, given: &Number) -> Result<Size, String> {
    let size = given.as_u64().and_then(|size| Size::try_from(size).ok());
    size.filter(|size| *size <= MAX_SIZE)
        .ok_or_else(|| format!("{what} is {given}: write a whole number from 0 on, below 2^63"))
}

/// The element type of a name of XLA, or of a short name of JAX.
fn element(name: &str) -> Result<ElementType, String> {
    let own = match name {
        "bool" => "pred",
        "f8e4m3" => "f8e4m3fn",
        "f8e4m3b11" => "f8e4m3b11fnuz",
        "f4e2m1" => "f4e2m1fn",
        _ => name,
    };
    let own = own.strip_prefix('i').map_or(own.to_owned(), |bits| format!("s{bits}"));
    ElementType::from_name(&own).ok_or_else(|| format!("`{name}` is not an element type"))
}
