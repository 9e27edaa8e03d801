//! `layout pallas`.

use std::path::Path;

use layout_core::Visible;
use layout_hlo::pallas::{BlockDim, Kernel, KernelAnswer, Operand, axis, zero};

use crate::arguments::Pallas;
use crate::output::{Answer, Page, Refusal, count};
use crate::{file, shape};

pub(crate) fn pallas(arguments: &Pallas) -> Result<Answer, Refusal> {
    if arguments.block.is_empty() {
        of_file(Path::new(&arguments.subject)).map(Answer::yes)
    } else {
        of_array(arguments)
    }
}

fn of_file(path: &Path) -> Result<String, Refusal> {
    let help = "give a file of kernels, one in JSON a line, or an array with `--block`";
    let (text, mut lines) = (file::read(path, help)?, String::new());
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let answer = KernelAnswer::of(line).map_err(|error| {
            let (name, line, error) = (file::name(path), number + 1, Visible(&error));
            let help = "`layout pallas --help` says what a kernel has";
            Refusal::new(format!("{name}:{line}: {error}"), help)
        })?;
        lines += &serde_json::to_string(&answer)?;
        lines.push('\n');
    }
    Ok(lines)
}

fn of_array(arguments: &Pallas) -> Result<Answer, Refusal> {
    let Pallas { subject, block, grid, map, tpu, .. } = arguments;
    let array = shape::sized(subject, &crate::arguments::Dims { dims: None })?;
    let dims = array.dims().iter().map(|dim| dim.size().unwrap_or(0)).collect::<Vec<_>>();
    let index = |dim: usize| match map.get(dim) {
        Some(index) => *index,
        None if map.is_empty() && dim < grid.len() => axis(dim),
        None => zero(),
    };
    let along = block.iter().enumerate();
    let block = along.map(|(dim, size)| BlockDim { size: *size, index: index(dim) });
    let block = block.collect::<Vec<_>>();
    let operands = [Operand::input(array.element_type(), &dims).block(&block)];
    let Some(tpu) = *tpu else { return Err("give `--tpu`".into()) };
    let kernel = Kernel::new(tpu, grid, &operands);
    let refusal = kernel.refusal();
    let mut page = Page { text: format!("{subject} on {tpu}\n") };
    page.row("verdict", refusal.map_or("ok".to_owned(), |refusal| format!("refused: {refusal}")));
    if let Some(window) = kernel.window(0) {
        let (buffers, bytes) = (kernel.window_buffers(0), window.bytes().unwrap_or(0));
        page.row("window", format!("{}, {}", window, count(bytes, "byte")));
        page.row("buffers", buffers);
        let elements = window.unpadded_bytes().unwrap_or(0);
        page.row("padding", count(bytes.saturating_sub(elements), "byte"));
        page.row("VMEM", count(kernel.window_bytes(0), "byte"));
        let limit = kernel.limit_bytes();
        if limit > 0 {
            let part = kernel.window_bytes(0) as f64 / limit as f64 * 100.0;
            page.row("limit", format!("{}, of which it takes {part:.1} %", count(limit, "byte")));
        }
    }
    Ok(Answer { text: page.text, is_yes: refusal.is_none() })
}
