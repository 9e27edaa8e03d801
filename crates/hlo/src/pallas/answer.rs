//! Kernels of Pallas as lines of JSON, and the answers about them.

use alloc::borrow::ToOwned as _;
use alloc::format;
use alloc::string::{String, ToString as _};
use alloc::vec;
use alloc::vec::Vec;

use super::block::{BlockDim, BlockSize};
use super::index::{BlockIndex, zero};
use super::kernel::{Body, DYNAMIC, Kernel};
use super::operand::{MemorySpace, Operand, Role};
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
        let operands = row.operands()?;
        let kernel = row.kernel(&operands)?;
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
    /// Of a size that is known at run time only, nothing.
    grid: Vec<Option<Number>>,
    operands: Vec<RowOperand>,
    /// What the kernel does, where that is known: `none` touches no operand, `zero` only outputs, `copy` and `add` no scratch;
    /// `add` and `matmul` compute; `store_first` and `scratch_live` write scratch.
    #[serde(default)]
    body: String,
    #[serde(default)]
    semantics: Option<Vec<String>>,
    /// Above 0 if operands are forced into HBM.
    #[serde(default)]
    pin: Option<u8>,
    #[serde(default)]
    vmem_limit: Option<Number>,
    #[serde(default)]
    internal_scratch: Option<Number>,
    /// Of each input.
    #[serde(default)]
    input_fusion: Option<Vec<bool>>,
    #[serde(default)]
    scoped_alloc: Option<Vec<(String, Vec<Size>)>>,
}

#[derive(Deserialize)]
struct RowOperand {
    role: String,
    dtype: String,
    array: Vec<Number>,
    #[serde(default)]
    block: Option<Vec<BlockEntry>>,
    #[serde(default)]
    space: Option<String>,
    #[serde(default)]
    index_map: Option<IndexMap>,
    #[serde(default)]
    buffers: Option<u32>,
    /// Above 0 if indices count elements.
    #[serde(default)]
    element: Option<u8>,
    #[serde(default)]
    in_vmem: Option<bool>,
}

/// What a block takes of a dimension; nothing if it is squeezed.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a block has a size or `null` for each dimension")]
enum BlockEntry {
    Size(Number),
    Element { element: Number },
    Squeezed(()),
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
            if operand.role() == Role::Input {
                let is_fused = self.input_fusion.as_ref().and_then(|fused| fused.get(inputs));
                operand = if is_fused == Some(&true) { operand.fused() } else { operand };
                inputs += 1;
            }
            let is_touched = match self.body.as_str() {
                "none" => false,
                "zero" => operand.role() == Role::Output,
                "copy" | "add" => operand.role() != Role::Scratch,
                _ => true,
            };
            operand = if is_touched { operand } else { operand.untouched() };
            let is_stored = matches!(self.body.as_str(), "store_first" | "scratch_live");
            operand = if is_stored { operand.stored() } else { operand };
            let in_vmem = row.in_vmem.or((self.pin > Some(0)).then_some(false));
            operands.push(in_vmem.map_or(operand, |in_vmem| operand.in_vmem(in_vmem)));
        }
        for (dtype, dims) in self.scoped_alloc.iter().flatten() {
            operands.push(Operand::new(Role::Scoped, element(dtype)?, dims));
        }
        Ok(operands)
    }

    fn kernel<'a>(&self, operands: &'a [Operand]) -> Result<Kernel<'a>, String> {
        let unknown = || format!("`{}` is not a TPU: write one of {}", self.tpu, Tpu::NAMES);
        let tpu = Tpu::from_name(&self.tpu).ok_or_else(unknown)?;
        let body = Body::from_name(&self.body).unwrap_or(Body::Other);
        let size = |size: &Option<Number>| {
            size.as_ref().map_or(Ok(DYNAMIC), |it| number("a size of the grid", it))
        };
        let grid = self.grid.iter().map(size).collect::<Result<Vec<_>, _>>()?;
        let mut kernel = Kernel::new(tpu, &grid, operands).body(body);
        for (axis, semantics) in self.semantics.iter().flatten().enumerate() {
            kernel = if semantics == "parallel" { kernel.parallel(axis) } else { kernel };
        }
        if let Some(bytes) = &self.vmem_limit {
            kernel = kernel.vmem_limit(number("the limit of VMEM", bytes)?);
        }
        if let Some(bytes) = &self.internal_scratch {
            kernel = kernel.internal_scratch(number("the internal scratch", bytes)?);
        }
        Ok(kernel)
    }
}

impl RowOperand {
    fn operand(&self) -> Result<Operand, String> {
        let unknown = |what: &str, name: &str| format!("`{name}` is not a {what}");
        let role = Role::from_name(&self.role).ok_or_else(|| unknown("role", &self.role))?;
        let space = match &self.space {
            None => None,
            Some(name) if role == Role::Prefetch && name.eq_ignore_ascii_case("default") => None,
            Some(name) => {
                Some(MemorySpace::from_name(name).ok_or_else(|| unknown("memory space", name))?)
            }
        };
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
                BlockEntry::Size(given) if self.element.is_none_or(|element| element == 0) => {
                    BlockSize::Blocked(size(given)?)
                }
                BlockEntry::Size(given) | BlockEntry::Element { element: given } => {
                    BlockSize::Element(size(given)?)
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
