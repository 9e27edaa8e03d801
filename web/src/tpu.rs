//! What the compilers of TPUs choose, and blocks of Pallas kernels.

use layout_core::base::width::native;
use layout_core::tpu::{Tpu, advise};
use layout_core::{ArrayShape, Dim, Size};
use layout_hlo::Bytes;
use layout_hlo::pallas::KernelAnswer;
use layout_picture::chart::{Cell, Chart};
use serde_json::json;

use crate::array::grouped;
use crate::reading::joined;
use crate::refusal::{answer, array, numbers};

/// Orders of dimensions that are listed, and blocks that are drawn along a dimension.
const MOST_ORDERS: usize = 6;
const MOST_BLOCKS: Size = 12;

/// What the compiler of each generation chooses for an array, and what each order of its dimensions costs on one.
pub fn tpus(text: &str, tpu: &str) -> String {
    answer(array(text).and_then(|shape| {
        let row = |name: String, shape: &ArrayShape| {
            let bytes = grouped(shape.bytes().unwrap_or(0));
            let factor = format!("{:.2} ×", shape.expansion().unwrap_or(1.0));
            json!([name, shape.to_string(), bytes, factor])
        };
        // Generations that choose the same are one row.
        let mut chosen = Vec::<(String, ArrayShape)>::new();
        for tpu in Tpu::ALL {
            let own = shape.with_default_layout(*tpu)?;
            match chosen.iter_mut().find(|(_, layout)| *layout == own) {
                Some((names, _)) => *names += &format!(", {tpu}"),
                None => chosen.push((tpu.to_string(), own)),
            }
        }
        let chosen = chosen.into_iter().map(|(names, layout)| row(names, &layout));
        let tpu = Tpu::from_name(tpu).ok_or_else(|| format!("a TPU is one of {}", Tpu::NAMES))?;
        let orders = advise(&shape, tpu)?.into_iter().take(MOST_ORDERS);
        let orders = orders.map(|it| row(format!("{:?}", it.minor_to_major()), &it));
        Ok(json!({
            "chosen": chosen.collect::<Vec<_>>(), "orders": orders.collect::<Vec<_>>(), "block": joined(&usual_block(&shape), ","),
        }))
    }))
}

/// A block of 8 rows and 128 columns, or of what the array has.
fn usual_block(shape: &ArrayShape) -> Vec<Size> {
    let rank = shape.rank();
    let size = |(dim, size): (usize, &Dim)| {
        let most = [128, 8].get(rank - 1 - dim).copied().unwrap_or(1);
        size.size().unwrap_or(most).min(most)
    };
    shape.dims().iter().enumerate().map(size).collect()
}

/// A block of an array, or the usual one if the text is empty, as a kernel of Pallas has it that visits all of the array.
pub fn pallas(text: &str, block: &str, tpu: &str) -> String {
    answer(array(text).and_then(|shape| {
        let sizes = if block.is_empty() { Some(usual_block(&shape)) } else { numbers(block) };
        let sizes = sizes.ok_or("a block is a number for each dimension, as in 8,128")?;
        let dims = shape.dims().iter().filter_map(|dim| dim.size()).collect::<Vec<_>>();
        if sizes.len() != dims.len() {
            let [given, needed] = [sizes.len(), dims.len()];
            return Err(format!("the block has {given} sizes, but the array {needed}").into());
        }
        let grid = dims.iter().zip(&sizes).map(|(dim, size)| dim.div_ceil((*size).max(1)));
        let map = (0..dims.len()).map(|dim| format!("g{dim}")).collect::<Vec<_>>();
        let kernel = json!({
            "tpu": tpu,
            "grid": grid.collect::<Vec<_>>(),
            "operands": [{
                "role": "in", "dtype": shape.element_type().name(), "array": dims, "block": sizes, "index_map": map,
            }],
        });
        let found = KernelAnswer::of(&kernel.to_string())?;
        let window = found.layouts.first().copied().flatten().as_ref().map(ArrayShape::to_string);
        Ok(json!({
            "verdict": found.verdict, "reason": found.reason, "window": window,
            "bytes": grouped(found.vmem_bytes), "limit": Bytes(found.limit_bytes as u64).to_string(),
            "part": found.vmem_bytes as f64 / found.limit_bytes as f64,
            "block": joined(&sizes, ","), "svg": blocks(&dims, &sizes),
        }))
    }))
}

/// The blocks along the last two dimensions: their numbers in the grid, and what they hold. What extends past the array is
/// hatched.
fn blocks(dims: &[Size], block: &[Size]) -> String {
    let mut last = dims.iter().zip(block).map(|(dim, size)| (*dim, (*size).max(1))).rev();
    let (columns, rows) = (last.next().unwrap_or((1, 1)), last.next().unwrap_or((1, 1)));
    let range = |number: Size, (dim, size): (Size, Size)| {
        let first = number * size;
        format!("{first} to {}", (first + size).min(dim) - 1)
    };
    let cell = |row: Size, column: Size| {
        let is_hatched = (row + 1) * rows.1 > rows.0 || (column + 1) * columns.1 > columns.0;
        let key = format!("{row},{column}");
        let hint = format!("rows {}, columns {}", range(row, rows), range(column, columns));
        let (label, color) = (key.clone(), Some(native((row + column) % 2)));
        Some(Cell { key, label, hint, is_hatched, color, ..Cell::default() })
    };
    let [all_rows, all_columns] = [rows, columns].map(|(dim, size)| dim.div_ceil(size));
    let title = format!("{all_rows} × {all_columns} blocks");
    Chart::table(title, [all_rows, MOST_BLOCKS], [all_columns, MOST_BLOCKS], 1, cell).svg()
}
