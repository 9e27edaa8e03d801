//! A kernel as a line of JSON.

use layout::tpu::Tpu;
use layout::tpu::pallas::{
    BlockDim, BlockIndex, BlockSize, Body, Kernel, Operand, Role, Space, zero,
};
use layout_core::{ElementType, Size};
use serde::Deserialize;

#[derive(Deserialize)]
pub(super) struct Row {
    #[serde(default)]
    pub id: serde_json::Value,
    #[serde(alias = "gen")]
    generation: String,
    grid: Vec<Size>,
    operands: Vec<RowOperand>,
    /// What the kernel does, where that is known: `none` touches no operand, `zero` only outputs, `copy` and `add` no scratch;
    /// `add` and `matmul` compute.
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
    block: Option<Vec<Option<Size>>>,
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

#[derive(Deserialize)]
#[serde(untagged)]
enum IndexMap {
    Constant(String),
    Indices(Vec<String>),
}

impl Row {
    /// The operands, and after them what `run_scoped` allocates.
    pub(super) fn operands(&self) -> Result<Vec<Operand>, String> {
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
            let in_vmem = row.in_vmem.or((self.pin > Some(0)).then_some(false));
            operands.push(in_vmem.map_or(operand, |in_vmem| operand.in_vmem(in_vmem)));
        }
        for (dtype, dims) in self.scoped_alloc.iter().flatten() {
            operands.push(Operand::new(Role::Scoped, element(dtype)?, dims));
        }
        Ok(operands)
    }

    pub(super) fn kernel<'a>(&self, operands: &'a [Operand]) -> Result<Kernel<'a>, String> {
        let unknown = || format!("`{}` is not a TPU", self.generation);
        let tpu = Tpu::from_name(&self.generation).ok_or_else(unknown)?;
        let body = Body::from_name(&self.body).unwrap_or(Body::Other);
        let mut kernel = Kernel::new(tpu, &self.grid, operands).body(body);
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
                Some(Space::from_name(name).ok_or_else(|| unknown("memory space", name))?)
            }
        };
        let element = match space {
            Some(Space::Semaphore) => ElementType::U32,
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
        let along = |(size, index): (&Option<Size>, &BlockIndex)| BlockDim {
            size: match size {
                None => BlockSize::Squeezed,
                Some(size) if self.element > Some(0) => BlockSize::Element(*size),
                Some(size) => BlockSize::Blocked(*size),
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
