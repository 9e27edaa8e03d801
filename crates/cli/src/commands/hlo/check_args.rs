//! `layout hlo --check-args`.

use std::fmt::Write as _;
use std::path::Path;

use layout_core::{Size, Visible};
use layout_files::{Arguments, TensorFile};
use layout_hlo::Module;

use crate::output::{Answer, Refusal, count};

pub(crate) fn check_args(module: &Module<'_>, tensors: &Path) -> Result<Answer, Refusal> {
    let file = TensorFile::open(tensors)?;
    let arguments = Arguments::new(module, &file);
    let mut text = String::new();
    let mut wrong = 0;
    for parameter in arguments.parameters() {
        let (place, name) = (parameter.place(), Visible(parameter.name()));
        let _ = write!(text, "parameter {place} `{name}`, {}: ", parameter.layout());
        if let Some(tensor) = parameter.candidate() {
            let _ = write!(text, "tensor `{}`", Visible(tensor.name()));
        }
        if let Err(misfit) = parameter.tensor() {
            wrong += 1;
            let comma = if parameter.candidate().is_some() { ", but " } else { "" };
            let _ = write!(text, "{comma}{misfit}");
        }
        text.push('\n');
    }
    for tensor in arguments.unused() {
        let (name, dtype, dims) = (Visible(tensor.name()), tensor.dtype(), tensor.dims());
        let _ = writeln!(text, "tensor `{name}`, {dtype}{dims:?}: no parameter takes it");
    }
    let parameters = count(arguments.parameters().len() as Size, "parameter");
    let unused = arguments.unused().len();
    let _ = writeln!(text, "{parameters}, {wrong} without a tensor that fits; {unused} unused");
    Ok(Answer { text, is_yes: arguments.fit() })
}
