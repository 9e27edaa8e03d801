//! Kernels of Pallas as lines of JSON, and the answers about them.

use layout::tpu::Tpu;
use layout::tpu::pallas::{
    BlockDim, BlockIndex, BlockSize, Body, Kernel, MemorySpace, Operand, Role, zero,
};
use layout::{ArrayShape, ElementType, Size};
use serde::{Deserialize, Serialize};

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
    /// use layout_files::KernelAnswer;
    ///
    /// let kernel = r#"{"gen": "v5e", "grid": [4], "operands": [{"role": "in", "dtype": "f32", "array": [32, 128],
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
    #[serde(alias = "gen")]
    generation: String,
    /// Of a size that is known at run time only, nothing.
    grid: Vec<Option<Size>>,
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
    vmem_limit: Option<Size>,
    #[serde(default)]
    internal_scratch: Option<Size>,
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
    array: Vec<Size>,
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
#[serde(untagged)]
enum BlockEntry {
    Size(Size),
    Element { element: Size },
    Squeezed(()),
}

#[derive(Deserialize)]
#[serde(untagged)]
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
        let unknown = || format!("`{}` is not a TPU", self.generation);
        let tpu = Tpu::from_name(&self.generation).ok_or_else(unknown)?;
        let body = Body::from_name(&self.body).unwrap_or(Body::Other);
        let grid = self
            .grid
            .iter()
            .map(|size| size.unwrap_or(layout::tpu::pallas::DYNAMIC))
            .collect::<Vec<_>>();
        let mut kernel = Kernel::new(tpu, &grid, operands).body(body);
        for (axis, semantics) in self.semantics.iter().flatten().enumerate() {
            kernel = if semantics == "parallel" { kernel.parallel(axis) } else { kernel };
        }
        kernel = self.vmem_limit.map_or(kernel, |bytes| kernel.vmem_limit(bytes));
        Ok(self.internal_scratch.map_or(kernel, |bytes| kernel.internal_scratch(bytes)))
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
        let mut operand = Operand::new(role, element, &self.array);
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
            return Err(format!("{} indices for a block of {} sizes", indices.len(), block.len()));
        }
        let along = |(entry, index): (&BlockEntry, &BlockIndex)| BlockDim {
            size: match *entry {
                BlockEntry::Squeezed(()) => BlockSize::Squeezed,
                BlockEntry::Size(size) if self.element.is_none_or(|element| element == 0) => {
                    BlockSize::Blocked(size)
                }
                BlockEntry::Size(size) | BlockEntry::Element { element: size } => {
                    BlockSize::Element(size)
                }
            },
            index: *index,
        };
        Ok(operand.block(&block.iter().zip(&indices).map(along).collect::<Vec<_>>()))
    }
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
